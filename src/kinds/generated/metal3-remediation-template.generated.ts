// Generated from src/kinds/crds/infrastructure.cluster.x-k8s.io_metal3remediationtemplates.yaml by `npm run generate`. Changes made here are lost.

import { kindOf } from '../../kube/kind.ts';
import type { KubeObject } from '../../kube/object.ts';

export interface Metal3RemediationTemplateSpec {
  readonly template: {
    readonly spec: {
      readonly strategy?: {
        readonly retryLimit?: number;
        readonly timeoutSeconds?: number;
        readonly type?: 'Reboot';
      };
    };
  };
}

export interface Metal3RemediationTemplateStatus {
  readonly status?: {
    readonly lastRemediated?: string;
    readonly phase?: 'Running' | 'Waiting' | 'Deleting machine' | 'Failed';
    readonly retryCount?: number;
  };
}

/** What Metal3Remediations are made from. */
export interface Metal3RemediationTemplate extends KubeObject {
  readonly spec?: Metal3RemediationTemplateSpec;
  readonly status?: Metal3RemediationTemplateStatus;
}

export const Metal3RemediationTemplate = kindOf<Metal3RemediationTemplate>(
  'infrastructure.cluster.x-k8s.io/v1beta2',
  'Metal3RemediationTemplate',
  'metal3remediationtemplates',
  'Namespaced',
);
