// What a cluster has from its first start besides namespaces and roles: the priorities of Pods and of requests.

import type { JsonObject } from '../parts.ts';
import { standingFlow } from './standing-flow.ts';

const systemPriority = (name: string, value: number, why: string): JsonObject => ({
  apiVersion: 'scheduling.k8s.io/v1',
  kind: 'PriorityClass',
  metadata: { name },
  value,
  description: why,
  preemptionPolicy: 'PreemptLowerPriority',
});

export const standingObjects: readonly JsonObject[] = [
  systemPriority('system-cluster-critical', 2_000_000_000, 'What the cluster cannot do without'),
  systemPriority('system-node-critical', 2_000_001_000, 'What a Node cannot do without; before everything else'),
  ...standingFlow,
];
