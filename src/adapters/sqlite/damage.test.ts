import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, test } from 'node:test';
import { seededRandom } from '../../../sim/time/random.ts';
import type { Store } from '../../apiserver/store.ts';
import { PippinError } from '../../base/errors.ts';
import type { Random } from '../../base/random.ts';
import { sqliteStore } from './store.ts';

/** In memory where there is such a folder: what is shown here needs no syncs. */
const scratch = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'pippin-damage-'));
after(() => rmSync(scratch, { recursive: true }));

const CODES = new Set([
  'PIPPIN_E_STORE_DAMAGED',
  'PIPPIN_E_STORE_BEHIND',
  'PIPPIN_E_STORE_NEWER',
  'PIPPIN_E_STORE_MARK_LOST',
]);
/** What a store leaves: after a crash its log is there, after an orderly end it is folded in. */
const crashed = join(scratch, 'crashed');
const closed = join(scratch, 'closed');
let expected: string;

before(async () => {
  for (const folder of [crashed, closed]) mkdirSync(folder);
  const file = join(closed, 'api.db');
  const random = seededRandom('damage');
  // Closed in between, so that after the crash both file and log hold what is needed.
  const history = { changes: 30, bytes: 1_000_000 };
  const first = sqliteStore(file, { history });
  for (let n = 0; n < 70; n += 1) await writeSomething(first, n, random);
  await first.close();
  const store = sqliteStore(file, { history });
  for (let n = 70; n < 90; n += 1) await writeSomething(store, n, random);
  for (const name of readdirSync(closed)) copyFileSync(join(closed, name), join(crashed, name));
  expected = contentOf(store);
  await store.close();
});

async function writeSomething(store: Store, n: number, random: Random): Promise<void> {
  const key = { storage: 'things', namespace: 'ns', name: `n${random.below(25)}` };
  const current = store.get(key);
  const object = {
    apiVersion: 'v1',
    kind: 'Thing',
    metadata: { name: key.name },
    data: `${n}.`.repeat(random.below(1500)),
  };
  const isRemoval = current !== undefined && random.below(5) === 0;
  await store.write({ ...key, expected: current?.revision ?? 0, object, ...(isRemoval ? { remove: true } : {}) });
}

const contentOf = (store: Store): string =>
  JSON.stringify([store.revision, store.range('things')?.rows.map(row => row.object)]);

type Damage = (bytes: Buffer, random: Random) => Buffer;

const bitFlipped: Damage = (bytes, random) => {
  const at = random.below(bytes.length);
  bytes[at] = (bytes[at] ?? 0) ^ (1 << random.below(8));
  return bytes;
};
const headerByteChanged: Damage = (bytes, random) => {
  bytes[random.below(Math.min(120, bytes.length))] = random.below(256);
  return bytes;
};
const sectorZeroed: Damage = (bytes, random) => {
  const sector = random.below(Math.ceil(bytes.length / 512));
  return bytes.fill(0, sector * 512, (sector + 1) * 512);
};
const pageReplacedByAnother: Damage = (bytes, random) => {
  const [from, to] = [random.below(bytes.length >> 12) << 12, random.below(bytes.length >> 12) << 12];
  bytes.copy(bytes, to, from, from + 4096);
  return bytes;
};
const cutOff: Damage = (bytes, random) => bytes.subarray(0, random.below(bytes.length));

/** A copy with one file damaged: opened, it is what was written, or it is refused by name and left as it is. */
async function judged(from: string, name: string, damage: Damage, random: Random): Promise<'opened' | 'refused'> {
  const folder = mkdtempSync(join(scratch, 'copy-'));
  for (const each of readdirSync(from)) copyFileSync(join(from, each), join(folder, each));
  const file = join(folder, name);
  writeFileSync(file, damage(readFileSync(file), random));
  const before = bytesIn(folder);
  try {
    const store = sqliteStore(join(folder, 'api.db'));
    const content = contentOf(store);
    await store.close();
    assert.equal(content === expected, true, `${name} opened with other content`);
    return 'opened';
  } catch (error) {
    if (!(error instanceof PippinError)) throw error;
    assert.ok(CODES.has(error.code) && error.message.includes(join(folder, 'api.db')), error.message);
    assert.deepEqual(bytesIn(folder), before);
    return 'refused';
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Digests: a difference of whole files takes longer to print than anybody would wait. */
const bytesIn = (folder: string): readonly string[] =>
  ['api.db', 'api.db-wal', 'api.db-mark']
    .map(name => join(folder, name))
    .filter(existsSync)
    .map(path => `${basename(path)} ${createHash('sha256').update(readFileSync(path)).digest('hex')}`);

const CASES: readonly (readonly [string, string, Damage, number])[] = [
  [closed, 'api.db', bitFlipped, 200],
  [closed, 'api.db', headerByteChanged, 60],
  [closed, 'api.db', sectorZeroed, 40],
  [closed, 'api.db', pageReplacedByAnother, 40],
  [closed, 'api.db', cutOff, 30],
  [closed, 'api.db-mark', bitFlipped, 40],
  [closed, 'api.db-mark', cutOff, 10],
  [crashed, 'api.db-mark', sectorZeroed, 4],
  [crashed, 'api.db', bitFlipped, 60],
  [crashed, 'api.db-wal', bitFlipped, 200],
  [crashed, 'api.db-wal', headerByteChanged, 30],
  [crashed, 'api.db-wal', sectorZeroed, 40],
  [crashed, 'api.db-wal', cutOff, 30],
];

for (const [from, name, damage, times] of CASES) {
  const what = `${name} of a store that ${from === closed ? 'was closed' : 'crashed'}, ${damage.name}`;
  test(`${what}: ${times} copies each hold what was written or are refused by name, unchanged`, async () => {
    const random = seededRandom(what);
    const outcomes: string[] = [];
    for (let n = 0; n < times; n += 1) outcomes.push(await judged(from, name, damage, random));

    assert.ok(outcomes.includes('refused'), `${basename(from)}: none was refused`);
  });
}

/** A copy of the closed store with something done to it that no sum of a single change shows. */
function changed(name: string, change: (file: string) => void): string {
  const folder = join(scratch, name);
  mkdirSync(folder);
  for (const each of ['api.db', 'api.db-mark']) copyFileSync(join(closed, each), join(folder, each));
  change(join(folder, 'api.db'));
  return join(folder, 'api.db');
}

test('a change that is gone as a whole is missed', () => {
  const file = changed('gone', path => {
    const db = new DatabaseSync(path);
    db.exec('DELETE FROM changes WHERE revision = (SELECT min(revision) FROM changes)');
    db.close();
  });

  assert.throws(() => sqliteStore(file), { code: 'PIPPIN_E_STORE_DAMAGED', message: /it holds \d+ changes up to/ });
});

test('a page that would be given away although it is in use is found, before a write lands on it', () => {
  const file = changed('free', path => {
    const bytes = readFileSync(path);
    bytes.writeUInt32BE(2, 32);
    bytes.writeUInt32BE(1, 36);
    writeFileSync(path, bytes);
  });

  assert.throws(() => sqliteStore(file), { code: 'PIPPIN_E_STORE_DAMAGED', message: /its structure is broken/ });
});
