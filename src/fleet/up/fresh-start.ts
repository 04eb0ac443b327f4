// A start after a stop: what agents said last time is unsaid, so that only what they say now counts as running (up-7).

import type { Clock } from '../../base/clock.ts';
import type { Api } from '../../kube/api.ts';
import { isTrue, withVerdicts } from '../../kube/conditions.ts';
import { Pod } from '../../kube/core/pod.ts';
import { isConflict, isNotFound } from '../../kube/errors.ts';
import { keyOf } from '../../kube/object.ts';

const UNHEARD = {
  type: 'Ready',
  status: 'False',
  reason: 'FleetStarted',
  message: 'The fleet has just been started; the agent of this Pod has not reported yet',
} as const;

/** Pods that were Ready are not until their agent has looked at them again. */
export async function unsayReadiness(api: Api, clock: Clock): Promise<void> {
  const { items } = await api.list(Pod);
  for (const pod of items.filter(each => each.spec.nodeName !== undefined && isTrue(each, 'Ready'))) {
    const conditions = withVerdicts(pod.status?.conditions ?? [], [UNHEARD], clock.now());
    const { uid, resourceVersion } = pod.metadata;
    const body = { metadata: { uid, resourceVersion }, status: { conditions } };
    await api.patch(Pod, keyOf(pod), body, { subresource: 'status' }).catch(unlessSpoken);
  }
}

/** An agent that outlived a kill may have spoken between the list and this write. */
function unlessSpoken(error: unknown): void {
  if (!isConflict(error) && !isNotFound(error)) throw error;
}
