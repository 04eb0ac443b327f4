// How long a Pod may stay on a Node with NoExecute taints: for ever, for a while, or not at all (builtin-14).

import { millisOf, minutes, seconds } from '../../base/clock.ts';
import type { Taint } from '../../kube/core/node.ts';
import type { Toleration } from '../../kube/core/pod.ts';
import { tolerates } from '../tolerations.ts';

/** What every Pod tolerates for five minutes unless it says otherwise: Kubernetes adds this at admission. */
const BY_DEFAULT: readonly Toleration[] = ['node.kubernetes.io/not-ready', 'node.kubernetes.io/unreachable'].map(
  key => ({
    key,
    operator: 'Exists',
    effect: 'NoExecute',
    tolerationSeconds: minutes(5) / seconds(1),
  }),
);

/** When the Pod must go, in wall-clock milliseconds; undefined when never. */
export function evictionTime(
  taints: readonly Taint[],
  tolerations: readonly Toleration[],
  firstSeenMs: (taint: Taint) => number,
): number | undefined {
  const times = taints
    .filter(taint => taint.effect === 'NoExecute')
    .flatMap(taint => {
      const seconds = toleratedSeconds(taint, tolerations);
      return seconds === undefined ? [] : [sinceMs(taint, firstSeenMs) + seconds * 1000];
    });
  return times.length === 0 ? undefined : Math.min(...times);
}

/** Undefined: for ever. 0: not at all. Of several tolerations that fit, the shortest counts. */
function toleratedSeconds(taint: Taint, tolerations: readonly Toleration[]): number | undefined {
  const own = tolerations.filter(toleration => tolerates(toleration, taint));
  const fitting = own.length > 0 ? own : BY_DEFAULT.filter(toleration => tolerates(toleration, taint));
  if (fitting.length === 0) return 0;
  const limits = fitting.flatMap(({ tolerationSeconds }) =>
    tolerationSeconds === undefined ? [] : [tolerationSeconds],
  );
  return limits.length === 0 ? undefined : Math.max(0, Math.min(...limits));
}

function sinceMs(taint: Taint, firstSeenMs: (taint: Taint) => number): number {
  const added = millisOf(taint.timeAdded);
  return Number.isNaN(added) ? firstSeenMs(taint) : added;
}
