// What a write that found nothing is worth: no proof that its object is gone, and a reason to look again (safe-1).

import { defineError } from '../base/errors.ts';
import { isNotFound } from './errors.ts';
import type { Kind } from './kind.ts';
import { type KubeObject, keyOf, keyText } from './object.ts';

const perhapsGone = defineError('PIPPIN_E_PERHAPS_GONE', {
  retry: 'conflict',
  remedy: 'Nothing: it is looked at again at once',
  says: (kind: string, key: string) => `${kind} ${key} was not found when it was written; the cache still has it`,
});

/**
 * Answers what the write answers. An object that a wrong NotFound hid would never be looked at again: the pass begins
 * anew, and ends once the cache shows the object gone, too.
 */
export async function unprovenGone<T>(kind: Kind, object: KubeObject, write: Promise<T>): Promise<T> {
  try {
    return await write;
  } catch (error) {
    throw isNotFound(error) ? perhapsGone.causedBy(error, kind.kind, keyText(keyOf(object))) : error;
  }
}
