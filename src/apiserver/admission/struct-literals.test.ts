// Object literals become maps; texts, other braces and other words stay as they are.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withMaps } from './struct-literals.ts';

test('literals of objects and patches become maps, fields and all', () => {
  assert.equal(
    withMaps('Object{spec: Object.spec{replicas: object.a ? 1 : 2, b: {"c": d}}}'),
    '{"spec": {"replicas": object.a ? 1 : 2, "b": {"c": d}}}',
  );
  assert.equal(
    withMaps('[JSONPatch {op: "add", path: "/a/" + jsonpatch.escapeKey(k), value: Object.x{y: [1, z]}}]'),
    '[ {"op": "add", "path": "/a/" + __escapeKey(k), "value": {"y": [1, z]}}]',
  );
});

test('what looks like a literal in a text is left alone', () => {
  for (const text of [
    '"Object{a: 1}" + object.b',
    "'JSONPatch{op: 1}'",
    '"""Object{"x": 1}"""',
    'object.Object == 1',
  ]) {
    assert.equal(withMaps(text), text);
  }
});

test('a long text of literals is read in time that grows with its length', () => {
  const text = 'Object{a: "x"}'.repeat(20_000);
  assert.equal(withMaps(text).length, '{"a": "x"}'.length * 20_000);
});
