// Generated from src/kinds/crds/infrastructure.cluster.x-k8s.io_tuistclusters.yaml by `npm run generate`. Changes made here are lost.

import { kindOf } from '../../kube/kind.ts';
import type { Condition, KubeObject } from '../../kube/object.ts';

export interface TuistClusterSpec {
  /** Where the API server answers, when the provider is to say so. */
  readonly controlPlaneEndpoint?: {
    readonly host?: string;
    readonly port?: number;
  };
}

export interface TuistClusterStatus {
  readonly ready?: boolean;
  /** What holds of this object and what it waits for. */
  readonly conditions?: readonly Condition[];
}

/** The infrastructure that a fleet's machines share; there is none, so it is always ready. */
export interface TuistCluster extends KubeObject {
  readonly spec?: TuistClusterSpec;
  readonly status?: TuistClusterStatus;
}

export const TuistCluster = kindOf<TuistCluster>(
  'infrastructure.cluster.x-k8s.io/v1alpha1',
  'TuistCluster',
  'tuistclusters',
  'Namespaced',
);
