// What a backup carries besides objects: the keys of the data folder, under one sum.

import type { DatabaseSync } from 'node:sqlite';
import { crc32 } from 'node:zlib';
import { Damage } from './errors.ts';

/** File names in the data folder's folder of keys, and what is in them. */
export type Secrets = Readonly<Record<string, string>>;

const TABLE =
  'CREATE TABLE secrets (id INTEGER PRIMARY KEY CHECK (id = 1), files TEXT NOT NULL, sum INTEGER NOT NULL) STRICT';

export function putSecrets(db: DatabaseSync, secrets: Secrets): void {
  db.exec(TABLE);
  const files = JSON.stringify(secrets);
  db.prepare('INSERT INTO secrets VALUES (1, ?, ?)').run(files, crc32(files));
}

export function secretsOf(db: DatabaseSync): Secrets {
  const row = db.prepare('SELECT files, sum FROM secrets').get();
  const files = String(row?.files ?? '');
  if (row === undefined || crc32(files) !== row.sum) throw new Damage('its keys are not as written');
  return JSON.parse(files) as Secrets;
}
