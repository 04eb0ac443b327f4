// Generated from src/kinds/crds/machinedeployments.cluster.x-k8s.io.yaml by `npm run generate`. Changes made here are lost.

import { kindOf } from '../../kube/kind.ts';
import type { Condition, KubeObject } from '../../kube/object.ts';

export interface MachineDeploymentSpec {
  readonly clusterName: string;
  readonly replicas?: number;
  readonly paused?: boolean;
  /** v1beta1's place of template.spec.minReadySeconds. */
  readonly minReadySeconds?: number;
  /** Which machines belong to this object. */
  readonly selector?: {
    readonly matchLabels?: Readonly<Record<string, string>>;
    readonly matchExpressions?: readonly {
      readonly key: string;
      readonly operator: string;
      readonly values?: readonly string[];
    }[];
  };
  /** What each machine is made from. */
  readonly template: {
    readonly metadata?: {
      readonly labels?: Readonly<Record<string, string>>;
      readonly annotations?: Readonly<Record<string, string>>;
    };
    readonly spec: {
      /** The Cluster this machine belongs to. */
      readonly clusterName: string;
      /** Where the data that turns a host into a Node comes from. */
      readonly bootstrap: {
        /** An object that makes the data (a template's name inside templates). */
        readonly configRef?: {
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
        /** The Secret that has the data. Given by whoever needs no bootstrap provider. */
        readonly dataSecretName?: string;
      };
      /** The provider's object behind this machine (a template inside templates). */
      readonly infrastructureRef: {
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
      /** The Kubernetes version that the Node shall run. */
      readonly version?: string;
      /** The host's id; equal to the Node's spec.providerID. */
      readonly providerID?: string;
      readonly failureDomain?: string;
      /** How long a Node must have been ready before the machine counts as available. */
      readonly minReadySeconds?: number;
      /** Further conditions of this Machine that Ready asks for. */
      readonly readinessGates?: readonly {
        readonly conditionType: string;
        readonly polarity?: 'Positive' | 'Negative';
      }[];
      /** How long the steps of a deletion may take. */
      readonly deletion?: {
        /** 0 or absent means no limit. */
        readonly nodeDrainTimeoutSeconds?: number;
        /** 0 or absent means no limit. */
        readonly nodeVolumeDetachTimeoutSeconds?: number;
        /** 10 when absent; 0 means no limit. */
        readonly nodeDeletionTimeoutSeconds?: number;
      };
      /** v1beta1's spelling of deletion.nodeDrainTimeoutSeconds */
      readonly nodeDrainTimeout?: string;
      /** v1beta1's spelling of deletion.nodeVolumeDetachTimeoutSeconds */
      readonly nodeVolumeDetachTimeout?: string;
      /** v1beta1's spelling of deletion.nodeDeletionTimeoutSeconds */
      readonly nodeDeletionTimeout?: string;
    };
  };
  /** How machines follow the template. */
  readonly rollout?: {
    /** Machines older than this are replaced once it has passed. */
    readonly after?: string;
    readonly strategy?: {
      readonly type?: 'RollingUpdate' | 'OnDelete';
      readonly rollingUpdate?: {
        readonly maxSurge?: number | string;
        readonly maxUnavailable?: number | string;
        /** v1beta1's place of deletion.order. */
        readonly deletePolicy?: 'Random' | 'Newest' | 'Oldest';
      };
    };
  };
  /** v1beta1's place of rollout.strategy */
  readonly strategy?: {
    readonly type?: 'RollingUpdate' | 'OnDelete';
    readonly rollingUpdate?: {
      readonly maxSurge?: number | string;
      readonly maxUnavailable?: number | string;
      /** v1beta1's place of deletion.order. */
      readonly deletePolicy?: 'Random' | 'Newest' | 'Oldest';
    };
  };
  readonly deletion?: {
    /** Which machines go first when there are too many. */
    readonly order?: 'Random' | 'Newest' | 'Oldest';
  };
}

export interface MachineDeploymentStatus {
  /** What holds of this object and what it waits for. */
  readonly conditions?: readonly Condition[];
  readonly observedGeneration?: number;
  /** The selector as text for the scale subresource. */
  readonly selector?: string;
  readonly replicas?: number;
  readonly readyReplicas?: number;
  readonly availableReplicas?: number;
  readonly upToDateReplicas?: number;
  readonly phase?: string;
}

/** Machines that follow a template as it changes. */
export interface MachineDeployment extends KubeObject {
  readonly spec: MachineDeploymentSpec;
  readonly status?: MachineDeploymentStatus;
}

export const MachineDeployment = kindOf<MachineDeployment>(
  'cluster.x-k8s.io/v1beta2',
  'MachineDeployment',
  'machinedeployments',
  'Namespaced',
);
