// The API's store on disk: SQLite as a journal of changes, durable before anything is acknowledged.

import { JournaledStore } from '../../apiserver/store/journal.ts';
import type { HistoryBounds, Store } from '../../apiserver/store.ts';
import { storeError } from './errors.ts';
import { SqliteJournal } from './journal.ts';
import { lockFile } from './lock.ts';
import { Mark } from './mark.ts';
import { openFile } from './open-file.ts';

export interface SqliteStoreOptions {
  readonly history?: HistoryBounds;
  /** Called when a write could not be made durable: the store takes no more, and its process must start again (api-3). */
  readonly onFailure?: (error: Error) => void;
}

/** Opens the file, or creates it; one process at a time holds it. */
export function sqliteStore(file: string, { history, onFailure = () => undefined }: SqliteStoreOptions = {}): Store {
  const lock = lockFile(file);
  try {
    const { db, state, recovered } = openFile(file);
    const release = (): void => lock.release();
    const journal = new SqliteJournal({ file, db, state, mark: new Mark(file), release, onFailure });
    return new JournaledStore(journal, recovered, history);
  } catch (error) {
    lock.release();
    throw storeError(file, error);
  }
}
