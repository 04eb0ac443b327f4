// Rules about a change: what is compared with what, and what an unchanged value is spared.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { errors, integer, object, ruled, text } from './rules.testing.ts';

test('Transition rules compare with the value before, and do not run without one', () => {
  const schema = object({ name: { ...text, ...ruled({ rule: 'self == oldSelf', message: 'name is immutable' }) } });

  assert.deepEqual(errors(schema, { name: 'b' }), []);
  assert.deepEqual(errors(schema, { name: 'a' }, { name: 'a' }), []);
  assert.deepEqual(errors(schema, { name: 'b' }, { name: 'a' }), ['spec.name: Invalid value: "b": name is immutable']);
});

test('optionalOldSelf lets a transition rule run on create too', () => {
  const rule = { rule: 'oldSelf.hasValue() || self == "first"', optionalOldSelf: true };
  const schema = object({ name: { ...text, ...ruled(rule) } });

  assert.deepEqual(errors(schema, { name: 'first' }), []);
  assert.equal(errors(schema, { name: 'other' }).length, 1);
  assert.deepEqual(errors(schema, { name: 'other' }, { name: 'first' }), []);
});

test('Items of a list map are compared with their own before', () => {
  const items = object(
    { name: text, size: integer },
    { required: ['name'], ...ruled({ rule: 'self.size >= oldSelf.size', message: 'may only grow' }) },
  );
  const list = { type: 'array', items, 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['name'] };
  const before = {
    list: [
      { name: 'a', size: 1 },
      { name: 'b', size: 5 },
    ],
  };

  assert.deepEqual(
    errors(
      object({ list }),
      {
        list: [
          { name: 'b', size: 5 },
          { name: 'c', size: 0 },
        ],
      },
      before,
    ),
    [],
  );
  assert.deepEqual(errors(object({ list }), { list: [{ name: 'b', size: 4 }] }, before), [
    'spec.list[0]: Invalid value: may only grow',
  ]);
});

test('An unchanged value is not refused by a rule that came later; a transition rule still speaks', () => {
  const schema = object({
    n: { ...integer, ...ruled('self > 5') },
    other: integer,
    list: { type: 'array', items: { ...integer, ...ruled('self > 5') } },
  });
  const old = { n: 1, other: 1, list: [1] };

  assert.deepEqual(errors(schema, { ...old, other: 2 }, old), []);
  assert.equal(errors(schema, { ...old, n: 2 }, old).length, 1);
  assert.equal(errors(schema, { ...old, list: [2] }, old).length, 1);
});
