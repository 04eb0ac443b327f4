// Opens the API's file: made whole or not at all, read before it is trusted, written with a sync per commit (api-3, api-4).

import { chmodSync, closeSync, existsSync, openSync, renameSync, rmSync, statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import type { Recovered } from '../../apiserver/store/journal.ts';
import type { Change } from '../../apiserver/store.ts';
import { Damage, restoreUnfinished, storeBehind } from './errors.ts';
import { syncFile, syncFoldersAbove } from './folder-sync.ts';
import { makeMark, markedRevision, markFileOf } from './mark.ts';
import { checkEarlier, migrate } from './migrate.ts';
import { createSchema, FIRST_REVISION, SCHEMA_VERSION, STORE_ID, versionOf } from './schema.ts';
import { changeOf } from './stored-change.ts';
import { checkStructure, eachVerified, type State } from './verified.ts';

export interface OpenedFile {
  readonly db: DatabaseSync;
  readonly state: State;
  readonly recovered: Recovered;
}

/** How large the write-ahead log stays once a large commit is checkpointed. */
const LOG_LIMIT_BYTES = 16 * 1024 * 1024;
/** A backup that attaches or detaches holds a lock for less than this. */
const PATIENCE_MS = 5000;

/** The open file and what it holds. Whoever calls has the lock. */
export function openFile(file: string): OpenedFile {
  if (existsSync(restoredDraftOf(file))) throw restoreUnfinished(restoredDraftOf(file));
  const { state, changes } = leftAsItIs(file, () => {
    if (existsSync(file)) upgrade(file);
    else create(file);
    return read(file);
  });
  return { db: writable(file), state, recovered: { changes, compacted: state.compacted } };
}

/** SQLite makes an empty log and an index to read with; a refused file is left without those, too. */
function leftAsItIs<T>(file: string, work: () => T): T {
  const made = [`${file}-wal`, `${file}-shm`].filter(path => !existsSync(path));
  try {
    return work();
  } catch (error) {
    for (const path of made) if (isNothing(path)) rmSync(path, { force: true });
    throw error;
  }
}

const isNothing = (path: string): boolean => path.endsWith('-shm') || (existsSync(path) && statSync(path).size === 0);

/** Complete, and about to take the file's place: a server must not start on what was there before. */
export const restoredDraftOf = (file: string): string => `${file}-restored`;

/** For SQLite's own safety no other part of this process may open and close the file while SQLite has it. */
export function readable(file: string): DatabaseSync {
  return new DatabaseSync(file, { readOnly: true, timeout: PATIENCE_MS });
}

/** An earlier schema is brought up to date in one transaction. */
function upgrade(file: string): void {
  if (statSync(file).size === 0) throw new Damage('it is empty');
  if (versionIn(file) === SCHEMA_VERSION) return;
  // Such a file has no mark; once it is brought up to date, it must have one.
  if (!existsSync(markFileOf(file))) makeMark(file, FIRST_REVISION);
  const db = writable(file);
  try {
    migrate(db);
  } finally {
    db.close();
  }
}

function versionIn(file: string): number {
  const db = readable(file);
  try {
    const version = versionOf(db, file, STORE_ID);
    if (version < SCHEMA_VERSION) checkEarlier(db);
    return version;
  } finally {
    db.close();
  }
}

/** Under another name until it is whole: a file of the right name was never half made by us. */
function create(file: string): void {
  if (existsSync(`${file}-wal`)) throw new Damage(`it is missing, although ${file}-wal is there`);
  // A start that was cut off leaves a mark that nothing has been acknowledged since.
  if (!existsSync(markFileOf(file))) makeMark(file, FIRST_REVISION);
  const acknowledged = markedRevision(file);
  if (acknowledged > FIRST_REVISION) throw new Damage(`it is missing, although ${markFileOf(file)} is there`);
  const draft = `${file}-new`;
  finishStore(newDatabase(draft, STORE_ID), draft);
  renameSync(draft, file);
  syncFoldersAbove(file);
}

/** A draft becomes a store that is all on disk and needs no journal to be read. */
export function finishStore(db: DatabaseSync, draft: string): void {
  db.exec('PRAGMA journal_mode = WAL');
  db.close();
  syncFile(draft);
}

/** An empty file with our schema, for its owner alone: SQLite would make it readable for everybody (safe-19). */
export function newDatabase(path: string, applicationId: number): DatabaseSync {
  for (const leftOver of [path, `${path}-wal`, `${path}-shm`, `${path}-journal`]) rmSync(leftOver, { force: true });
  closeSync(openSync(path, 'wx', 0o600));
  chmodSync(path, 0o600);
  const db = new DatabaseSync(path);
  // Nobody sees the draft before it is whole and synced.
  db.exec('PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF');
  createSchema(db, applicationId);
  return db;
}

/**
 * What a killed program wrote and had not synced can be read already. Once it is seen, no power cut may take it back (api-3):
 * log and names are synced first. Of the file itself that is not needed: what is folded into it stays in the log until it is synced.
 */
function syncWhatIsThere(file: string): void {
  if (existsSync(`${file}-wal`)) syncFile(`${file}-wal`);
  syncFoldersAbove(file);
}

/** Read-only, so that a refused file stays as it is, write-ahead log included: SQLite folds that in when a writer closes. */
function read(file: string): { state: State; changes: readonly Change[] } {
  const acknowledged = markedRevision(file);
  syncWhatIsThere(file);
  const db = readable(file);
  try {
    checkStructure(db);
    const changes: Change[] = [];
    const state = eachVerified(db, change => changes.push(changeOf(change)));
    if (state.revision < acknowledged) throw storeBehind(file, state.revision, acknowledged);
    return { state, changes };
  } finally {
    db.close();
  }
}

function writable(file: string): DatabaseSync {
  chmodSync(file, 0o600);
  const db = new DatabaseSync(file, { timeout: PATIENCE_MS });
  try {
    db.exec('PRAGMA journal_mode = WAL');
    db.exec('PRAGMA synchronous = FULL');
    // Without these a Mac's disk keeps what it was told to sync in its own cache.
    db.exec('PRAGMA fullfsync = ON; PRAGMA checkpoint_fullfsync = ON');
    db.exec(`PRAGMA journal_size_limit = ${LOG_LIMIT_BYTES}`);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}
