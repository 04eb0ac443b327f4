// The layout of the API's file, and the version that says which one it is.

import type { DatabaseSync } from 'node:sqlite';
import { storeDamaged, storeNewer } from './errors.ts';

const SCHEMA_VERSION = 1;
/** "PIPN": tells our files from anybody else's. */
const APPLICATION_ID = 0x5049504e;

const TABLES = `
  CREATE TABLE changes (
    revision INTEGER PRIMARY KEY,
    storage TEXT NOT NULL,
    namespace TEXT NOT NULL,
    name TEXT NOT NULL,
    deleted INTEGER NOT NULL,
    apiVersion TEXT NOT NULL,
    kind TEXT NOT NULL,
    body BLOB NOT NULL
  ) STRICT;
  CREATE TABLE meta (key TEXT PRIMARY KEY, value INTEGER NOT NULL) STRICT, WITHOUT ROWID;
  INSERT INTO meta VALUES ('compacted', 0);
`;

/** Makes an empty file ours, or refuses one that is not, or is newer. */
export function prepareSchema(db: DatabaseSync, file: string): void {
  const version = numberOf(db, 'user_version');
  const application = numberOf(db, 'application_id');
  if (version === 0 && application === 0 && isEmpty(db)) {
    create(db);
    return;
  }
  if (application !== APPLICATION_ID) throw storeDamaged(file, 'it is no file of this program');
  if (version > SCHEMA_VERSION) throw storeNewer(file, version, SCHEMA_VERSION);
}

function create(db: DatabaseSync): void {
  db.exec('BEGIN IMMEDIATE');
  db.exec(TABLES);
  db.exec(`PRAGMA application_id = ${APPLICATION_ID}`);
  db.exec(`PRAGMA user_version = ${SCHEMA_VERSION}`);
  db.exec('COMMIT');
}

function isEmpty(db: DatabaseSync): boolean {
  return db.prepare('SELECT name FROM sqlite_schema LIMIT 1').get() === undefined;
}

function numberOf(db: DatabaseSync, pragma: 'user_version' | 'application_id'): number {
  return Number(db.prepare(`PRAGMA ${pragma}`).get()?.[pragma] ?? 0);
}
