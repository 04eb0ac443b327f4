// Generated from src/kinds/crds/ipam.cluster.x-k8s.io_ipaddresses.yaml by `npm run generate`. Changes made here are lost.

import { kindOf } from '../../kube/kind.ts';
import type { KubeObject } from '../../kube/object.ts';

export interface CapiIPAddressSpec {
  readonly address: string;
  readonly prefix?: number;
  readonly gateway?: string;
  readonly claimRef: {
    readonly name: string;
  } & Readonly<Record<string, unknown>>;
  readonly poolRef: {
    readonly apiGroup?: string;
    readonly kind: string;
    readonly name: string;
  } & Readonly<Record<string, unknown>>;
}

/** One address of a pool of any provider, held for a claim. */
export interface CapiIPAddress extends KubeObject {
  readonly spec?: CapiIPAddressSpec;
}

export const CapiIPAddress = kindOf<CapiIPAddress>(
  'ipam.cluster.x-k8s.io/v1beta2',
  'IPAddress',
  'ipaddresses',
  'Namespaced',
);
