// One process at a time has the API's file. Kept beside the file, so that a backup can read it meanwhile.

import { closeSync, openSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { storeError } from './errors.ts';

export interface FileLock {
  release(): void;
}

/** Takes the lock, or throws that another process holds it. The system lets go of it when this process ends, however it ends. */
export function lockFile(file: string): FileLock {
  const path = `${file}-lock`;
  try {
    closeSync(openSync(path, 'a', 0o600));
    // An empty file is an empty database to SQLite, whose locks work the same on every system and between threads.
    const db = new DatabaseSync(path, { timeout: 0 });
    try {
      db.exec('PRAGMA journal_mode = MEMORY; PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
    } catch (error) {
      db.close();
      throw error;
    }
    return { release: () => db.close() };
  } catch (error) {
    throw storeError(file, error);
  }
}
