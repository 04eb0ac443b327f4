// Whether an object of a UID is gone: its DELETED event came to this process, or one live read says so (safe-1).

import type { Ref } from './api.ts';
import type { Informer } from './cache.ts';
import type { KubeWorld } from './controller.ts';
import type { Kind } from './kind.ts';
import type { KubeObject } from './object.ts';

/** UIDs kept per kind. One that was forgotten only costs a live read. */
const MOST_KEPT = 50_000;

type Seen = ReadonlySet<string>;

const seen = new WeakMap<Informer<KubeObject>, Seen>();

/** Begins to note which objects of this kind go: called when a controller starts. The same cache twice is noted once. */
export function noteDepartures(kind: Kind, { caches }: Pick<KubeWorld, 'caches'>): Seen {
  const informer = caches.of(kind);
  const before = seen.get(informer);
  if (before !== undefined) return before;
  const uids = new Set<string>();
  informer.onChange(({ type, object: { metadata } }) => {
    if (type !== 'deleted' || metadata.uid === undefined) return;
    uids.add(metadata.uid);
    const [oldest] = uids;
    if (uids.size > MOST_KEPT && oldest !== undefined) uids.delete(oldest);
  });
  seen.set(informer, uids);
  return uids;
}

/** Whether what `ref` means is gone. Without a UID any object of that name counts. Throws when nobody can tell. */
export async function isGone(ref: Ref, world: Pick<KubeWorld, 'api' | 'caches'>): Promise<boolean> {
  const { kind, uid } = ref;
  const isIt = (object: KubeObject): boolean => uid === undefined || object.metadata.uid === uid;
  const cached = world.caches.of(kind).get(ref);
  if (cached !== undefined && isIt(cached)) return false;
  if (uid !== undefined && noteDepartures(kind, world).has(uid)) return true;
  const live = await world.api.find(kind, ref);
  return live === undefined || !isIt(live);
}
