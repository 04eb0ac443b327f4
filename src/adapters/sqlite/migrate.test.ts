import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, test } from 'node:test';
import { sqliteStore } from './store.ts';

const folder = mkdtempSync(join(tmpdir(), 'pippin-migrate-'));
after(() => rmSync(folder, { recursive: true }));

/** A file as schema version 1 had it, written without any code of today: `a` changed twice, `b` deleted, history from 4 on. */
function fileOfVersion1(name: string): string {
  const file = join(folder, name);
  const db = new DatabaseSync(file);
  db.exec(`
    PRAGMA journal_mode = WAL;
    PRAGMA application_id = ${0x5049504e};
    PRAGMA user_version = 1;
    CREATE TABLE changes (
      revision INTEGER PRIMARY KEY, storage TEXT NOT NULL, namespace TEXT NOT NULL, name TEXT NOT NULL,
      deleted INTEGER NOT NULL, apiVersion TEXT NOT NULL, kind TEXT NOT NULL, body BLOB NOT NULL
    ) STRICT;
    CREATE TABLE meta (key TEXT PRIMARY KEY, value INTEGER NOT NULL) STRICT, WITHOUT ROWID;
    INSERT INTO meta VALUES ('compacted', 3);
  `);
  const insert = db.prepare("INSERT INTO changes VALUES (?, 'things', 'ns', ?, ?, 'v1', 'Thing', ?)");
  const body = (text: string, revision: number): Buffer =>
    Buffer.from(JSON.stringify({ metadata: { resourceVersion: String(revision) }, text }));
  insert.run(3, 'a', 0, body('first', 3));
  insert.run(4, 'b', 0, body('other', 4));
  insert.run(5, 'a', 0, body('second', 5));
  insert.run(6, 'b', 1, body('other', 6));
  db.close();
  return file;
}

test('a file of schema version 1 is brought up to date: same objects, same history, same next revision', async () => {
  const file = fileOfVersion1('1.db');

  const store = sqliteStore(file);
  const objects = store.range('things')?.rows.map(row => [row.name, row.revision, row.object.text]);
  const tail = store.tail('things', 3);
  const types = [tail?.take(), tail?.take(), tail?.take()].map(change => change !== 'gone' && change?.type);
  const answer = await store.write({
    storage: 'things',
    namespace: 'ns',
    name: 'c',
    expected: 0,
    object: { metadata: {} },
  });
  await store.close();

  assert.deepEqual(objects, [['a', 5, 'second']]);
  assert.deepEqual(types, ['added', 'modified', 'deleted']);
  assert.equal(store.tail('things', 2), undefined);
  assert.equal(answer.kind === 'written' && answer.row.revision, 7);
  const again = sqliteStore(file);
  assert.equal(again.revision, 7);
  await again.close();
});

test('a migration that is cut off has not happened', async () => {
  const file = fileOfVersion1('2.db');
  const db = new DatabaseSync(file);
  db.exec('CREATE TABLE state (in_the_way)');
  db.close();
  const before = readFileSync(file);

  assert.throws(() => sqliteStore(file), { code: 'PIPPIN_E_STORE_DAMAGED' });
  assert.deepEqual(readFileSync(file), before);
});

test('a damaged file of schema version 1 is refused before it is touched', () => {
  const file = fileOfVersion1('3.db');
  const db = new DatabaseSync(file);
  db.exec(`INSERT INTO changes VALUES (9, 'things', '', 'x', 0, 'v1', 'Thing', x'7b')`);
  db.close();
  const before = readFileSync(file);

  assert.throws(() => sqliteStore(file), { code: 'PIPPIN_E_STORE_DAMAGED', message: /revision 9/ });
  assert.deepEqual(readFileSync(file), before);
});

test('a header with a version that never was is refused', () => {
  const file = fileOfVersion1('4.db');
  const db = new DatabaseSync(file);
  db.exec('PRAGMA user_version = 0');
  db.close();

  assert.throws(() => sqliteStore(file), { code: 'PIPPIN_E_STORE_DAMAGED', message: /version 0, which never was/ });
});

test('a migrated store has its mark, and an earlier one that a migration was cut off from is migrated again', async () => {
  const file = fileOfVersion1('5.db');
  const earlier = readFileSync(file);
  await sqliteStore(file).close();
  writeFileSync(file, earlier);

  const store = sqliteStore(file);
  await store.close();
  rmSync(`${file}-mark`);

  assert.equal(store.revision, 6);
  assert.throws(() => sqliteStore(file), { code: 'PIPPIN_E_STORE_MARK_LOST' });
});
