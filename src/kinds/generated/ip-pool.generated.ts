// Generated from src/kinds/crds/ipam.metal3.io_ippools.yaml by `npm run generate`. Changes made here are lost.

import { kindOf } from '../../kube/kind.ts';
import type { Condition, KubeObject } from '../../kube/object.ts';

export interface IPPoolSpec {
  readonly allocationStrategy?: 'sequential' | 'random';
  readonly clusterName?: string;
  readonly dnsServers?: readonly string[];
  readonly gateway?: string;
  readonly namePrefix: string;
  readonly pools?: readonly {
    readonly dnsServers?: readonly string[];
    readonly end?: string;
    readonly gateway?: string;
    readonly prefix?: number;
    readonly start?: string;
    readonly subnet?: string;
  }[];
  readonly preAllocations?: Readonly<Record<string, string>>;
  readonly prefix?: number;
}

export interface IPPoolStatus {
  readonly indexes?: Readonly<Record<string, string>>;
  readonly lastUpdated?: string;
  /** What holds of this object and what it waits for. */
  readonly conditions?: readonly Condition[];
}

/** Ranges of addresses, of which claims get one each. */
export interface IPPool extends KubeObject {
  readonly spec?: IPPoolSpec;
  readonly status?: IPPoolStatus;
}

export const IPPool = kindOf<IPPool>('ipam.metal3.io/v1alpha1', 'IPPool', 'ippools', 'Namespaced');
