// How long an object has waited for what comes by itself: a wait that lasts is told, a turn that came late is not.

import { minutes } from '../base/clock.ts';
import type { Caches } from '../kube/cache.ts';
import type { KubeWorld } from '../kube/controller.ts';
import { type KubeObject, keyOf, keyText, type ObjectKey } from '../kube/object.ts';

/**
 * Counted from when the wait was first met: with thousands of objects made at once, minutes may go by before each has
 * its turn, and to tell them all that they wait would cost more writes than what they wait for.
 */
const PATIENCE_MS = minutes(1);

interface Waiting {
  readonly uid: string | undefined;
  readonly sinceMs: number;
}

type WaitWorld = Pick<KubeWorld, 'caches' | 'clock'>;

/** Bounded by the objects that wait. */
const waits = new WeakMap<Caches, Map<string, Waiting>>();

/** Whether this object, in the eyes of this controller, has done nothing but wait for a minute. */
export function hasWaitedLong(controller: string, object: KubeObject, world: WaitWorld): boolean {
  const { uid } = object.metadata;
  const known = waitsIn(world);
  const name = nameOf(controller, keyOf(object));
  const nowMs = world.clock.monotonic();
  const before = known.get(name);
  if (before !== undefined && before.uid === uid) return nowMs - before.sinceMs >= PATIENCE_MS;
  known.set(name, { uid, sinceMs: nowMs });
  return false;
}

/** It waits no more, or is gone. */
export function forgetWait(controller: string, key: ObjectKey, world: WaitWorld): void {
  waitsIn(world).delete(nameOf(controller, key));
}

const nameOf = (controller: string, key: ObjectKey): string => `${controller} ${keyText(key)}`;

function waitsIn({ caches }: WaitWorld): Map<string, Waiting> {
  const before = waits.get(caches);
  if (before !== undefined) return before;
  const fresh = new Map<string, Waiting>();
  waits.set(caches, fresh);
  return fresh;
}
