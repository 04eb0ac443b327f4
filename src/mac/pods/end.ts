// How a Pod of a released host ends: Failed, deleted with grace 0, and only then without its finalizer (safe-14).

import { type Clock, kubeTime } from '../../base/clock.ts';
import type { Api } from '../../kube/api.ts';
import { isTerminal, Pod } from '../../kube/core/pod.ts';
import { isConflict, isNotFound } from '../../kube/errors.ts';
import { type Condition, keyOf } from '../../kube/object.ts';

interface EndWorld {
  readonly api: Api;
  readonly clock: Clock;
}

/**
 * Fails and deletes the Pod; it stays as long as it has finalizers. Repeats safely.
 * Answers the Pod as it is now, or undefined when it is gone or another Pod has its name.
 */
export async function endPod(pod: Pod, world: EndWorld): Promise<Pod | undefined> {
  const key = keyOf(pod);
  const live = await world.api.find(Pod, key);
  if (live === undefined || live.metadata.uid !== pod.metadata.uid) return undefined;
  if (!isTerminal(live)) await world.api.patch(Pod, key, failure(live, world.clock), { subresource: 'status' });
  if (!(await deleteNow(live, world.api))) return undefined;
  const now = await world.api.find(Pod, key);
  return now?.metadata.uid === pod.metadata.uid ? now : undefined;
}

/** The status patch; the resourceVersion holds it to the Pod that was read. */
function failure(pod: Pod, clock: Clock): unknown {
  const disruption: Condition = {
    type: 'DisruptionTarget',
    status: 'True',
    reason: 'HostReleased',
    message: 'The Mac that ran this Pod was released and wiped, or is gone',
    lastTransitionTime: kubeTime(clock.now()),
  };
  const others = pod.status?.conditions?.filter(each => each.type !== disruption.type) ?? [];
  return {
    metadata: { uid: pod.metadata.uid, resourceVersion: pod.metadata.resourceVersion },
    status: { phase: 'Failed', reason: 'HostReleased', conditions: [...others, disruption] },
  };
}

/** Grace 0 with the UID as precondition. False when there is nothing of this UID any more. */
async function deleteNow(pod: Pod, api: Api): Promise<boolean> {
  const { uid } = pod.metadata;
  try {
    await api.delete(Pod, keyOf(pod), { graceSeconds: 0, ...(uid === undefined ? {} : { uid }) });
    return true;
  } catch (error) {
    if (isNotFound(error)) return false;
    if (!isConflict(error)) throw error;
    return false;
  }
}
