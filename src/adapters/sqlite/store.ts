// The API's store on disk: SQLite as a journal of changes, durable before anything is acknowledged.

import { JournaledStore } from '../../apiserver/store/journal.ts';
import type { HistoryBounds, Store } from '../../apiserver/store.ts';
import { storeError } from './errors.ts';
import { SqliteJournal } from './journal.ts';
import { lockFile } from './lock.ts';
import { Mark } from './mark.ts';
import { openFile } from './open-file.ts';

/** Opens the file, or creates it; one process at a time holds it. */
export function sqliteStore(file: string, history?: HistoryBounds): Store {
  const lock = lockFile(file);
  try {
    const { db, state, recovered } = openFile(file);
    const journal = new SqliteJournal({ db, state, mark: new Mark(file), release: () => lock.release() });
    return new JournaledStore(journal, recovered, history);
  } catch (error) {
    lock.release();
    throw storeError(file, error);
  }
}
