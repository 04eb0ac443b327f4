// Writes that somebody else may have made needless: the object changed, or went. Its change causes another look.

import type { Api } from '../kube/api.ts';
import { isConflict, isNotFound } from '../kube/errors.ts';
import type { Kind } from '../kube/kind.ts';
import { type KubeObject, keyOf } from '../kube/object.ts';

/** Whether the write was carried out; false when the object had changed or gone. Any other failure throws. */
export async function unlessOvertaken(write: () => Promise<unknown>): Promise<boolean> {
  try {
    await write();
    return true;
  } catch (error) {
    if (isConflict(error) || isNotFound(error)) return false;
    throw error;
  }
}

/** Deletes this very object, never one of its name that came later. Whether the request was accepted. */
export function deleteThis(kind: Kind, object: KubeObject, api: Api): Promise<boolean> {
  const { uid } = object.metadata;
  return unlessOvertaken(() => api.delete(kind, keyOf(object), uid === undefined ? {} : { uid }));
}
