// Generated from src/kinds/crds/infrastructure.cluster.x-k8s.io_metal3clusters.yaml by `npm run generate`. Changes made here are lost.

import { kindOf } from '../../kube/kind.ts';
import type { Condition, KubeObject } from '../../kube/object.ts';

export interface Metal3ClusterSpec {
  readonly cloudProviderEnabled?: boolean;
  readonly controlPlaneEndpoint?: {
    readonly host?: string;
    readonly port?: number;
  };
  readonly failureDomains?: readonly {
    readonly attributes?: Readonly<Record<string, string>>;
    readonly controlPlane?: boolean;
    readonly name: string;
  }[];
}

export interface Metal3ClusterStatus {
  readonly conditions?: readonly Condition[];
  readonly deprecated?: {
    readonly v1beta1?: {
      readonly conditions?: readonly Condition[];
      readonly failureMessage?: string;
      readonly failureReason?: string;
    };
  };
  readonly failureDomains?: readonly {
    readonly attributes?: Readonly<Record<string, string>>;
    readonly controlPlane?: boolean;
    readonly name: string;
  }[];
  readonly initialization?: {
    readonly provisioned?: boolean;
  };
  readonly lastUpdated?: string;
}

/** A cluster of bare-metal hosts. */
export interface Metal3Cluster extends KubeObject {
  readonly spec?: Metal3ClusterSpec;
  readonly status?: Metal3ClusterStatus;
}

export const Metal3Cluster = kindOf<Metal3Cluster>(
  'infrastructure.cluster.x-k8s.io/v1beta2',
  'Metal3Cluster',
  'metal3clusters',
  'Namespaced',
);
