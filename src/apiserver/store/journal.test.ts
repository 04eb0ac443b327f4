// What a store does while its disk takes its time: nobody sees what is not on it, and what does not get there never was.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { storeContract } from '../store.contract.ts';
import { type Change, defaultHistory, type HistoryBounds, type StoreKey, type WriteAnswer } from '../store.ts';
import { type Journal, JournaledStore } from './journal.ts';

/** A disk that is ready when the test says so. */
class SlowJournal implements Journal {
  readonly commits: (readonly Change[])[] = [];
  isClosed = false;
  #end: { done: () => void; failed: (error: Error) => void } | undefined;

  commit(changes: readonly Change[]): Promise<void> {
    assert.equal(this.#end, undefined, 'one commit at a time');
    assert.ok(!this.isClosed, 'no commit after the end');
    this.commits.push(changes);
    return new Promise((done, failed) => {
      this.#end = { done, failed };
    });
  }

  soon(flush: () => void): void {
    setImmediate(flush);
  }

  close(): void {
    this.isClosed = true;
  }

  async end(error?: Error): Promise<void> {
    const end = this.#end;
    this.#end = undefined;
    if (error === undefined) end?.done();
    else end?.failed(error);
    await turn();
  }
}

const turn = (): Promise<void> => new Promise(resolve => setImmediate(resolve));

function opened(history: HistoryBounds = defaultHistory): { store: JournaledStore; journal: SlowJournal } {
  const journal = new SlowJournal();
  return { store: new JournaledStore(journal, undefined, history), journal };
}

const key = (name: string): StoreKey => ({ storage: 'things', namespace: '', name });

/** Writes, and notes the answer once it comes. */
function put(store: JournaledStore, name: string, expected = 0): { answer?: WriteAnswer['kind'] | 'refused' } {
  const noted: { answer?: WriteAnswer['kind'] | 'refused' } = {};
  store.write({ ...key(name), expected, object: { metadata: { name } } }).then(
    ({ kind }) => {
      noted.answer = kind;
    },
    () => {
      noted.answer = 'refused';
    },
  );
  return noted;
}

const names = (changes: readonly Change[] | undefined): readonly string[] | undefined =>
  changes?.map(change => change.row.name);

/** Every commit is on disk a turn later. */
class PromptJournal extends SlowJournal {
  override async commit(): Promise<void> {
    await turn();
  }
}

storeContract(
  'store on a slow disk',
  async history => new JournaledStore(new PromptJournal(), undefined, history ?? defaultHistory),
);

test('what is on its way to the disk is neither acknowledged, read, listed nor watched', async () => {
  const { store, journal } = opened();
  const seen: string[] = [];
  store.onChange(change => seen.push(change.row.name));
  const before = store.revision;

  const write = put(store, 'a');
  await turn();
  const during = [write.answer, store.get(key('a')), store.range('things')?.rows.length, store.revision, seen.length];
  await journal.end();

  assert.deepEqual(during, [undefined, undefined, 0, before, 0]);
  assert.deepEqual([write.answer, store.get(key('a'))?.name, store.revision], ['written', 'a', before + 1]);
  assert.deepEqual(seen, ['a']);
});

test('all that is written during a commit shares the next', async () => {
  const { store, journal } = opened();

  put(store, 'a');
  await turn();
  put(store, 'b');
  await turn();
  put(store, 'c');
  await journal.end();
  await turn();
  await journal.end();

  assert.deepEqual(journal.commits.map(names), [['a'], ['b', 'c']]);
});

test('a conflict with what is on its way is answered once that is there; one with what is there, at once', async () => {
  const { store, journal } = opened();
  put(store, 'there');
  await turn();
  await journal.end();

  put(store, 'a');
  await turn();
  const [late, lateAgain, clear] = [put(store, 'a'), put(store, 'a', 7), put(store, 'there')];
  await turn();
  assert.deepEqual([late.answer, lateAgain.answer, clear.answer], [undefined, undefined, 'conflict']);
  await journal.end();

  assert.deepEqual([late.answer, lateAgain.answer], ['conflict', 'conflict']);
});

test('a commit that fails takes its writes with it, and those after it, and leaves what is read as it was', async () => {
  const { store, journal } = opened();
  put(store, 'there');
  await turn();
  await journal.end();
  const before = store.revision;

  const first = put(store, 'a');
  await turn();
  const [built, other, conflict] = [put(store, 'a', before + 1), put(store, 'b'), put(store, 'a')];
  await journal.end(new Error('no room'));
  await turn();

  const answers = [first, built, other, conflict, put(store, 'there', before)];
  await turn();
  assert.deepEqual(
    answers.map(({ answer }) => answer),
    ['refused', 'refused', 'refused', 'refused', 'refused'],
  );
  assert.deepEqual([store.revision, store.range('things')?.rows.map(row => row.name)], [before, ['there']]);
  assert.equal(journal.commits.length, 2);
});

test('a store that closes acknowledges what was written before, and lets go of the disk after that', async () => {
  const { store, journal } = opened();
  const first = put(store, 'a');
  await turn();
  const second = put(store, 'b');

  const closed = store.close();
  const late = put(store, 'c');
  await journal.end();
  await turn();
  assert.equal(journal.isClosed, false);
  await journal.end();
  await closed;

  assert.deepEqual([first.answer, second.answer, late.answer], ['written', 'written', 'refused']);
  assert.equal(journal.isClosed, true);
});

type Step = { readonly name: string; readonly isStale: boolean } | 'turn' | 'end';

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ name: fc.constantFrom('x', 'y', 'z'), isStale: fc.boolean() }) },
  { weight: 2, arbitrary: fc.constant('turn' as const) },
  { weight: 2, arbitrary: fc.constant('end' as const) },
);

/** A store, its disk, and what was told of it, compared with what the disk has. */
class Watched {
  readonly #told: string[] = [];
  readonly #disk = opened();
  #durable: readonly Change[] = [];

  constructor() {
    this.#disk.store.onChange(change => this.#told.push(shown(change)));
  }

  async carryOut(step: Step): Promise<void> {
    const { store } = this.#disk;
    if (step === 'turn') await turn();
    else if (step === 'end') await this.end();
    else put(store, step.name, step.isStale ? 0 : (store.get(key(step.name))?.revision ?? 0));
    this.check();
  }

  async end(): Promise<void> {
    this.#durable = this.#disk.journal.commits.flat();
    await this.#disk.journal.end();
  }

  async break(): Promise<void> {
    await turn();
    await this.#disk.journal.end(new Error('broken'));
    await this.#disk.store.close();
    this.check();
  }

  async close(): Promise<void> {
    const closed = this.#disk.store.close();
    for (let n = 0; n < 3; n += 1) {
      await turn();
      await this.end();
    }
    await closed;
    this.check();
  }

  check(): void {
    const { store } = this.#disk;
    const newest = new Map(this.#durable.map(change => [change.row.name, shown(change)]));
    const rows = store.range('things')?.rows ?? [];
    assert.deepEqual(new Map(rows.map(row => [row.name, `${row.name}@${row.revision}`])), newest);
    assert.deepEqual(this.#told, this.#durable.map(shown));
    assert.equal(store.revision, this.#durable.at(-1)?.row.revision ?? 1);
  }
}

const shown = ({ row }: Change): string => `${row.name}@${row.revision}`;

test('whatever comes between writes and their disk, what is read is what the ended commits hold', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), fc.boolean(), async (steps, breaks) => {
      const watched = new Watched();
      for (const one of steps) await watched.carryOut(one);
      if (breaks) await watched.break();
      else await watched.close();
    }),
    { numRuns: 100 },
  );
});
