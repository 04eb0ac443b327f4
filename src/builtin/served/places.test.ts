import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import type { CacheChange, Informer } from '../../kube/cache.ts';
import type { KubeObject } from '../../kube/object.ts';
import type { ServedKind } from './discovery.ts';
import { Places } from './places.ts';

const kindNamed = (plural: string): ServedKind => ({
  group: 'x.test',
  version: 'v1',
  kind: plural,
  plural,
  namespaced: true,
  verbs: [],
});

const object = (name: string, owners: readonly string[] = []): KubeObject => ({
  apiVersion: 'x.test/v1',
  kind: 'X',
  metadata: {
    name,
    namespace: 'ns',
    uid: `uid-${name}`,
    ownerReferences: owners.map(owner => ({ apiVersion: 'x.test/v1', kind: 'X', name: owner, uid: `uid-${owner}` })),
  },
});

let asked: string[];
let places: Places;

beforeEach(() => {
  asked = [];
  places = new Places();
});

/** A cache by hand, which notes that it is asked. */
function aKind(plural: string) {
  const objects = new Map<string, KubeObject>();
  const listeners = new Set<(change: CacheChange<KubeObject>) => void>();
  const informer = {
    get: ({ name }: { readonly name: string }) => {
      asked.push(plural);
      return objects.get(name);
    },
    list: () => [...objects.values()],
    onChange: (listener: (change: CacheChange<KubeObject>) => void) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  } satisfies Partial<Informer<KubeObject>>;
  const stop = places.follow(kindNamed(plural), informer as Partial<Informer<KubeObject>> as Informer<KubeObject>);
  const tell = (change: CacheChange<KubeObject>): void => {
    for (const listener of listeners) listener(change);
  };
  return {
    stop,
    put: (one: KubeObject) => {
      const previous = objects.get(one.metadata.name);
      objects.set(one.metadata.name, one);
      tell(previous === undefined ? { type: 'added', object: one } : { type: 'updated', object: one, previous });
    },
    remove: (one: KubeObject) => {
      objects.delete(one.metadata.name);
      tell({ type: 'deleted', object: one, previous: one });
    },
  };
}

const names = (uid: string): readonly string[] => places.dependentsOf(uid).map(each => each.object.metadata.name);

test('an object is found by its UID in its own kind: no other kind is asked, however many there are', () => {
  const kinds = Array.from({ length: 50 }, (_, n) => aKind(`k${n}`));
  kinds[30]?.put(object('a'));

  const found = places.withUid('uid-a');

  assert.deepEqual([found?.kind.plural, found?.object.metadata.name, asked], ['k30', 'a', ['k30']]);
});

test('dependents of any kind are found by their owner, as the owners are now', () => {
  const [one, other] = [aKind('ones'), aKind('others')];
  one.put(object('a', ['owner']));
  other.put(object('b', ['owner', 'another']));
  const both = names('uid-owner');
  other.put(object('b', ['another']));

  assert.deepEqual(both, ['a', 'b']);
  assert.deepEqual(names('uid-owner'), ['a']);
  assert.deepEqual(names('uid-another'), ['b']);
});

test('what is deleted, or of a kind that is served no more, is nowhere', () => {
  const [one, other] = [aKind('ones'), aKind('others')];
  one.put(object('a', ['owner']));
  other.put(object('b', ['owner']));

  one.remove(object('a', ['owner']));
  other.stop();

  assert.deepEqual([places.withUid('uid-a'), places.withUid('uid-b'), names('uid-owner')], [undefined, undefined, []]);
});
