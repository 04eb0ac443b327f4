// The API's store on disk: SQLite as a journal of changes, durable before anything is acknowledged.

import { chmodSync, closeSync, openSync } from 'node:fs';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import type { JsonObject } from '../../apiserver/parts.ts';
import { type Journal, JournaledStore, type Recovered } from '../../apiserver/store/journal.ts';
import type { Change, HistoryBounds, Row, Store } from '../../apiserver/store.ts';
import { messageOf } from '../../base/errors.ts';
import { storeDamaged, storeHeld } from './errors.ts';
import { prepareSchema } from './schema.ts';

/** Opens the file, or creates it; one process at a time holds it. */
export function sqliteStore(file: string, history?: HistoryBounds): Store {
  const db = opened(file);
  try {
    const journal = new SqliteJournal(db);
    return new JournaledStore(journal, journal.recover(), history);
  } catch (error) {
    db.close();
    throw named(file, error);
  }
}

function opened(file: string): DatabaseSync {
  // SQLite would make the file readable for everybody (safe-19).
  closeSync(openSync(file, 'a', 0o600));
  chmodSync(file, 0o600);
  const db = new DatabaseSync(file, { timeout: 0 });
  try {
    db.exec('PRAGMA locking_mode = EXCLUSIVE');
    // Before WAL: with an exclusive lock held first, SQLite keeps the index in memory and makes no -shm file.
    db.exec('BEGIN EXCLUSIVE; COMMIT');
    db.exec('PRAGMA journal_mode = WAL');
    db.exec('PRAGMA synchronous = FULL');
    prepareSchema(db, file);
    return db;
  } catch (error) {
    db.close();
    throw named(file, error);
  }
}

/** SQLite's own words become one of our errors; ours stay. */
function named(file: string, error: unknown): unknown {
  if (!isSqliteError(error)) return error;
  if (error.errcode === SQLITE_BUSY || error.errcode === SQLITE_LOCKED) return storeHeld.causedBy(error, file);
  return storeDamaged.causedBy(error, file, messageOf(error));
}

const SQLITE_BUSY = 5;
const SQLITE_LOCKED = 6;

function isSqliteError(error: unknown): error is Error & { errcode: number } {
  return error instanceof Error && 'errcode' in error && typeof error.errcode === 'number';
}

/** Changes as rows; a group of them is one transaction with one sync. */
class SqliteJournal implements Journal {
  readonly #db: DatabaseSync;
  readonly #insert: StatementSync;
  readonly #forget: StatementSync;
  readonly #compact: StatementSync;

  constructor(db: DatabaseSync) {
    this.#db = db;
    this.#insert = db.prepare('INSERT INTO changes VALUES (?, ?, ?, ?, ?, ?, ?, ?)');
    this.#forget = db.prepare('DELETE FROM changes WHERE revision = ?');
    this.#compact = db.prepare("UPDATE meta SET value = ? WHERE key = 'compacted' AND value < ?");
  }

  commit(changes: readonly Change[], forgotten: readonly number[], compacted: number): void {
    this.#db.exec('BEGIN IMMEDIATE');
    try {
      for (const change of changes) this.#write(change);
      for (const revision of forgotten) this.#forget.run(revision);
      if (forgotten.length > 0) this.#compact.run(compacted, compacted);
      this.#db.exec('COMMIT');
    } catch (error) {
      if (this.#db.isTransaction) this.#db.exec('ROLLBACK');
      throw error;
    }
  }

  soon(flush: () => void): void {
    setImmediate(flush);
  }

  close(): void {
    this.#db.close();
  }

  /** Everything the file holds, in the order in which it was written. */
  recover(): Recovered {
    const rows = this.#db.prepare('SELECT * FROM changes ORDER BY revision').iterate();
    const changes = Array.from(rows, recovered);
    const compacted = this.#db.prepare("SELECT value FROM meta WHERE key = 'compacted'").get()?.value;
    return { changes, compacted: Number(compacted ?? 0) };
  }

  #write({ type, row }: Change): void {
    const { apiVersion, kind } = row.object;
    this.#insert.run(
      row.revision,
      row.storage,
      row.namespace,
      row.name,
      type === 'deleted' ? 1 : 0,
      String(apiVersion ?? ''),
      String(kind ?? ''),
      row.body,
    );
  }
}

const decoder = new TextDecoder();

function recovered(columns: Record<string, unknown>): Change {
  const { revision, storage, namespace, name, deleted, apiVersion, kind, body } = columns;
  const bytes = body instanceof Uint8Array ? body : new Uint8Array();
  const rest = JSON.parse(decoder.decode(bytes)) as JsonObject;
  const object = { apiVersion: String(apiVersion), kind: String(kind), ...rest };
  const row: Row = {
    storage: String(storage),
    namespace: String(namespace),
    name: String(name),
    revision: Number(revision),
    object,
    body: bytes,
  };
  // The state before is filled in by whoever replays.
  return { type: deleted === 1 ? 'deleted' : 'modified', row, previous: undefined };
}
