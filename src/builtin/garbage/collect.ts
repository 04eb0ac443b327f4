// One look at one object: the finalizers of foreground and orphan deletion are served, and what no owner keeps is deleted.

import type { KubeWorld } from '../../kube/controller.ts';
import { isConflict, isNotFound } from '../../kube/errors.ts';
import { type KubeObject, keyOf } from '../../kube/object.ts';
import type { Content, Found } from '../served/content.ts';
import { blockingDependents, FOREGROUND, isDeletingDependents, isOrphaning, ORPHAN, verdictOn } from './owners.ts';
import { ownersOf } from './standing.ts';

export interface Collection {
  readonly world: KubeWorld;
  readonly content: Content;
}

/** What the look came to. `incomplete`: a decision needs a view of everything and there is none yet (safe-3). */
export type Looked = 'settled' | 'incomplete';

/** Looks at one object. Throws what the API throws, but for a conflict or an absence, which a later look sorts out. */
export async function collect(found: Found, on: Collection): Promise<Looked> {
  const live = await on.world.api.find(found.kind, keyOf(found.object));
  if (live === undefined || live.metadata.uid !== found.object.metadata.uid) return 'settled';

  const current = { kind: found.kind, object: live };
  if (isOrphaning(live)) return orphanDependents(current, on);
  if (isDeletingDependents(live)) return finishForeground(current, on);
  if (live.metadata.deletionTimestamp !== undefined) return 'settled';
  return judge(current, on);
}

async function judge(found: Found, on: Collection): Promise<Looked> {
  const { object } = found;
  const owners = await ownersOf(found, on.content, on.world.api);
  const dependents = on.content.dependentsOf(object.metadata.uid ?? '').map(dependent => dependent.object);
  const verdict = verdictOn(object, owners, dependents);
  if (verdict.act === 'keep') return 'settled';
  if (verdict.act === 'dropReferences') {
    await dropReferences(found, verdict.uids, on);
    return 'settled';
  }
  if (verdict.unblockOwners.length > 0) await unblock(found, verdict.unblockOwners, on);
  const { uid, resourceVersion } = object.metadata;
  await on.world.api.delete(found.kind, keyOf(object), {
    propagation: verdict.propagation,
    ...(uid === undefined ? {} : { uid }),
    // Owner references may have been added since: only what was judged is deleted. Unblocking has just changed it.
    ...(resourceVersion === undefined || verdict.unblockOwners.length > 0 ? {} : { resourceVersion }),
  });
  return 'settled';
}

/** The owner's own finalizer goes once no dependent blocks it; until then its dependents are looked at by themselves. */
async function finishForeground(found: Found, on: Collection): Promise<Looked> {
  if (!on.content.isComplete()) return 'incomplete';
  const dependents = on.content.dependentsOf(found.object.metadata.uid ?? '').map(dependent => dependent.object);
  if (blockingDependents(found.object, dependents).length > 0) return 'settled';
  await removeFinalizer(found, FOREGROUND, on);
  return 'settled';
}

/** Every dependent is let go before the finalizer is: one that was missed would be collected as garbage. So: live lists. */
async function orphanDependents(found: Found, on: Collection): Promise<Looked> {
  if (!on.content.isComplete()) return 'incomplete';
  const uid = found.object.metadata.uid ?? '';
  const { namespace } = found.object.metadata;
  for (const kind of on.content.kinds()) {
    if (namespace !== undefined && !kind.namespaced) continue;
    const { items } = await on.world.api.list<KubeObject>(kind, namespace === undefined ? {} : { namespace });
    for (const object of items.filter(item => item.metadata.ownerReferences?.some(owner => owner.uid === uid))) {
      await ignoringGone(() => dropReferences({ kind, object }, [uid], on));
    }
  }
  await removeFinalizer(found, ORPHAN, on);
  return 'settled';
}

async function dropReferences(found: Found, uids: readonly string[], on: Collection): Promise<void> {
  const rest = found.object.metadata.ownerReferences?.filter(owner => !uids.includes(owner.uid)) ?? [];
  await patchLocked(found, { ownerReferences: rest }, on);
}

async function unblock(found: Found, uids: readonly string[], on: Collection): Promise<void> {
  const ownerReferences = found.object.metadata.ownerReferences?.map(owner =>
    uids.includes(owner.uid) ? { ...owner, blockOwnerDeletion: false } : owner,
  );
  await patchLocked(found, { ownerReferences }, on);
}

async function removeFinalizer(found: Found, finalizer: string, on: Collection): Promise<void> {
  const finalizers = found.object.metadata.finalizers?.filter(name => name !== finalizer) ?? [];
  await ignoringGone(() => patchLocked(found, { finalizers }, on));
}

/** Writes lists whole, so the version that was read is the lock. */
async function patchLocked(found: Found, metadata: Readonly<Record<string, unknown>>, on: Collection): Promise<void> {
  const { uid, resourceVersion } = found.object.metadata;
  const body = { metadata: { ...metadata, uid, resourceVersion } };
  await on.world.api.patch(found.kind, keyOf(found.object), body);
}

async function ignoringGone(write: () => Promise<void>): Promise<void> {
  try {
    await write();
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}

/** Whether a failed look is only out of date: somebody else wrote or deleted first. */
export const isOutOfDate = (error: unknown): boolean => isConflict(error) || isNotFound(error);
