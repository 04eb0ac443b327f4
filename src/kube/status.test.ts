// Merge patches and conditions: what a change changes, and what it leaves as it was.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { conditionOf, isTrue, withVerdicts } from './conditions.ts';
import { effective, joinedPatches, mergePatched, same } from './merge-patch.ts';
import type { Condition } from './object.ts';

const json = fc.object({
  maxDepth: 2,
  key: fc.constantFrom('a', 'b', 'c'),
  values: [fc.integer(), fc.string(), fc.constant(null), fc.boolean()],
}) as fc.Arbitrary<Record<string, unknown>>;

/** An object as a server holds it: no nulls. */
const stored = json.map(value => mergePatched({}, value) as Record<string, unknown>);

test('a merge patch sets, goes deep, removes by null and replaces lists', () => {
  const target = { a: 1, b: { c: 2, d: [1, 2] } };

  assert.deepEqual(mergePatched(target, { a: null, b: { d: [3] }, e: 4 }), { b: { c: 2, d: [3] }, e: 4 });
  assert.deepEqual(target, { a: 1, b: { c: 2, d: [1, 2] } });
});

test('two patches in one do what they do one after the other', () => {
  fc.assert(
    fc.property(stored, json, json, (target, first, second) => {
      const both = mergePatched(target, joinedPatches(first, second));
      return same(both, mergePatched(mergePatched(target, first), second)) || hasReplacedObject(first, second);
    }),
    { numRuns: 1000, seed: 4711 },
  );
});

/** RFC 7386 cannot say in one patch "remove the object, then set one of its keys". */
function hasReplacedObject(first: Record<string, unknown>, second: Record<string, unknown>): boolean {
  const isObject = (value: unknown): value is Record<string, unknown> =>
    typeof value === 'object' && value !== null && !Array.isArray(value);
  return Object.entries(second).some(([key, value]) => {
    if (!isObject(value) || !(key in first)) return false;
    const earlier = first[key];
    return !isObject(earlier) || hasReplacedObject(earlier, value);
  });
}

test('a patch is effective exactly when it changes something', () => {
  fc.assert(
    fc.property(stored, json, (target, patch) => {
      const changes = !same(target, mergePatched(target, patch));
      const left = effective(target, patch);
      assert.equal(left !== undefined, changes);
      if (left !== undefined) assert.ok(same(mergePatched(target, left), mergePatched(target, patch)));
    }),
    { numRuns: 1000, seed: 4711 },
  );
});

test('the order of keys makes no difference, the order of a list does', () => {
  assert.ok(same({ a: 1, b: [1] }, { b: [1], a: 1 }));
  assert.ok(!same({ b: [1, 2] }, { b: [2, 1] }));
  assert.ok(!same({ a: undefined }, {}));
});

test('conditions keep their place and their time, flip with a new time, and go by null', () => {
  const before: Condition[] = [
    { type: 'A', status: 'True', lastTransitionTime: '2020-01-01T00:00:00Z' },
    { type: 'B', status: 'True', lastTransitionTime: '2020-01-01T00:00:00Z' },
    { type: 'C', status: 'True', lastTransitionTime: '2020-01-01T00:00:00Z' },
  ];

  const after = withVerdicts(
    before,
    [
      { type: 'A', status: 'True', message: 'still' },
      { type: 'B', status: 'False' },
      { type: 'C', status: null },
      { type: 'D', status: 'Unknown' },
    ],
    Date.UTC(2026, 0, 1),
  );

  assert.deepEqual(after, [
    { type: 'A', status: 'True', message: 'still', lastTransitionTime: '2020-01-01T00:00:00Z' },
    { type: 'B', status: 'False', lastTransitionTime: '2026-01-01T00:00:00Z' },
    { type: 'D', status: 'Unknown', lastTransitionTime: '2026-01-01T00:00:00Z' },
  ]);
  const object = { apiVersion: 'v1', kind: 'X', metadata: { name: 'x' }, status: { conditions: after } };
  assert.equal(isTrue(object, 'A'), true);
  assert.equal(conditionOf(object, 'C'), undefined);
});
