// Generated from src/kinds/crds/ipam.metal3.io_ipclaims.yaml by `npm run generate`. Changes made here are lost.

import { kindOf } from '../../kube/kind.ts';
import type { Condition, KubeObject } from '../../kube/object.ts';

export interface IPClaimSpec {
  readonly pool: {
    readonly apiVersion?: string;
    readonly fieldPath?: string;
    readonly kind?: string;
    readonly name?: string;
    readonly namespace?: string;
    readonly resourceVersion?: string;
    readonly uid?: string;
  };
}

export interface IPClaimStatus {
  readonly address?: {
    readonly apiVersion?: string;
    readonly fieldPath?: string;
    readonly kind?: string;
    readonly name?: string;
    readonly namespace?: string;
    readonly resourceVersion?: string;
    readonly uid?: string;
  };
  readonly errorMessage?: string;
  /** What holds of this object and what it waits for. */
  readonly conditions?: readonly Condition[];
}

/** The wish for one address of a pool. */
export interface IPClaim extends KubeObject {
  readonly spec?: IPClaimSpec;
  readonly status?: IPClaimStatus;
}

export const IPClaim = kindOf<IPClaim>('ipam.metal3.io/v1alpha1', 'IPClaim', 'ipclaims', 'Namespaced');
