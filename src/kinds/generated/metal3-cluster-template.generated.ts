// Generated from src/kinds/crds/infrastructure.cluster.x-k8s.io_metal3clustertemplates.yaml by `npm run generate`. Changes made here are lost.

import { kindOf } from '../../kube/kind.ts';
import type { KubeObject } from '../../kube/object.ts';

export interface Metal3ClusterTemplateSpec {
  readonly template: {
    readonly metadata?: {
      readonly annotations?: Readonly<Record<string, string>>;
      readonly labels?: Readonly<Record<string, string>>;
    };
    readonly spec: {
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
    };
  };
}

/** What Metal3Clusters of a cluster class are made from. */
export interface Metal3ClusterTemplate extends KubeObject {
  readonly spec: Metal3ClusterTemplateSpec;
}

export const Metal3ClusterTemplate = kindOf<Metal3ClusterTemplate>(
  'infrastructure.cluster.x-k8s.io/v1beta2',
  'Metal3ClusterTemplate',
  'metal3clustertemplates',
  'Namespaced',
);
