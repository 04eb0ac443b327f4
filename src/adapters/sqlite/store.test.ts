import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, test } from 'node:test';
import { storeContract } from '../../apiserver/store.contract.ts';
import type { Store } from '../../apiserver/store.ts';
import { sqliteStore } from './store.ts';

const folder = mkdtempSync(join(tmpdir(), 'pippin-store-'));
after(() => rmSync(folder, { recursive: true }));

let files = 0;
const newFile = (): string => {
  files += 1;
  return join(folder, `${files}.db`);
};

const write = (store: Store, name: string, expected = 0): ReturnType<Store['write']> =>
  store.write({
    storage: 'things',
    namespace: '',
    name,
    expected,
    object: { apiVersion: 'v1', kind: 'Thing', metadata: { name } },
  });

storeContract('SQLite store', async history => sqliteStore(newFile(), history === undefined ? {} : { history }));

test('what was acknowledged is there after the file is opened again, history included', async () => {
  const file = newFile();
  const first = sqliteStore(file);
  const start = first.revision;
  await write(first, 'a');
  await write(first, 'b');
  await write(first, 'a', start + 1);
  await first.close();

  const second = sqliteStore(file);
  const tail = second.tail('things', start);
  const seen = [tail?.take(), tail?.take(), tail?.take()];
  await second.close();

  assert.equal(second.revision, start + 3);
  assert.deepEqual(
    seen.map(change => (change === 'gone' ? change : [change?.type, change?.row.name, change?.previous?.revision])),
    [
      ['added', 'a', undefined],
      ['added', 'b', undefined],
      ['modified', 'a', start + 1],
    ],
  );
});

test('revisions go on after a restart, also when the newest change was a compacted deletion', async () => {
  const file = newFile();
  const first = sqliteStore(file);
  await write(first, 'a');
  const at = first.get({ storage: 'things', namespace: '', name: 'a' })?.revision ?? 0;
  await first.write({
    storage: 'things',
    namespace: '',
    name: 'a',
    expected: at,
    object: { metadata: {} },
    remove: true,
  });
  const deleted = first.revision;
  first.compact();
  await write(first, 'b');
  await first.close();

  const second = sqliteStore(file);
  const answer = await write(second, 'c');
  await second.close();

  assert.equal(answer.kind === 'written' && answer.row.revision, deleted + 2);
  assert.equal(second.tail('things', deleted - 1), undefined);
});

test('compaction takes superseded rows out of the file and nothing else', async () => {
  const file = newFile();
  const store = sqliteStore(file);
  const start = store.revision;
  await write(store, 'a');
  await write(store, 'a', start + 1);
  await write(store, 'b');
  store.compact();
  await write(store, 'c');
  await store.close();

  const db = new DatabaseSync(file);
  const kept = db.prepare('SELECT name, revision FROM changes ORDER BY revision').all();
  db.close();
  assert.deepEqual(
    kept.map(row => row.name),
    ['a', 'b', 'c'],
  );
});

test('a second process on the same file is told who holds it', async () => {
  const file = newFile();
  const store = sqliteStore(file);

  assert.throws(() => sqliteStore(file), { code: 'PIPPIN_E_STORE_HELD', message: new RegExp(file) });
  await store.close();
});

test('the file can be read by nobody else', async () => {
  const file = newFile();
  const store = sqliteStore(file);
  await write(store, 'a');

  assert.equal(statSync(file).mode & 0o777, 0o600);
  assert.equal(statSync(`${file}-wal`).mode & 0o777, 0o600);
  await store.close();
});

test('a file of a newer version is refused and left as it is', async () => {
  const file = newFile();
  await sqliteStore(file).close();
  const db = new DatabaseSync(file);
  db.exec('PRAGMA user_version = 99');
  db.close();
  const before = readFileSync(file);

  assert.throws(() => sqliteStore(file), { code: 'PIPPIN_E_STORE_NEWER', message: /version 99/ });
  assert.deepEqual(readFileSync(file), before);
});

test('a damaged file is named and not replaced', async () => {
  const file = newFile();
  writeFileSync(file, 'this is no database, only a text that somebody saved here'.repeat(100));

  assert.throws(() => sqliteStore(file), { code: 'PIPPIN_E_STORE_DAMAGED', message: new RegExp(file) });
  assert.match(readFileSync(file, 'utf8'), /somebody saved/);
});

test('writes of one turn share one sync, and a later reader sees none of them before it', async () => {
  const store = sqliteStore(newFile());
  const before = store.revision;

  const writes = ['a', 'b', 'c'].map(name => write(store, name));
  assert.equal(store.revision, before);
  await Promise.all(writes);

  assert.equal(store.revision, before + 3);
  await store.close();
});

test('the write-ahead log does not grow with what is written', async () => {
  const file = newFile();
  const store = sqliteStore(file);
  const body = 'x'.repeat(1_000_000);
  for (let n = 0; n < 40; n += 1) {
    const key = { storage: 'things', namespace: '', name: 'a' };
    const expected = store.get(key)?.revision ?? 0;
    await store.write({ ...key, expected, object: { metadata: {}, body } });
  }
  const sizeBytes = statSync(`${file}-wal`).size;
  await store.close();

  assert.ok(sizeBytes < 16 * 1024 * 1024, `${sizeBytes} bytes after 40 MB`);
});

test('a write that cannot be made durable is refused, ends the store, and is told to who serves it', async () => {
  const file = newFile();
  const failures: string[] = [];
  const store = sqliteStore(file, { onFailure: error => failures.push(error.message) });
  await write(store, 'a');
  // Another hand in the file: the next commit meets a revision that is taken.
  const db = new DatabaseSync(file);
  db.exec(`INSERT INTO changes SELECT revision + 1, storage, namespace, 'other', 0, '', '', body, sum FROM changes`);
  db.close();

  await assert.rejects(write(store, 'b'), { code: 'PIPPIN_E_STORE_CLOSED' });
  await assert.rejects(write(store, 'c'), { code: 'PIPPIN_E_STORE_CLOSED' });
  assert.match(failures.join(), new RegExp(`^A write to the API's file ${file} failed: UNIQUE`));
  await store.close();
});

test('a file that an earlier copy was put in the place of is refused: its revisions would be used again', async () => {
  const file = newFile();
  const first = sqliteStore(file);
  await write(first, 'a');
  await first.close();
  const earlier = readFileSync(file);
  const second = sqliteStore(file);
  await write(second, 'b');
  await second.close();
  writeFileSync(file, earlier);

  assert.throws(() => sqliteStore(file), { code: 'PIPPIN_E_STORE_BEHIND', message: /ends at revision 2, but 3 was/ });
});

test('a missing file beside its own mark is no reason to start empty', async () => {
  const file = newFile();
  const store = sqliteStore(file);
  await write(store, 'a');
  await store.close();
  rmSync(file);

  assert.throws(() => sqliteStore(file), {
    code: 'PIPPIN_E_STORE_DAMAGED',
    message: /it is missing, although .*-mark/,
  });
});
