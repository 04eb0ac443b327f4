// Generated from src/kinds/crds/machinehealthchecks.cluster.x-k8s.io.yaml by `npm run generate`. Changes made here are lost.

import { kindOf } from '../../kube/kind.ts';
import type { Condition, KubeObject } from '../../kube/object.ts';

export interface MachineHealthCheckSpec {
  readonly clusterName: string;
  /** Which machines belong to this object. */
  readonly selector?: {
    readonly matchLabels?: Readonly<Record<string, string>>;
    readonly matchExpressions?: readonly {
      readonly key: string;
      readonly operator: string;
      readonly values?: readonly string[];
    }[];
  };
  readonly checks?: {
    /** A machine without Node after this time is unhealthy; 600 when absent; 0 turns it off. */
    readonly nodeStartupTimeoutSeconds?: number;
    readonly unhealthyNodeConditions?: readonly {
      readonly type: string;
      readonly status: string;
      readonly timeoutSeconds: number;
    }[];
  };
  readonly remediation?: {
    /** Unhealthy machines get an object made from this template, which has them repaired. */
    readonly templateRef?: {
      readonly apiVersion: string;
      readonly kind: string;
      readonly name: string;
    };
    readonly triggerIf?: {
      /** Nothing is replaced while more than this are unhealthy. */
      readonly unhealthyLessThanOrEqualTo?: number | string;
      /** Replace only while the number is in this range, as [3-5]. */
      readonly unhealthyInRange?: string;
    };
  };
  /** v1beta1's spelling of checks.unhealthyNodeConditions */
  readonly unhealthyConditions?: readonly {
    readonly type: string;
    readonly status: string;
    readonly timeout: string;
  }[];
  /** v1beta1's spelling of remediation.triggerIf.unhealthyLessThanOrEqualTo. */
  readonly maxUnhealthy?: number | string;
  /** v1beta1's spelling of remediation.triggerIf.unhealthyInRange. */
  readonly unhealthyRange?: string;
  /** v1beta1's spelling of remediation.templateRef. */
  readonly remediationTemplate?: {
    readonly apiVersion?: string;
    readonly kind: string;
    readonly name: string;
    readonly namespace?: string;
  };
  /** v1beta1's spelling of checks.nodeStartupTimeoutSeconds. */
  readonly nodeStartupTimeout?: string;
}

export interface MachineHealthCheckStatus {
  /** What holds of this object and what it waits for. */
  readonly conditions?: readonly Condition[];
  readonly observedGeneration?: number;
  readonly expectedMachines?: number;
  readonly currentHealthy?: number;
  readonly remediationsAllowed?: number;
  readonly targets?: readonly string[];
}

/** Which machines count as unhealthy and are replaced. */
export interface MachineHealthCheck extends KubeObject {
  readonly spec: MachineHealthCheckSpec;
  readonly status?: MachineHealthCheckStatus;
}

export const MachineHealthCheck = kindOf<MachineHealthCheck>(
  'cluster.x-k8s.io/v1beta2',
  'MachineHealthCheck',
  'machinehealthchecks',
  'Namespaced',
);
