// What every store must do, whatever keeps it: run by the tests of each implementation.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from './parts.ts';
import { without } from './rules/json.ts';
import type { Change, HistoryBounds, Store, StoreKey, WriteAnswer } from './store.ts';

type Opener = (history?: HistoryBounds) => Promise<Store>;

const key = (name: string, namespace = 'ns'): StoreKey => ({ storage: 'things', namespace, name });
const thing = (name: string, value: number): JsonObject => ({
  apiVersion: 'v1',
  kind: 'Thing',
  metadata: { name, namespace: 'ns' },
  spec: { value },
});

const put = (store: Store, name: string, value: number, expected = 0): Promise<WriteAnswer> =>
  store.write({ ...key(name), expected, object: thing(name, value) });

const remove = (store: Store, name: string, expected: number): Promise<WriteAnswer> =>
  store.write({ ...key(name), expected, object: thing(name, 0), remove: true });

function revisionOf(answer: WriteAnswer): number {
  assert.equal(answer.kind, 'written');
  return answer.kind === 'written' ? answer.row.revision : 0;
}

const names = (store: Store, at?: number): readonly string[] | undefined =>
  store.range('things', at === undefined ? {} : { at })?.rows.map(row => row.name);

/** Registers the contract's tests for one implementation. */
export function storeContract(what: string, open: Opener): void {
  const opened = async (use: (store: Store) => Promise<void>, history?: HistoryBounds): Promise<void> => {
    const store = await open(history);
    try {
      await use(store);
    } finally {
      await store.close();
    }
  };

  test(`${what}: a written object is read back with its revision as resourceVersion`, () =>
    opened(async store => {
      const revision = revisionOf(await put(store, 'a', 1));

      const row = store.get(key('a'));
      assert.equal(row?.revision, revision);
      assert.deepEqual(row?.object, {
        ...thing('a', 1),
        metadata: { ...meta('a'), resourceVersion: String(revision) },
      });
      const rest = without(row?.object ?? {}, 'apiVersion', 'kind');
      assert.deepEqual(JSON.parse(new TextDecoder().decode(row?.body)), rest);
    }));

  test(`${what}: every write takes the next revision, over all objects`, () =>
    opened(async store => {
      const first = revisionOf(await put(store, 'a', 1));
      const second = revisionOf(await put(store, 'b', 1));

      assert.equal(second, first + 1);
      assert.equal(store.revision, second);
    }));

  test(`${what}: a write under a lock that no longer holds changes nothing and says what is there`, () =>
    opened(async store => {
      const first = revisionOf(await put(store, 'a', 1));
      const second = revisionOf(await put(store, 'a', 2, first));

      const late = await put(store, 'a', 3, first);
      assert.equal(late.kind, 'conflict');
      assert.equal(late.kind === 'conflict' && late.current?.revision, second);
      assert.equal(store.revision, second);
    }));

  test(`${what}: of two creations of one name in the same turn one wins`, () =>
    opened(async store => {
      const answers = await Promise.all([put(store, 'a', 1), put(store, 'a', 2)]);

      assert.deepEqual(
        answers.map(answer => answer.kind),
        ['written', 'conflict'],
      );
      const [, lost] = answers;
      assert.equal(lost?.kind === 'conflict' && lost.current?.name, 'a');
    }));

  test(`${what}: what is removed afterwards is seen in its last state first, and then gone`, () =>
    opened(async store => {
      const first = revisionOf(await put(store, 'a', 1));
      const tail = store.tail('things', first);

      const answer = await store.write({
        ...key('a'),
        expected: first,
        object: thing('a', 2),
        remove: 'afterwards',
      });

      assert.equal(revisionOf(answer), first + 2);
      const seen = [tail?.take(), tail?.take(), tail?.take()].map(change =>
        change === 'gone' ? change : [change?.type, change?.row.revision, change?.previous?.revision],
      );
      assert.deepEqual(seen, [
        ['modified', first + 1, first],
        ['deleted', first + 2, first + 1],
        [undefined, undefined, undefined],
      ]);
      assert.equal(store.get(key('a')), undefined);
      assert.equal(revisionOf(await put(store, 'a', 3)), first + 3);
    }));

  test(`${what}: lists are in the order of keys, by namespace when asked`, () =>
    opened(async store => {
      for (const [namespace, name] of [
        ['b', 'x'],
        ['a', 'z'],
        ['a', 'y'],
        ['a-b', 'w'],
      ] as const) {
        await store.write({ ...key(name, namespace), expected: 0, object: thing(name, 1) });
      }

      const all = store.range('things')?.rows.map(row => `${row.namespace}/${row.name}`);
      assert.deepEqual(all, ['a-b/w', 'a/y', 'a/z', 'b/x']);
      assert.deepEqual(
        store.range('things', { namespace: 'a' })?.rows.map(row => row.name),
        ['y', 'z'],
      );
    }));

  test(`${what}: a list in pages shows one state while writes go on`, () =>
    opened(async store => {
      for (const name of ['a', 'b', 'c', 'd']) await put(store, name, 1);
      const first = store.range('things', { limit: 2 });
      await put(store, 'aa', 1);
      await put(store, 'cc', 1);
      await remove(store, 'd', store.get(key('d'))?.revision ?? 0);

      const second = store.range('things', { after: 'ns/b', at: first?.revision ?? 0 });
      assert.deepEqual(
        first?.rows.map(row => row.name),
        ['a', 'b'],
      );
      assert.equal(first?.remaining, 2);
      assert.deepEqual(
        second?.rows.map(row => row.name),
        ['c', 'd'],
      );
    }));

  test(`${what}: an earlier state is read as it was, updates and all`, () =>
    opened(async store => {
      const first = revisionOf(await put(store, 'a', 1));
      const second = revisionOf(await put(store, 'a', 2, first));
      await put(store, 'a', 3, second);

      const then = store.range('things', { at: first })?.rows[0];
      assert.deepEqual(then?.object.spec, { value: 1 });
    }));

  test(`${what}: changes are told in order, with the state before`, () =>
    opened(async store => {
      const tail = store.tail('things', store.revision);
      const first = revisionOf(await put(store, 'a', 1));
      const second = revisionOf(await put(store, 'a', 2, first));
      await remove(store, 'a', second);

      const seen = [tail?.take(), tail?.take(), tail?.take()] as Change[];
      assert.deepEqual(
        seen.map(change => [change.type, change.previous?.revision]),
        [
          ['added', undefined],
          ['modified', first],
          ['deleted', second],
        ],
      );
      assert.equal(tail?.take(), undefined);
      assert.equal(store.get(key('a')), undefined);
    }));

  test(`${what}: a change is seen no earlier than its state can be read`, () =>
    opened(async store => {
      const read: unknown[] = [];
      store.tail('things', store.revision)?.onChange(change => read.push(store.get(change.row)?.revision));

      const revision = revisionOf(await put(store, 'a', 1));
      assert.deepEqual(read, [revision]);
    }));

  test(`${what}: a follower that writes on a change does not mix up the order`, () =>
    opened(async store => {
      const seen: string[] = [];
      store.onChange(change => {
        if (change.row.name === 'a') void put(store, 'b', 1);
      });
      store.onChange(change => seen.push(change.row.name));

      await put(store, 'a', 1);
      await put(store, 'c', 1);
      assert.deepEqual(seen, ['a', 'b', 'c']);
    }));

  test(`${what}: what was compacted is gone, for pages and for followers`, () =>
    opened(async store => {
      const first = revisionOf(await put(store, 'a', 1));
      const slow = store.tail('things', first);
      await put(store, 'b', 1);
      store.compact();

      assert.equal(names(store, first), undefined);
      assert.equal(store.tail('things', first), undefined);
      assert.equal(slow?.take(), 'gone');
      assert.deepEqual(names(store), ['a', 'b']);
      assert.notEqual(store.tail('things', store.revision), undefined);
    }));

  test(`${what}: history is bounded, and what is quiet is not forgotten for what is busy`, () =>
    opened(
      async store => {
        const quiet = store.revision;
        for (let n = 0; n < 10; n += 1) await put(store, `n${n}`, n);

        assert.equal(store.tail('things', quiet), undefined);
        assert.notEqual(store.tail('others', quiet), undefined);
      },
      { changes: 4, bytes: 1_000_000 },
    ));

  test(`${what}: an object above etcd's bound is refused and takes no revision`, () =>
    opened(async store => {
      const before = store.revision;
      const object = { ...thing('a', 1), data: 'x'.repeat(1_600_000) };

      const answer = await store.write({ ...key('a'), expected: 0, object });
      assert.equal(answer.kind, 'tooLarge');
      assert.equal(store.revision, before);
      assert.equal(revisionOf(await put(store, 'a', 1)), before + 1);
    }));

  test(`${what}: a closed store takes no writes`, async () => {
    const store = await open();
    await store.close();

    await assert.rejects(put(store, 'a', 1), { code: 'PIPPIN_E_STORE_CLOSED' });
  });
}

function meta(name: string): JsonObject {
  return { name, namespace: 'ns' };
}
