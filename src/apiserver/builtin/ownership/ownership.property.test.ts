import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Json, JsonObject, Resource } from '../../parts.ts';
import { isList, isObject, listAt, objectAt, objectsAt, sameJson } from '../json.ts';
import { fieldOwnership } from './ownership.ts';

const item: JsonObject = {
  type: 'object',
  properties: {
    name: { type: 'string' },
    size: { type: 'integer' },
    tags: { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'set' },
  },
};
const thing: Resource = {
  group: 'example.com',
  version: 'v1',
  kind: 'Thing',
  listKind: 'ThingList',
  plural: 'things',
  singular: 'thing',
  namespaced: true,
  shortNames: [],
  categories: [],
  subresources: [],
  verbs: [],
  storageName: 'things.example.com',
  origin: 'custom',
  schema: {
    type: 'object',
    properties: {
      spec: {
        type: 'object',
        properties: {
          size: { type: 'integer' },
          map: { type: 'object', additionalProperties: { type: 'string' } },
          disks: {
            type: 'array',
            'x-kubernetes-list-type': 'map',
            'x-kubernetes-list-map-keys': ['name'],
            items: item,
          },
          args: { type: 'array', items: { type: 'string' } },
        },
      },
    },
  },
};

// An empty list is nothing that can be owned: who states only that leaves no trace, on the real server too.
const word = fc.constantFrom('a', 'b', 'c');
const disk = fc.record(
  { name: word, size: fc.integer({ min: 0, max: 2 }), tags: fc.uniqueArray(word, { minLength: 1 }) },
  { requiredKeys: ['name'], noNullPrototype: true },
);
const spec = fc.record(
  {
    size: fc.integer({ min: 0, max: 2 }),
    map: fc.dictionary(word, word, { minKeys: 1, maxKeys: 3, noNullPrototype: true }),
    disks: fc.uniqueArray(disk, { minLength: 1, selector: one => one.name }),
    args: fc.array(word, { maxLength: 2 }),
  },
  { requiredKeys: ['size'], noNullPrototype: true },
);
const write = fc.record({ by: fc.constantFrom('ann', 'bob', 'eve'), spec });

test('whatever was applied before: a forced apply holds, a second one changes nothing, an empty one takes all along', () => {
  fc.assert(
    fc.property(
      fc.array(write, { minLength: 1, maxLength: 6 }),
      fc.constantFrom('ann', 'bob', 'eve'),
      (writes, last) => {
        let live: JsonObject | undefined;
        for (const { by, spec: wanted } of writes) {
          live = forced(live, by, wanted);
          assert.ok(
            holds(objectAt(live, 'spec'), wanted),
            `${JSON.stringify(live.spec)} lacks ${JSON.stringify(wanted)}`,
          );
          assert.deepEqual(forced(live, by, wanted), live);
        }

        const emptied = forced(live, last, undefined);

        const owners = objectsAt(objectAt(emptied, 'metadata'), 'managedFields').map(({ manager }) => manager);
        const others = writes.filter(({ by }) => by !== last).map(({ by }) => by);
        assert.equal(owners.includes(last), false);
        if (others.length === 0) assert.deepEqual(emptied.spec ?? {}, {});
      },
    ),
    { seed: 7, numRuns: 300 },
  );
});

test('appliers who state the same, in any order, end with the same object', () => {
  fc.assert(
    fc.property(spec, fc.shuffledSubarray(['ann', 'bob', 'eve'], { minLength: 3 }), (wanted, order) => {
      const ends = [order, order.toReversed()].map(appliers => {
        const end = appliers.reduce<JsonObject | undefined>((live, by) => {
          const answer = apply(live, by, wanted, 'ask');
          assert.ok('object' in answer);
          return answer.object;
        }, undefined);
        return end?.spec ?? null;
      });

      assert.deepEqual(ends[0], ends[1]);
    }),
    { seed: 7, numRuns: 200 },
  );
});

function apply(
  live: JsonObject | undefined,
  manager: string,
  wanted: JsonObject | undefined,
  conflicts: 'ask' | 'take',
): ReturnType<typeof fieldOwnership.apply> {
  const named = { apiVersion: 'example.com/v1', kind: 'Thing', metadata: { name: 'x' } };
  const applied = wanted === undefined ? named : { ...named, spec: wanted };
  const time = '2024-01-02T03:04:05Z';
  return fieldOwnership.apply({
    resource: thing,
    live,
    applied,
    manager,
    force: conflicts === 'take',
    subresource: '',
    time,
  });
}

function forced(live: JsonObject | undefined, manager: string, wanted: JsonObject | undefined): JsonObject {
  const answer = apply(live, manager, wanted, 'take');
  assert.ok('object' in answer);
  return answer.object;
}

/** Whether everything that is stated is there: objects field by field, disks by name, tags as a set. */
function holds(live: Json | undefined, wanted: Json): boolean {
  if (isObject(wanted)) {
    return isObject(live) && Object.entries(wanted).every(([key, value]) => holdsAt(key, live[key], value));
  }
  return sameJson(live, wanted);
}

function holdsAt(key: string, live: Json | undefined, wanted: Json): boolean {
  if (key === 'tags' && isList(wanted)) return wanted.every(tag => listAt({ live: live ?? [] }, 'live').includes(tag));
  if (key !== 'disks' || !isList(wanted)) return holds(live, wanted);
  const disks = objectsAt({ live: live ?? [] }, 'live');
  return wanted.every(
    one => isObject(one) && disks.some(candidate => candidate.name === one.name && holds(candidate, one)),
  );
}
