// Brings a file of an earlier schema up to date: all of it in one transaction, or nothing.

import type { DatabaseSync } from 'node:sqlite';
import { messageOf } from '../../base/errors.ts';
import { Damage } from './errors.ts';
import { CHANGES_TABLE, SCHEMA_VERSION, STATE_TABLE } from './schema.ts';
import { addSum, inserter, readStored, sumOf } from './stored-change.ts';
import { checkStructure } from './verified.ts';

const decoder = new TextDecoder();

/** An earlier file has no sums: its structure must hold, and every change must read as an object. */
export function checkEarlier(db: DatabaseSync): void {
  checkStructure(db);
  for (const columns of db.prepare('SELECT * FROM changes ORDER BY revision').iterate()) {
    const row = readStored(columns);
    try {
      JSON.parse(decoder.decode(row.body));
    } catch (error) {
      throw new Damage(`the change of revision ${row.revision} is no object: ${messageOf(error)}`);
    }
  }
}

/** From version 1, the only earlier one: rows get their sums, and the file an account of what it holds. */
export function migrate(db: DatabaseSync): void {
  db.exec('BEGIN IMMEDIATE');
  try {
    db.exec(`ALTER TABLE changes RENAME TO earlier; ${CHANGES_TABLE} ${STATE_TABLE}`);
    copyWithSums(db);
    db.exec(`DROP TABLE earlier; DROP TABLE meta; PRAGMA user_version = ${SCHEMA_VERSION}; COMMIT`);
  } catch (error) {
    if (db.isTransaction) db.exec('ROLLBACK');
    throw error;
  }
}

function copyWithSums(db: DatabaseSync): void {
  const insert = inserter(db);
  const compacted = Number(db.prepare("SELECT value FROM meta WHERE key = 'compacted'").get()?.value ?? 0);
  let [count, total, newest] = [0, 0, Math.max(1, compacted)];
  for (const columns of db.prepare('SELECT * FROM earlier ORDER BY revision').iterate()) {
    const row = readStored(columns);
    const sum = sumOf(row);
    insert({ ...row, sum });
    count += 1;
    total = addSum(total, sum);
    newest = Math.max(newest, row.revision);
  }
  db.prepare('INSERT INTO state VALUES (1, ?, ?, ?, ?)').run(newest, compacted, count, total);
}
