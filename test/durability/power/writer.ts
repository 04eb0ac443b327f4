// The program that is traced: a store under load that says each write on its output once it is acknowledged.

import { writeSync } from 'node:fs';
import process from 'node:process';
import { seededRandom } from '../../../sim/time/random.ts';
import { sqliteStore } from '../../../src/adapters/sqlite/store.ts';
import type { Store } from '../../../src/apiserver/store.ts';
import type { Random } from '../../../src/base/random.ts';
import { objectOf, type Said } from './said.ts';

const [file = '', seed = '', writes = '0'] = process.argv.slice(2);
const WRITERS = 8;
const OBJECTS = 5;
/** Closed and opened again in the middle: the log is folded in and removed, and made anew. */
const LIVES = 2;
/** Small, so that history is compacted all the time. */
const history = { changes: 100, bytes: 1_000_000 };

let seq = 0;

async function write(store: Store, writer: number, random: Random): Promise<void> {
  const name = `thing-${writer}-${random.below(OBJECTS)}`;
  const key = { storage: 'things', namespace: '', name };
  const current = store.get(key);
  const isRemoval = current !== undefined && random.below(5) === 0;
  const mine = seq;
  seq += 1;
  const object = objectOf(name, mine, random.below(5) === 0 ? random.below(30_000) : random.below(3000));
  const expected = current?.revision ?? 0;
  const answer = await store.write({ ...key, expected, object, ...(isRemoval ? { remove: true } : {}) });
  if (answer.kind !== 'written') throw new Error(`write ${mine} was answered with ${answer.kind}`);
  const said: Said = { seq: mine, revision: answer.row.revision, name, removed: isRemoval };
  writeSync(1, `${JSON.stringify(said)}\n`);
}

async function live(): Promise<void> {
  const store = sqliteStore(file, { history });
  const random = seededRandom(`${seed} ${seq}`);
  const each = Math.ceil(Number(writes) / WRITERS / LIVES);
  const writer = async (n: number): Promise<void> => {
    const own = random.stream(`writer ${n}`);
    for (let done = 0; done < each; done += 1) await write(store, n, own);
  };
  await Promise.all(Array.from({ length: WRITERS }, (_, n) => writer(n)));
  await store.close();
}

for (let life = 0; life < LIVES; life += 1) await live();
