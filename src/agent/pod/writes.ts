// The agent's writes to a Pod. All go through pods/status: that is what a Node may write of its own Pods, and no other's (safe-18).

import { isDeepStrictEqual } from 'node:util';
import { HOST_ID, NODE_UID, VM_CLEANUP } from '../../kinds/wire.ts';
import { Pod, type PodStatus } from '../../kube/core/pod.ts';
import { isNotFound } from '../../kube/errors.ts';
import { annotationOf, hasFinalizer, keyOf } from '../../kube/object.ts';
import type { AgentWorld } from '../world.ts';

/** Publishes the status when it differs. The resourceVersion is the lock. Answers the Pod as it is then. */
export async function publish(pod: Pod, status: PodStatus, { api }: AgentWorld): Promise<Pod> {
  return isDeepStrictEqual(pod.status, status) ? pod : api.update(Pod, { ...pod, status }, 'status');
}

/** Whether finalizer and stamps are on, so that the first outside write may happen. */
export const isProtected = (pod: Pod, hostId: string): boolean =>
  hasFinalizer(pod, VM_CLEANUP) && annotationOf(pod, HOST_ID) === hostId;

/** Finalizer and stamps in one write, before anything is made for the Pod (safe-7). */
export async function protect(pod: Pod, nodeUid: string, { api, self }: AgentWorld): Promise<Pod> {
  const finalizers = [...new Set([...(pod.metadata.finalizers ?? []), VM_CLEANUP])];
  const annotations = { ...pod.metadata.annotations, [HOST_ID]: self.hostId, [NODE_UID]: nodeUid };
  return api.update(Pod, { ...pod, metadata: { ...pod.metadata, finalizers, annotations } }, 'status');
}

/**
 * Lets a deleting Pod go, its VM being gone: first the deletion without grace, then our finalizer. In this order the
 * Pod never stands without a finalizer waiting for its grace to end, and it leaves in one step (agent-2, agent-4).
 */
export async function letGo(pod: Pod, { api }: AgentWorld): Promise<void> {
  const { uid } = pod.metadata;
  try {
    await api.delete(Pod, keyOf(pod), { graceSeconds: 0, ...(uid === undefined ? {} : { uid }) });
  } catch (error) {
    if (isNotFound(error)) return;
    throw error;
  }
  if (!hasFinalizer(pod, VM_CLEANUP)) return;
  const live = await api.find(Pod, keyOf(pod));
  if (live === undefined || live.metadata.uid !== uid) return;
  const finalizers = (live.metadata.finalizers ?? []).filter(finalizer => finalizer !== VM_CLEANUP);
  await api.update(Pod, { ...live, metadata: { ...live.metadata, finalizers } }, 'status');
}
