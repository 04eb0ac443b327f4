import assert from 'node:assert/strict';
import { test } from 'node:test';
import { resources } from '../builtin/index.ts';
import type { JsonObject, Resource } from '../parts.ts';
import { scaleErrors } from './scale-errors.ts';

const [any] = resources;
assert.ok(any !== undefined);
const scale = {
  specReplicasPath: '.spec.sails',
  statusReplicasPath: '.status.sails',
  labelSelectorPath: '.status.labels',
};
const boats: Resource = { ...any, scale };

const told = (object: JsonObject): readonly string[] =>
  scaleErrors(boats, object).map(({ field, message }) => `${field}: ${message}`);

test('counts that a Scale can show are fine, and so are missing ones', () => {
  assert.deepEqual(told({ spec: { sails: 3 }, status: { sails: 2, labels: 'a=b' } }), []);
  assert.deepEqual(told({}), []);
});

test('a count that is none is named with its type', () => {
  assert.deepEqual(told({ spec: { sails: 'many' } }), [
    '.spec.sails: Invalid value: 0: .spec.sails accessor error: many is of the type string, expected int64',
  ]);
});

test('a count is neither negative nor larger than a Scale can hold', () => {
  assert.deepEqual(told({ spec: { sails: -1 }, status: { sails: 3_000_000_000 } }), [
    '.spec.sails: Invalid value: -1: should be a non-negative integer',
    '.status.sails: Invalid value: 3000000000: should be less than or equal to 2147483647',
  ]);
});

test('what lies on the way has to have fields', () => {
  assert.deepEqual(told({ spec: 'small' }), [
    '.spec.sails: Invalid value: 0: .spec accessor error: small is of the type string, expected map[string]interface{}',
  ]);
});
