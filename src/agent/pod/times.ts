// Times out of objects, with a fallback where there is none.

import { millisOf } from '../../base/clock.ts';

/** Milliseconds of a Kubernetes time; `fallback` when it is absent or unreadable. */
export function kubeTimeOr(time: string | undefined, fallback: number): number {
  const ms = millisOf(time);
  return Number.isFinite(ms) ? ms : fallback;
}
