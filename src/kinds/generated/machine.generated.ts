// Generated from src/kinds/crds/machines.cluster.x-k8s.io.yaml by `npm run generate`. Changes made here are lost.

import { kindOf } from '../../kube/kind.ts';
import type { Condition, KubeObject } from '../../kube/object.ts';

export interface MachineSpec {
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
}

export interface MachineStatus {
  /** What holds of this object and what it waits for. */
  readonly conditions?: readonly Condition[];
  readonly observedGeneration?: number;
  readonly phase?: string;
  readonly lastUpdated?: string;
  readonly initialization?: {
    readonly infrastructureProvisioned?: boolean;
    readonly bootstrapDataSecretCreated?: boolean;
  };
  readonly nodeRef?: {
    readonly name: string;
    readonly kind?: string;
    readonly apiVersion?: string;
    readonly uid?: string;
  };
  /** The Node's own account of itself. */
  readonly nodeInfo?: Readonly<Record<string, string>>;
  readonly failureDomain?: string;
  readonly addresses?: readonly {
    readonly type: string;
    readonly address: string;
  }[];
  /** When the steps of the deletion that have a limit began. */
  readonly deletion?: {
    readonly nodeDrainStartTime?: string;
    readonly waitForNodeVolumeDetachStartTime?: string;
    readonly waitForPreTerminateHookStartTime?: string;
    readonly nodeDeletionStartTime?: string;
  };
}

/** One host and the Node that runs on it. */
export interface Machine extends KubeObject {
  readonly spec: MachineSpec;
  readonly status?: MachineStatus;
}

export const Machine = kindOf<Machine>('cluster.x-k8s.io/v1beta2', 'Machine', 'machines', 'Namespaced');
