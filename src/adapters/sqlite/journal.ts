// Changes as rows of the file: a group of them is one transaction with one sync, and the file's account goes with it.

import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { Journal } from '../../apiserver/store/journal.ts';
import type { Change } from '../../apiserver/store.ts';
import { messageOf } from '../../base/errors.ts';
import { Damage, storeWriteFailed } from './errors.ts';
import type { Mark } from './mark.ts';
import { addSum, inserter, type StoredChange, storedChange, takeSum } from './stored-change.ts';
import type { State } from './verified.ts';

/** Where the journal writes, and what was there before. */
export interface JournalFile {
  readonly file: string;
  readonly db: DatabaseSync;
  readonly state: State;
  readonly mark: Mark;
  /** Called once the file and its lock are to be let go of. */
  readonly release: () => void;
  /** Called once: what could not be written ends the store, and who serves it is to end too. */
  readonly onFailure: (error: Error) => void;
}

export class SqliteJournal implements Journal {
  readonly #to: JournalFile;
  readonly #insert: (row: StoredChange) => void;
  readonly #forget: StatementSync;
  readonly #account: StatementSync;
  #state: State;

  constructor(to: JournalFile) {
    this.#to = to;
    this.#state = to.state;
    this.#insert = inserter(to.db);
    this.#forget = to.db.prepare('DELETE FROM changes WHERE revision = ? RETURNING sum');
    this.#account = to.db.prepare('UPDATE state SET revision = ?, compacted = ?, count = ?, sum = ?');
  }

  commit(changes: readonly Change[], forgotten: readonly number[], compacted: number): void {
    const { db, mark } = this.#to;
    try {
      db.exec('BEGIN IMMEDIATE');
      const state = this.#written(changes, forgotten, compacted);
      this.#account.run(state.revision, state.compacted, state.count, state.sum);
      db.exec('COMMIT');
      this.#state = state;
      mark.set(state.revision);
    } catch (error) {
      throw this.#failed(error);
    }
  }

  #failed(error: unknown): Error {
    const { file, db, onFailure } = this.#to;
    if (db.isTransaction) db.exec('ROLLBACK');
    const failure = storeWriteFailed.causedBy(error, file, messageOf(error));
    onFailure(failure);
    return failure;
  }

  soon(flush: () => void): void {
    setImmediate(flush);
  }

  close(): void {
    this.#to.db.close();
    this.#to.mark.close();
    this.#to.release();
  }

  #written(changes: readonly Change[], forgotten: readonly number[], compacted: number): State {
    let { revision, count, sum } = this.#state;
    for (const change of changes) {
      const row = storedChange(change);
      this.#insert(row);
      revision = row.revision;
      count += 1;
      sum = addSum(sum, row.sum);
    }
    for (const gone of forgotten) {
      const row = this.#forget.get(gone);
      if (row === undefined) throw new Damage(`the change of revision ${gone} is missing`);
      count -= 1;
      sum = takeSum(sum, Number(row.sum));
    }
    return { revision, count, sum, compacted: Math.max(this.#state.compacted, compacted) };
  }
}
