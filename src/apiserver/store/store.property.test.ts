import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { keyInStorage, type Row, type Store, type Tail } from '../store.ts';
import { memoryStore } from '../store-memory.ts';
import { OrderedKeys } from './ordered-keys.ts';

test('keys come in order whatever the order in which they came and went', () => {
  const key = fc.string({ minLength: 1, maxLength: 4, unit: fc.constantFrom('a', 'b', '/', '-', '.') });
  const steps = fc.array(fc.record({ add: fc.boolean(), key }), { maxLength: 60 });

  fc.assert(
    fc.property(steps, key, (all, from) => {
      const keys = new OrderedKeys();
      const model = new Set<string>();
      for (const step of all) {
        if (step.add) keys.add(step.key);
        else keys.delete(step.key);
        if (step.add) model.add(step.key);
        else model.delete(step.key);
      }
      const expected = [...model].filter(known => known >= from).sort();
      assert.deepEqual(keys.from(from, ''), expected);
      assert.deepEqual(keys.from(from, '', 2), expected.slice(0, 2));
      const inPrefix = expected.filter(known => known.startsWith('a'));
      assert.deepEqual(keys.from(from < 'a' ? 'a' : from, 'a'), inPrefix);
      assert.equal(keys.count(from < 'a' ? 'a' : from, 'a'), inPrefix.length);
    }),
  );
});

test('ten thousand keys split into chunks and stay in order', () => {
  const keys = new OrderedKeys();
  const names = Array.from({ length: 10_000 }, (_, n) => `n${(n * 7919) % 10_000}`);
  for (const name of names) keys.add(name);

  assert.deepEqual(keys.from('', ''), names.toSorted());
});

interface Step {
  readonly namespace: string;
  readonly name: string;
  readonly remove: boolean;
}

const step = fc.record({
  namespace: fc.constantFrom('a', 'a-b', 'b'),
  name: fc.constantFrom('x', 'y', 'z'),
  remove: fc.boolean(),
});

const shown = (rows: readonly Row[] | undefined): readonly string[] | undefined =>
  rows?.map(row => `${keyInStorage(row)}@${row.revision}`);

async function carryOut(store: Store, { namespace, name, remove }: Step): Promise<void> {
  const key = { storage: 'things', namespace, name };
  const expected = store.get(key)?.revision ?? 0;
  if (remove && expected === 0) return;
  const object = { metadata: { name, namespace } };
  await store.write(remove ? { ...key, expected, object, remove } : { ...key, expected, object });
}

test('every remembered state is read as it was, in any page size', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 25 }), fc.integer({ min: 1, max: 4 }), async (steps, limit) => {
      const store = memoryStore();
      const states = new Map<number, readonly string[] | undefined>();
      for (const one of steps) {
        await carryOut(store, one);
        states.set(store.revision, shown(store.range('things')?.rows));
      }
      for (const [revision, state] of states) assert.deepEqual(inPages(store, revision, limit), state);
    }),
    { numRuns: 100 },
  );
});

function inPages(store: Store, at: number, limit: number): readonly string[] | undefined {
  const rows: Row[] = [];
  for (;;) {
    const last = rows.at(-1);
    const page = store.range('things', { at, limit, ...(last === undefined ? {} : { after: keyInStorage(last) }) });
    if (page === undefined) return undefined;
    rows.push(...page.rows);
    if (page.remaining === 0) return shown(rows);
    assert.ok(page.rows.length === limit, 'a page that is not the last is full');
  }
}

/** Takes everything that a tail has to tell. */
function follow(tail: Tail, known: Map<string, number>): void {
  for (let change = tail.take(); change !== undefined && change !== 'gone'; change = tail.take()) {
    if (change.type === 'deleted') known.delete(keyInStorage(change.row));
    else known.set(keyInStorage(change.row), change.row.revision);
  }
}

test('whoever follows from any revision ends at the newest state', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 25 }), fc.nat({ max: 25 }), async (steps, start) => {
      const store = memoryStore();
      const known = new Map<string, number>();
      for (const one of steps.slice(0, start)) await carryOut(store, one);
      for (const row of store.range('things')?.rows ?? []) known.set(keyInStorage(row), row.revision);
      const tail = store.tail('things', store.revision);
      for (const one of steps.slice(start)) await carryOut(store, one);

      if (tail !== undefined) follow(tail, known);
      const now = (store.range('things')?.rows ?? []).map(row => [keyInStorage(row), row.revision]);
      assert.deepEqual([...known].sort(), now.sort());
    }),
    { numRuns: 100 },
  );
});
