// Whether an ended VM starts again, and when: Kubernetes' restart policies and back-off.

import { millisOf, minutes, seconds } from '../../base/clock.ts';
import type { ContainerState, ContainerStatus, Pod } from '../../kube/core/pod.ts';

const FIRST_DELAY_MS = seconds(10);
const LONGEST_DELAY_MS = minutes(5);
/** A VM that lived this long was well: the next failure starts from the shortest delay again. */
const WELL_AFTER_MS = minutes(10);

export function startsAgain(pod: Pod, exitCode: number): boolean {
  const { restartPolicy = 'Always' } = pod.spec;
  return restartPolicy === 'Always' || (restartPolicy === 'OnFailure' && exitCode !== 0);
}

/** How the status says that the next start is held back. */
export const BACK_OFF = 'CrashLoopBackOff';

/** When the VM may start again, by what was published when it ended. */
export function dueMs(status: ContainerStatus): number {
  const ended = status.lastState?.terminated;
  const finishedMs = millisOf(ended?.finishedAt);
  if (status.state?.waiting?.reason !== BACK_OFF || !Number.isFinite(finishedMs)) return 0;
  return finishedMs + delayMs(status.restartCount, livedMs(ended));
}

/** The first restart is immediate; then 10 s, doubling to five minutes. */
function delayMs(restarts: number, lived: number): number {
  if (restarts === 0 || lived >= WELL_AFTER_MS) return 0;
  return Math.min(FIRST_DELAY_MS * 2 ** (restarts - 1), LONGEST_DELAY_MS);
}

function livedMs(ended: ContainerState['terminated']): number {
  const lived = millisOf(ended?.finishedAt) - millisOf(ended?.startedAt);
  return Number.isFinite(lived) ? lived : 0;
}
