// Puts finalizers on and takes them off, locked to the object that was read: a writer in between ends in a Conflict.

import type { Api } from './api.ts';
import type { Kind } from './kind.ts';
import { hasFinalizer, isDeleting, type KubeObject, keyOf } from './object.ts';
import { unprovenGone } from './perhaps-gone.ts';

/** The object with these changes to its metadata, nothing else being changed meanwhile. */
export function patchMetadata<T extends KubeObject>(
  api: Api,
  kind: Kind<T>,
  object: T,
  metadata: Readonly<Record<string, unknown>>,
): Promise<T> {
  const { uid, resourceVersion } = object.metadata;
  return api.patch(kind, keyOf(object), { metadata: { ...metadata, uid, resourceVersion } });
}

/** Answers the object that bears the finalizer. */
export async function putOn<T extends KubeObject>(api: Api, kind: Kind<T>, object: T, finalizer: string): Promise<T> {
  if (hasFinalizer(object, finalizer)) return object;
  return patchMetadata(api, kind, object, { finalizers: [...(object.metadata.finalizers ?? []), finalizer] });
}

const COLLECTORS: readonly string[] = ['foregroundDeletion', 'orphan'];

/** Finalizers besides the garbage collector's: that one uses nothing, it only waits for the object's dependents. */
export const usersOf = ({ metadata }: KubeObject): readonly string[] =>
  (metadata.finalizers ?? []).filter(finalizer => !COLLECTORS.includes(finalizer));

/** Takes these finalizers off, in one write. */
export async function takeOff(api: Api, kind: Kind, object: KubeObject, ...ours: readonly string[]): Promise<void> {
  if (!ours.some(finalizer => hasFinalizer(object, finalizer))) return;
  const finalizers = (object.metadata.finalizers ?? []).filter(each => !ours.includes(each));
  await unprovenGone(kind, object, patchMetadata(api, kind, object, { finalizers }));
}

/**
 * Deletes this object and no other of its name. A Conflict says that it was written to, is gone, or is another's by now:
 * the pass begins anew on a cache that shows which, and nothing is read live for it.
 */
export async function remove(api: Api, kind: Kind, object: KubeObject): Promise<void> {
  if (isDeleting(object)) return;
  const { uid } = object.metadata;
  await unprovenGone(kind, object, api.delete(kind, keyOf(object), uid === undefined ? {} : { uid }));
}

/** Takes one finalizer off and deletes the object: both can be repeated, in this order (section 8, release). */
export async function letGo(api: Api, kind: Kind, object: KubeObject, finalizer: string): Promise<void> {
  await takeOff(api, kind, object, finalizer);
  await remove(api, kind, object);
}
