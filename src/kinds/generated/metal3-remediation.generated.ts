// Generated from src/kinds/crds/infrastructure.cluster.x-k8s.io_metal3remediations.yaml by `npm run generate`. Changes made here are lost.

import { kindOf } from '../../kube/kind.ts';
import type { Condition, KubeObject } from '../../kube/object.ts';

export interface Metal3RemediationSpec {
  readonly strategy?: {
    readonly retryLimit?: number;
    readonly timeoutSeconds?: number;
    readonly type?: 'Reboot';
  };
}

export interface Metal3RemediationStatus {
  readonly lastRemediated?: string;
  readonly phase?: 'Running' | 'Waiting' | 'Deleting machine' | 'Failed';
  readonly retryCount?: number;
  /** What holds of this object and what it waits for. */
  readonly conditions?: readonly Condition[];
}

/** The repair of one unhealthy Metal3Machine. */
export interface Metal3Remediation extends KubeObject {
  readonly spec?: Metal3RemediationSpec;
  readonly status?: Metal3RemediationStatus;
}

export const Metal3Remediation = kindOf<Metal3Remediation>(
  'infrastructure.cluster.x-k8s.io/v1beta2',
  'Metal3Remediation',
  'metal3remediations',
  'Namespaced',
);
