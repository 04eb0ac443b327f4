// Generated from src/kinds/crds/clusters.cluster.x-k8s.io.yaml by `npm run generate`. Changes made here are lost.

import { kindOf } from '../../kube/kind.ts';
import type { Condition, KubeObject } from '../../kube/object.ts';

export interface ClusterSpec {
  /** Stops every controller's work on this cluster's objects. */
  readonly paused?: boolean;
  readonly clusterNetwork?: {
    readonly apiServerPort?: number;
    readonly serviceDomain?: string;
    readonly services?: {
      readonly cidrBlocks?: readonly string[];
    };
    readonly pods?: {
      readonly cidrBlocks?: readonly string[];
    };
  };
  /** Where the API server answers. */
  readonly controlPlaneEndpoint?: {
    readonly host?: string;
    readonly port?: number;
  };
  /** The provider's object for the control plane. Absent when somebody else runs it. */
  readonly controlPlaneRef?: {
    /** The group; its version is found through the CRD. */
    readonly apiGroup?: string;
    /** Group and version as v1beta1 spells them; read when apiGroup is absent. */
    readonly apiVersion?: string;
    readonly kind: string;
    readonly name: string;
    /** v1beta1 only; the object's own namespace is used. */
    readonly namespace?: string;
    readonly uid?: string;
    readonly fieldPath?: string;
    readonly resourceVersion?: string;
  };
  /** The provider's object for what the machines share. */
  readonly infrastructureRef?: {
    /** The group; its version is found through the CRD. */
    readonly apiGroup?: string;
    /** Group and version as v1beta1 spells them; read when apiGroup is absent. */
    readonly apiVersion?: string;
    readonly kind: string;
    readonly name: string;
    /** v1beta1 only; the object's own namespace is used. */
    readonly namespace?: string;
    readonly uid?: string;
    readonly fieldPath?: string;
    readonly resourceVersion?: string;
  };
}

export interface ClusterStatus {
  /** What holds of this object and what it waits for. */
  readonly conditions?: readonly Condition[];
  readonly observedGeneration?: number;
  readonly phase?: string;
  readonly initialization?: {
    readonly infrastructureProvisioned?: boolean;
    readonly controlPlaneInitialized?: boolean;
  };
  /** v1beta1's spelling of initialization.infrastructureProvisioned, written beside it. */
  readonly infrastructureReady?: boolean;
  /** v1beta1's spelling of initialization.controlPlaneInitialized, written beside it. */
  readonly controlPlaneReady?: boolean;
  readonly failureDomains?: readonly {
    readonly name: string;
    readonly controlPlane?: boolean;
    readonly attributes?: Readonly<Record<string, string>>;
  }[];
}

/** A group of machines and what they share. */
export interface Cluster extends KubeObject {
  readonly spec?: ClusterSpec;
  readonly status?: ClusterStatus;
}

export const Cluster = kindOf<Cluster>('cluster.x-k8s.io/v1beta2', 'Cluster', 'clusters', 'Namespaced');
