// The layout of the API's file, and the version that says which one it is.

import type { DatabaseSync } from 'node:sqlite';
import { Damage, storeNewer } from './errors.ts';

/** 1: rows without sums. 2: every row has its sum, and one row the count and the sum of all. */
export const SCHEMA_VERSION = 2;

/** "PIPN": a store. "PIPB": a backup, which no server takes for its store. */
export const STORE_ID = 0x5049504e;
export const BACKUP_ID = 0x50495042;

/** etcd's first revision is 1, before any write. */
export const FIRST_REVISION = 1;

export const CHANGES_TABLE = `
  CREATE TABLE changes (
    revision INTEGER PRIMARY KEY,
    storage TEXT NOT NULL,
    namespace TEXT NOT NULL,
    name TEXT NOT NULL,
    deleted INTEGER NOT NULL,
    apiVersion TEXT NOT NULL,
    kind TEXT NOT NULL,
    body BLOB NOT NULL,
    sum INTEGER NOT NULL
  ) STRICT;
`;

/** One row: the newest revision, the newest that history no longer holds, how many changes there are, and their sum. */
export const STATE_TABLE = `
  CREATE TABLE state (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    revision INTEGER NOT NULL,
    compacted INTEGER NOT NULL,
    count INTEGER NOT NULL,
    sum INTEGER NOT NULL
  ) STRICT;
`;

/** Makes an empty database one of ours. */
export function createSchema(db: DatabaseSync, applicationId: number): void {
  db.exec('BEGIN IMMEDIATE');
  db.exec(CHANGES_TABLE);
  db.exec(STATE_TABLE);
  db.exec(`INSERT INTO state VALUES (1, ${FIRST_REVISION}, 0, 0, 0)`);
  db.exec(`PRAGMA application_id = ${applicationId}`);
  db.exec(`PRAGMA user_version = ${SCHEMA_VERSION}`);
  db.exec('COMMIT');
}

/** The schema version of a file of ours; throws when it is none, or newer than this program. */
export function versionOf(db: DatabaseSync, file: string, applicationId: number): number {
  const found = numberOf(db, 'application_id');
  if (found !== applicationId) throw new Damage(otherThan(found));
  const version = numberOf(db, 'user_version');
  if (version > SCHEMA_VERSION) throw storeNewer(file, version, SCHEMA_VERSION);
  if (version < 1) throw new Damage(`its header has schema version ${version}, which never was`);
  return version;
}

function otherThan(found: number): string {
  if (found === BACKUP_ID) return 'it is a backup, not a store: `pippin apiserver restore` makes a store of it';
  if (found === STORE_ID) return 'it is a store, not a backup: `pippin apiserver backup` makes a backup of it';
  return 'it is no file of this program';
}

function numberOf(db: DatabaseSync, pragma: 'user_version' | 'application_id'): number {
  return Number(db.prepare(`PRAGMA ${pragma}`).get()?.[pragma] ?? 0);
}
