// Generated from src/kinds/crds/ipam.cluster.x-k8s.io_ipaddressclaims.yaml by `npm run generate`. Changes made here are lost.

import { kindOf } from '../../kube/kind.ts';
import type { Condition, KubeObject } from '../../kube/object.ts';

export interface IPAddressClaimSpec {
  readonly clusterName?: string;
  readonly poolRef: {
    readonly apiGroup?: string;
    readonly kind: string;
    readonly name: string;
  } & Readonly<Record<string, unknown>>;
}

export interface IPAddressClaimStatus {
  readonly addressRef?: {
    readonly name?: string;
  } & Readonly<Record<string, unknown>>;
  readonly conditions?: readonly Condition[];
}

/** The wish for one address of a pool of any provider. */
export interface IPAddressClaim extends KubeObject {
  readonly spec?: IPAddressClaimSpec;
  readonly status?: IPAddressClaimStatus;
}

export const IPAddressClaim = kindOf<IPAddressClaim>(
  'ipam.cluster.x-k8s.io/v1beta2',
  'IPAddressClaim',
  'ipaddressclaims',
  'Namespaced',
);
