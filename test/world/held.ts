// What an API holds when it has been set up and is at rest, for any number of later ones to begin with.

import { type Change, keyInStorage, type Row, type Store } from '../../src/apiserver/store.ts';
import type { Held } from '../../src/apiserver/store-memory.ts';
import { freeze } from '../../src/kube/freeze.ts';

/** Follows an empty store; what it holds is told whenever it is asked for. */
export function holding(store: Store): () => Held {
  const rows = new Map<string, Row>();
  store.onChange(({ type, row }: Change) => {
    const key = `${row.storage} ${keyInStorage(row)}`;
    if (type === 'deleted') rows.delete(key);
    else rows.set(key, row);
  });
  return () => ({ rows: [...rows.values()].map(pinned), revision: store.revision });
}

/** With its object parsed once and for all, so that what others keep beside an object is found again by every store. */
function pinned({ storage, namespace, name, revision, apiVersion, kind, body, object }: Row): Row {
  return { storage, namespace, name, revision, apiVersion, kind, body, object: freeze(object) };
}
