// How often a status that sums up many objects may be written: at most once a second, however many come and go.

import { seconds } from '../base/clock.ts';
import type { Caches } from './cache.ts';
import type { KubeWorld } from './controller.ts';

const APART_MS = seconds(1);

const lastLooks = new WeakMap<Caches, Map<string, number>>();

/** Milliseconds until this object's status may be looked at again; 0 now, which counts as a look. Bounded by `forget`. */
export function untilNextLook(uid: string, { caches, clock }: Pick<KubeWorld, 'caches' | 'clock'>): number {
  const looks = lastLooks.get(caches) ?? new Map<string, number>();
  lastLooks.set(caches, looks);
  const nowMs = clock.monotonic();
  const sinceMs = nowMs - (looks.get(uid) ?? Number.NEGATIVE_INFINITY);
  if (sinceMs < APART_MS) return APART_MS - sinceMs;
  looks.set(uid, nowMs);
  return 0;
}

/** The object is gone. */
export function forgetLooks(uid: string, { caches }: Pick<KubeWorld, 'caches'>): void {
  lastLooks.get(caches)?.delete(uid);
}
