// What the owners of an object allow: whether it lives on, loses references, or goes (builtin-5).

import type { KubeObject, OwnerReference } from '../../kube/object.ts';

export const FOREGROUND = 'foregroundDeletion';
export const ORPHAN = 'orphan';

/**
 * How one owner stands to a dependent. `solid` keeps it; `absent` was proved by a live read; `waiting` is itself
 * being deleted in the foreground; `unresolved` cannot be looked up (kind not served, wrong scope) and so keeps it too.
 */
export type Standing = 'solid' | 'absent' | 'waiting' | 'unresolved';

export interface Owner {
  readonly reference: OwnerReference;
  readonly standing: Standing;
}

export type Propagation = 'Background' | 'Foreground' | 'Orphan';

export type Verdict =
  | { readonly act: 'keep' }
  /** Some owner keeps it: the references to those that do not are taken off. */
  | { readonly act: 'dropReferences'; readonly uids: readonly string[] }
  | { readonly act: 'delete'; readonly propagation: Propagation; readonly unblockOwners: readonly string[] };

export const isDeletingDependents = (object: KubeObject): boolean =>
  object.metadata.deletionTimestamp !== undefined && (object.metadata.finalizers?.includes(FOREGROUND) ?? false);

export const isOrphaning = (object: KubeObject): boolean =>
  object.metadata.deletionTimestamp !== undefined && (object.metadata.finalizers?.includes(ORPHAN) ?? false);

/** What becomes of an object that is not deleting, by the standing of its owners. */
export function verdictOn(object: KubeObject, owners: readonly Owner[], dependents: readonly KubeObject[]): Verdict {
  const uidsOf = (standing: Standing): readonly string[] =>
    owners.filter(owner => owner.standing === standing).map(owner => owner.reference.uid);
  const gone = uidsOf('absent');
  const waiting = uidsOf('waiting');
  if (owners.length === 0) return { act: 'keep' };
  if (gone.length + waiting.length < owners.length) {
    const uids = uidsOf('solid').length > 0 ? [...gone, ...waiting] : [];
    return uids.length > 0 ? { act: 'dropReferences', uids } : { act: 'keep' };
  }
  if (waiting.length > 0 && dependents.length > 0) {
    // Two objects that wait for each other in the foreground would wait for ever: the circle is opened here.
    const unblockOwners = dependents.some(isDeletingDependents) ? waiting : [];
    return { act: 'delete', propagation: 'Foreground', unblockOwners };
  }
  return { act: 'delete', propagation: ownPropagation(object), unblockOwners: [] };
}

/** What its finalizers ask for, when it goes because of its owners. */
function ownPropagation(object: KubeObject): Propagation {
  const finalizers = object.metadata.finalizers ?? [];
  if (finalizers.includes(ORPHAN)) return 'Orphan';
  return finalizers.includes(FOREGROUND) ? 'Foreground' : 'Background';
}

/** The dependents that hold up the foreground deletion of `owner`. */
export function blockingDependents(owner: KubeObject, dependents: readonly KubeObject[]): readonly KubeObject[] {
  return dependents.filter(dependent =>
    dependent.metadata.ownerReferences?.some(
      reference => reference.uid === owner.metadata.uid && reference.blockOwnerDeletion === true,
    ),
  );
}
