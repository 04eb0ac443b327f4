// A data folder whose store was removed: named, because a server that started anew there would look like one that lost nothing (api-21).

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { markFileOf } from '../adapters/sqlite/mark.ts';
import { restoredDraftOf } from '../adapters/sqlite/open-file.ts';
import { defineError } from '../base/errors.ts';

const storeGone = defineError('PIPPIN_E_STORE_GONE', {
  retry: 'never',
  remedy:
    'Put a backup in its place with `pippin apiserver restore FILE --replace`, or move the folder away to start empty; nothing was changed',
  says: (store: string, left: string) => `The API's file ${store} is gone, although ${left} is there`,
});

/** Keys and kubeconfig are made once the store is on disk: never without one. */
const MADE_AFTER = [
  'kubeconfig',
  ...['ca.key', 'ca.crt', 'sa.key', 'sa.pub', 'admin.token'].map(name => join('pki', name)),
];

/** Whether the store may be made. Where a part of it is left, its opening says what is wrong. */
export function refuseLostStore(dataDir: string): void {
  const store = join(dataDir, 'api.db');
  if ([store, markFileOf(store), restoredDraftOf(store)].some(file => existsSync(file))) return;
  const left = MADE_AFTER.map(name => join(dataDir, name)).find(file => existsSync(file));
  if (left !== undefined) throw storeGone(store, left);
}
