// Generated from src/kinds/crds/infrastructure.cluster.x-k8s.io_metal3datas.yaml by `npm run generate`. Changes made here are lost.

import { kindOf } from '../../kube/kind.ts';
import type { Condition, KubeObject } from '../../kube/object.ts';

export interface Metal3DataSpec {
  readonly claim?: {
    readonly name?: string;
    readonly namespace?: string;
  };
  readonly index?: number;
  readonly metaData?: {
    readonly name?: string;
    readonly namespace?: string;
  };
  readonly networkData?: {
    readonly name?: string;
    readonly namespace?: string;
  };
  readonly template?: {
    readonly name?: string;
    readonly namespace?: string;
  };
}

export interface Metal3DataStatus {
  readonly errorMessage?: string;
  readonly ready?: boolean;
  /** What holds of this object and what it waits for. */
  readonly conditions?: readonly Condition[];
}

/** The data of one host: one index of its template, and the secrets rendered for it. */
export interface Metal3Data extends KubeObject {
  readonly spec?: Metal3DataSpec;
  readonly status?: Metal3DataStatus;
}

export const Metal3Data = kindOf<Metal3Data>(
  'infrastructure.cluster.x-k8s.io/v1beta2',
  'Metal3Data',
  'metal3datas',
  'Namespaced',
);
