// Generated from src/kinds/crds/ipam.metal3.io_ipaddresses.yaml by `npm run generate`. Changes made here are lost.

import { kindOf } from '../../kube/kind.ts';
import type { KubeObject } from '../../kube/object.ts';

export interface IPAddressSpec {
  readonly address: string;
  readonly claim: {
    readonly apiVersion?: string;
    readonly fieldPath?: string;
    readonly kind?: string;
    readonly name?: string;
    readonly namespace?: string;
    readonly resourceVersion?: string;
    readonly uid?: string;
  };
  readonly dnsServers?: readonly string[];
  readonly gateway?: string;
  readonly pool: {
    readonly apiVersion?: string;
    readonly fieldPath?: string;
    readonly kind?: string;
    readonly name?: string;
    readonly namespace?: string;
    readonly resourceVersion?: string;
    readonly uid?: string;
  };
  readonly prefix?: number;
}

/** One address of a pool, held for a claim. */
export interface IPAddress extends KubeObject {
  readonly spec?: IPAddressSpec;
}

export const IPAddress = kindOf<IPAddress>('ipam.metal3.io/v1alpha1', 'IPAddress', 'ipaddresses', 'Namespaced');
