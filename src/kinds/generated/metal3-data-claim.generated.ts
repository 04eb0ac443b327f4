// Generated from src/kinds/crds/infrastructure.cluster.x-k8s.io_metal3dataclaims.yaml by `npm run generate`. Changes made here are lost.

import { kindOf } from '../../kube/kind.ts';
import type { Condition, KubeObject } from '../../kube/object.ts';

export interface Metal3DataClaimSpec {
  readonly template?: {
    readonly name?: string;
    readonly namespace?: string;
  };
}

export interface Metal3DataClaimStatus {
  readonly errorMessage?: string;
  readonly renderedData?: {
    readonly name?: string;
    readonly namespace?: string;
  };
  /** What holds of this object and what it waits for. */
  readonly conditions?: readonly Condition[];
}

/** The wish of a Metal3Machine for data of its own. */
export interface Metal3DataClaim extends KubeObject {
  readonly spec?: Metal3DataClaimSpec;
  readonly status?: Metal3DataClaimStatus;
}

export const Metal3DataClaim = kindOf<Metal3DataClaim>(
  'infrastructure.cluster.x-k8s.io/v1beta2',
  'Metal3DataClaim',
  'metal3dataclaims',
  'Namespaced',
);
