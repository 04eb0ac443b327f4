import assert from 'node:assert/strict';
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { writeBackup } from './backup.ts';
import { restoreBackup } from './restore.ts';
import { sqliteStore } from './store.ts';

let folder: string;
let file: string;
let mark: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pippin-mark-'));
  file = join(folder, 'api.db');
  mark = `${file}-mark`;
});
afterEach(() => rmSync(folder, { recursive: true }));

async function filled(): Promise<number> {
  const store = sqliteStore(file);
  for (const name of ['a', 'b', 'c']) {
    await store.write({ storage: 'things', namespace: '', name, expected: 0, object: { metadata: { name } } });
  }
  await store.close();
  return store.revision;
}

const onProgress = (): void => undefined;
const backUp = (name: string, incomplete?: 'accepted'): unknown =>
  writeBackup({
    store: file,
    out: join(folder, name),
    secrets: {},
    onProgress,
    ...(incomplete === undefined ? {} : { incomplete }),
  });
const restored = (name: string): number =>
  restoreBackup({ backup: join(folder, name), store: file, nowMs: 0, onProgress, putSecrets: () => undefined })
    .revision;

const DAMAGES: readonly (readonly [string, (bytes: Buffer) => Buffer | string | undefined, RegExp])[] = [
  ['removed', () => undefined, /api\.db-mark is missing/],
  ['emptied', () => '', /api\.db-mark cannot be read/],
  ['overwritten with a letter', () => 'x', /api\.db-mark cannot be read/],
  ['cut to its first half', bytes => bytes.subarray(0, 512), /api\.db-mark cannot be read/],
  ['changed in one byte', bytes => bytes.fill(bytes.readUInt8(5) ^ 1, 5, 6), /api\.db-mark cannot be read/],
];

for (const [how, damage, says] of DAMAGES) {
  test(`a store whose mark was ${how} is refused with its name, by a start and by a backup, and left as it is`, async () => {
    await filled();
    const damaged = damage(readFileSync(mark));
    if (damaged === undefined) rmSync(mark);
    else writeFileSync(mark, damaged);
    const before = readdirSync(folder).sort();

    assert.throws(() => sqliteStore(file), { code: 'PIPPIN_E_STORE_MARK_LOST', message: says });

    assert.deepEqual(readdirSync(folder).sort(), before);
    assert.throws(() => backUp('whole.backup'), { code: 'PIPPIN_E_STORE_MARK_LOST', message: says });
    assert.deepEqual(existsSync(mark) ? readFileSync(mark).toString() : undefined, damaged?.toString());
  });
}

test('of a store without a mark what is left is saved, and restored in its place it is whole again', async () => {
  const revision = await filled();
  rmSync(mark);

  backUp('left.backup', 'accepted');
  const goesOnAt = restored('left.backup');
  const store = sqliteStore(file);
  const names = store.range('things')?.rows.map(row => row.name);
  await store.close();

  assert.deepEqual(names, ['a', 'b', 'c']);
  assert.ok(goesOnAt > revision && store.revision === goesOnAt);
});

test('a restored store has its mark before its first start', async () => {
  await filled();
  backUp('whole.backup');
  restored('whole.backup');
  rmSync(mark);

  assert.throws(() => sqliteStore(file), { code: 'PIPPIN_E_STORE_MARK_LOST' });
});

test('a restore of an old backup goes on above what the one readable half of a mark says', async () => {
  await filled();
  backUp('old.backup');
  const first = restored('old.backup');
  truncateSync(mark, 600);
  writeFileSync(mark, readFileSync(mark).fill(0, 512, 524));

  assert.ok(restored('old.backup') > first);
});

test('a start that was cut off between mark and store is simply done again', async () => {
  await sqliteStore(file).close();
  rmSync(file);

  const store = sqliteStore(file);
  const { revision } = store;
  await store.close();

  assert.equal(revision, 1);
});

test('a store in its place has a mark, also when nothing has been written yet: an empty store does not pass for a new one', async () => {
  await sqliteStore(file).close();
  rmSync(mark);

  assert.throws(() => sqliteStore(file), { code: 'PIPPIN_E_STORE_MARK_LOST', message: /is missing/ });
});

test('a mark of another store whose acknowledged writes are not here is no reason to start', async () => {
  await filled();
  renameSync(mark, `${mark}-kept`);
  rmSync(file);
  await sqliteStore(file).close();
  renameSync(`${mark}-kept`, mark);

  assert.throws(() => sqliteStore(file), { code: 'PIPPIN_E_STORE_BEHIND' });
});
