// Ends a Pod that nobody will end: marked Failed with the reason unless it has ended, then deleted at once.

import type { KubeWorld } from '../../kube/controller.ts';
import { isTerminal, Pod } from '../../kube/core/pod.ts';
import { isNotFound } from '../../kube/errors.ts';
import { type Condition, keyOf } from '../../kube/object.ts';
import { mergeConditions } from '../conditions.ts';

/** Why the Pod ends, for its DisruptionTarget condition. */
export interface Disruption {
  readonly reason: string;
  readonly message: string;
}

/** The kinds of end there are for Pods on Nodes that do not answer. */
export const NODE_GONE: Disruption = { reason: 'DeletionByPodGC', message: 'PodGC: node no longer exists' };
export const OUT_OF_SERVICE: Disruption = {
  reason: 'DeletionByPodGC',
  message: 'PodGC: node is tainted out of service',
};

/** Nothing would change: it has ended and is to go at once, only finalizers hold it. */
export const isEnded = (pod: Pod): boolean =>
  isTerminal(pod) && pod.metadata.deletionTimestamp !== undefined && pod.metadata.deletionGracePeriodSeconds === 0;

export async function endPod(pod: Pod, disruption: Disruption | undefined, world: KubeWorld): Promise<void> {
  const { uid } = pod.metadata;
  try {
    if (!isTerminal(pod)) await markFailed(pod, disruption, world);
    await world.api.delete(Pod, keyOf(pod), { graceSeconds: 0, ...(uid === undefined ? {} : { uid }) });
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}

async function markFailed(pod: Pod, disruption: Disruption | undefined, world: KubeWorld): Promise<void> {
  const target = disruption === undefined ? [] : [{ type: 'DisruptionTarget', status: 'True', ...disruption } as const];
  const before: readonly Condition[] = pod.status?.conditions ?? [];
  const conditions = mergeConditions(before, target, world.clock.now()) ?? before;
  const { uid, resourceVersion } = pod.metadata;
  const body = { metadata: { uid, resourceVersion }, status: { phase: 'Failed', conditions } };
  await world.api.patch(Pod, keyOf(pod), body, { subresource: 'status' });
}
