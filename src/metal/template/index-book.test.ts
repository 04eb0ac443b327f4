// The book of indexes against a model that counts everything anew: Datas that come, change and go, claims in between.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Metal3Data } from '../../kinds/generated/metal3-data.generated.ts';
import type { CacheChange, Informer } from '../../kube/cache.ts';
import { apiVersionOf } from '../../kube/kind.ts';
import { keyOf, keyText } from '../../kube/object.ts';
import { entriesOf, IndexBook } from './index-book.ts';

const NS = 'metal';
const TEMPLATES = ['abc', 'abc-1', 'x'];

/** A cache that a test fills, and the book on it. */
function aBook() {
  const objects = new Map<string, Metal3Data>();
  const listeners: ((change: CacheChange<Metal3Data>) => void)[] = [];
  const informer: Informer<Metal3Data> = {
    kind: Metal3Data,
    synced: true,
    get: key => objects.get(keyText(key)),
    list: () => [...objects.values()],
    by: () => [],
    index: () => undefined,
    onChange: listener => {
      listeners.push(listener);
      return () => undefined;
    },
    whenSynced: async () => undefined,
  };
  const tell = (change: CacheChange<Metal3Data>): void => {
    for (const listener of listeners) listener(change);
  };
  const set = (data: Metal3Data): void => {
    const key = keyText(keyOf(data));
    const previous = objects.get(key);
    objects.set(key, data);
    tell(previous === undefined ? { type: 'added', object: data } : { type: 'updated', object: data, previous });
  };
  const drop = (name: string): void => {
    const object = objects.get(`${NS}/${name}`);
    if (object === undefined) return;
    objects.delete(`${NS}/${name}`);
    tell({ type: 'deleted', object, previous: object });
  };
  return { book: new IndexBook(informer), anew: () => new IndexBook(informer), objects, set, drop };
}

const dataOf = (name: string, template: string | undefined, index: number | undefined): Metal3Data => ({
  apiVersion: apiVersionOf(Metal3Data),
  kind: Metal3Data.kind,
  metadata: { name, namespace: NS },
  spec: {
    ...(index === undefined ? {} : { index }),
    ...(template === undefined ? {} : { template: { name: template } }),
    claim: { name: `claim-${name}` },
  },
});

const template = fc.constantFrom(...TEMPLATES);
const index = fc.oneof(fc.nat({ max: 6 }), fc.constantFrom(-1, 0.5, 2 ** 31));
const names = fc.tuple(template, fc.nat({ max: 6 })).map(([prefix, number]) => `${prefix}-${number}`);
const act = fc.oneof(
  fc.record({
    act: fc.constant('set' as const),
    name: fc.oneof(names, fc.constantFrom('other', 'abc-01')),
    template: fc.option(template, { nil: undefined }),
    index: fc.option(index, { nil: undefined }),
  }),
  fc.record({ act: fc.constant('drop' as const), name: names }),
  fc.record({ act: fc.constant('reserve' as const), template, claim: fc.constantFrom('a', 'b', 'c') }),
  fc.record({ act: fc.constant('settle' as const), claim: fc.constantFrom('a', 'b', 'c') }),
);

/** Every index of a Template that a Data holds, by its spec or by its name. */
function heldOf(objects: Iterable<Metal3Data>, of: string): Set<number> {
  const held = new Set<number>();
  for (const { metadata, spec } of objects) {
    const bySpec = spec?.template?.name === of ? spec.index : undefined;
    const byName = new RegExp(`^${of}-(0|[1-9][0-9]*)$`).exec(metadata.name)?.[1];
    for (const each of [bySpec, byName === undefined ? undefined : Number(byName)]) {
      if (each !== undefined && Number.isInteger(each) && each >= 0 && each < 2 ** 31) held.add(each);
    }
  }
  return held;
}

const lowestOf = (held: ReadonlySet<number>): number => {
  let lowest = 0;
  while (held.has(lowest)) lowest++;
  return lowest;
};

type Act = typeof act extends fc.Arbitrary<infer T> ? T : never;

/** The book and a model beside it, which counts everything anew for each question. */
class Beside {
  readonly #cache = aBook();
  readonly #reserved = new Map<string, { readonly template: string; readonly index: number }[]>();

  play(one: Act): void {
    const { book, set, drop } = this.#cache;
    if (one.act === 'set') set(dataOf(one.name, one.template, one.index));
    else if (one.act === 'drop') drop(one.name);
    else if (one.act === 'reserve') this.#reserve(one.template, one.claim);
    else {
      book.settle({ namespace: NS, name: one.claim });
      this.#reserved.delete(one.claim);
    }
  }

  #reserve(of: string, claim: string): void {
    const expected = lowestOf(this.#taken(of));
    const got = this.#cache.book.reserve({ namespace: NS, name: of }, { namespace: NS, name: claim });
    assert.equal(got, expected);
    this.#reserved.set(claim, [...(this.#reserved.get(claim) ?? []), { template: of, index: got }]);
  }

  #taken(of: string): Set<number> {
    const held = heldOf(this.#cache.objects.values(), of);
    for (const each of [...this.#reserved.values()].flat()) if (each.template === of) held.add(each.index);
    return held;
  }

  compare(): void {
    const { book, anew, objects } = this.#cache;
    for (const name of TEMPLATES) {
      const naming = [...objects.values()].filter(({ spec }) => spec?.template?.name === name);
      const key = { namespace: NS, name };
      assert.equal(book.countOf(key), naming.length);
      assert.equal(anew().countOf(key), naming.length, 'a restart counts the same');
      assert.equal(anew().reserve(key, { namespace: NS, name: 'z' }), lowestOf(heldOf(objects.values(), name)));
    }
  }
}

test('whatever comes and goes, a claim gets the lowest index that no Data and no other claim holds', () => {
  const all = fc.property(fc.array(act, { maxLength: 60 }), acts => {
    const beside = new Beside();
    for (const one of acts) beside.play(one);
    beside.compare();
  });
  fc.assert(all, { numRuns: 400, seed: 5 });
});

test('a list of entries is sorted by index, and has each index once', () => {
  const entries = entriesOf([dataOf('abc-3', 'abc', 3), dataOf('abc-1', 'abc', 1), dataOf('renamed', 'abc', 3)]);

  assert.deepEqual(entries, [
    { name: 'claim-abc-1', index: 1 },
    { name: 'claim-abc-3', index: 3 },
  ]);
});
