import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '../parts.ts';
import { sharing } from './sharing.ts';

const old: JsonObject = {
  metadata: { labels: { app: 'a' }, annotations: { why: 'x' } },
  spec: { containers: [{ name: 'one', args: ['a'] }] },
  status: { phase: 'Pending' },
};

const copyOf = (object: JsonObject): JsonObject => structuredClone(object);

test('what a new state says as before is the very same, around what it changes', () => {
  const next: JsonObject = { ...copyOf(old), metadata: { labels: { app: 'b' }, annotations: { why: 'x' } } };

  const shared = sharing(next, old);

  assert.deepEqual(shared, next);
  assert.equal(shared.spec, old.spec);
  assert.equal(shared.status, old.status);
  assert.equal((shared.metadata as JsonObject).annotations, (old.metadata as JsonObject).annotations);
});

test('a state that says the same as before, with its keys in whatever order, is the old one; less of it is not', () => {
  const { metadata, ...less } = copyOf(old);

  assert.equal(sharing({ ...less, metadata: metadata ?? null }, old), old);
  assert.deepEqual(sharing(less, old), less);
  assert.equal(sharing(less, old).spec, old.spec);
});

test('what is new, gone or of another type is as the new state says, and the old one stays as it was', () => {
  const before = copyOf(old);
  const next: JsonObject = { spec: [{ name: 'one' }], status: { phase: null }, extra: { more: 1 } };

  const shared = sharing(next, old);

  assert.deepEqual(shared, next);
  assert.deepEqual(old, before);
});

test('a key may have any name, even one that every object has', () => {
  const named = (value: string): JsonObject => JSON.parse(`{"data":{"__proto__":"${value}","constructor":"c"}}`);

  const shared = sharing(named('new'), named('old'));

  assert.equal(JSON.stringify(shared), JSON.stringify(named('new')));
});
