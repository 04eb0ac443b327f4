// Whether all addresses are known, those of Cluster API's kind too where it is served: before that none is given out.

import { seconds } from '../../base/clock.ts';
import type { Informer } from '../../kube/cache.ts';
import { type Kind, resourceName } from '../../kube/kind.ts';
import type { KubeObject } from '../../kube/object.ts';
import { capi } from '../claim/capi.ts';
import type { IpamWorld } from '../world.ts';
import { type Books, books } from './books.ts';

const PATIENCE_MS = seconds(5);

const KINDS: readonly Kind[] = [capi.claim, capi.address];

/** Answered once: a kind that comes later is followed from then on, when its controller starts. */
const answers = new WeakMap<Books, Promise<boolean>>();

/**
 * Which kinds have not been read yet; none when all is known. Otherwise one address could be given to both kinds (ipam-g6).
 * Throws when the server does not say whether it serves them.
 */
export async function unreadKinds(world: IpamWorld): Promise<readonly string[]> {
  const known = books(world);
  if (!isFollowed(known) && (await areServed(known, world))) known.include(capi);
  const followed = isFollowed(known) ? KINDS : [];
  const unread = followed.map(kind => world.caches.of(kind)).filter(({ synced }) => !synced);
  if (unread.length > 0) await patiently(unread, world);
  return unread.filter(({ synced }) => !synced).map(({ kind }) => resourceName(kind));
}

const isFollowed = (known: Books): boolean => [...known.followed()].some(({ claim }) => claim === capi.claim);

function areServed(known: Books, { api }: IpamWorld): Promise<boolean> {
  const before = answers.get(known);
  if (before !== undefined) return before;
  const answer = Promise.all(KINDS.map(kind => api.serves(kind))).then(served => served.every(Boolean));
  answers.set(known, answer);
  answer.catch(() => answers.delete(known));
  return answer;
}

/** At the start the lists are on their way: a moment's patience spares each claim a wait. */
async function patiently(unread: readonly Informer<KubeObject>[], { clock }: IpamWorld): Promise<void> {
  const giveUp = new AbortController();
  const cancel = clock.after(PATIENCE_MS, () => giveUp.abort(new Error('not read in time')));
  await Promise.all(unread.map(each => each.whenSynced(giveUp.signal))).catch(() => undefined);
  cancel();
}
