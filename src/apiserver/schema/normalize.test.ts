// Defaults and unknown fields: what an object is once it has been read, and that reading it again changes nothing.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Json, JsonObject } from '../parts.ts';
import { errors, integer, normalized, object, text, thing, withSpec } from './schema-work.testing.ts';
import { customSchemaWork } from './schema-work.ts';

test('Defaults are filled in at every depth, and for null where none may be', () => {
  const schema = object({
    a: { ...text, default: 'x' },
    nested: { ...object({ b: { ...integer, default: 3 } }), default: {} },
    list: { type: 'array', items: object({ c: { type: 'boolean', default: true } }) },
    map: { type: 'object', additionalProperties: object({ d: { ...text, default: 'y' } }) },
    free: { ...text, nullable: true, default: 'z' },
    gone: text,
  });

  assert.deepEqual(normalized(schema, { a: null, list: [{}], map: { k: {} }, free: null, gone: null }).spec, {
    a: 'x',
    nested: { b: 3 },
    list: [{ c: true }],
    map: { k: { d: 'y' } },
    free: null,
  });
});

test('Unknown fields go and are named, known ones below a kept part are still looked at', () => {
  const schema = object({
    known: text,
    list: { type: 'array', items: object({ a: text }) },
    map: { type: 'object', additionalProperties: object({ a: text }) },
    kept: object({ strict: object({ a: text }) }, { 'x-kubernetes-preserve-unknown-fields': true }),
  });
  const value = {
    known: 'x',
    extra: 1,
    list: [{ a: 'x', b: 'y' }],
    map: { key: { a: 'x', b: 'y' } },
    kept: { any: { thing: 1 }, strict: { a: 'x', b: 'y' } },
  };

  assert.deepEqual(normalized(schema, value), {
    spec: { known: 'x', list: [{ a: 'x' }], map: { key: { a: 'x' } }, kept: { any: { thing: 1 }, strict: { a: 'x' } } },
    unknown: ['spec.extra', 'spec.kept.strict.b', 'spec.list[0].b', 'spec.map.key.b'],
  });
});

test('The root keeps apiVersion, kind and metadata, and drops what ObjectMeta does not have', () => {
  const given = { ...thing({}), metadata: { name: 'x', labels: { a: 'b' }, clusterName: 'y' }, other: 1 };

  const { object: kept, unknownFields } = customSchemaWork.normalize(withSpec(object({})), given);

  assert.deepEqual(kept, { ...thing({}), metadata: { name: 'x', labels: { a: 'b' } } });
  assert.deepEqual(unknownFields, ['metadata.clusterName', 'other']);
});

test('Keys with a meaning in JavaScript are keys like any other', () => {
  const value = JSON.parse('{"__proto__": {"a": "x"}, "constructor": {"a": "y"}}');
  const schema = object({ m: { type: 'object', additionalProperties: object({ a: text }) } });

  const { spec, unknown } = normalized(schema, { m: value });

  assert.equal(JSON.stringify(spec), '{"m":{"__proto__":{"a":"x"},"constructor":{"a":"y"}}}');
  assert.deepEqual(unknown, []);
  assert.deepEqual(normalized(object({}), value).unknown, ['spec.__proto__', 'spec.constructor']);
  assert.deepEqual(errors(schema, { m: value }, { m: {} }), []);
});

/** Small schemas, and values that sometimes fit them. */
const leaf: fc.Arbitrary<JsonObject> = fc.constantFrom<JsonObject>(
  { type: 'string', default: 'd' },
  { type: 'integer', default: 1, minimum: 0 },
  { type: 'boolean' },
  { type: 'string', nullable: true, maxLength: 2 },
  { 'x-kubernetes-int-or-string': true },
  { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
);
const { schema: anySchema } = fc.letrec<{ schema: JsonObject; node: JsonObject }>(tie => ({
  node: fc.oneof(
    { depthSize: 'small' },
    leaf,
    tie('schema'),
    fc.record({ type: fc.constant('array'), items: tie('node') }),
  ),
  schema: fc
    .record({
      properties: fc.dictionary(fc.constantFrom('a', 'b', 'c'), tie('node'), { maxKeys: 3 }),
      hasDefault: fc.boolean(),
    })
    .map(({ properties, hasDefault }) => ({ type: 'object', properties, ...(hasDefault ? { default: {} } : {}) })),
}));
const anyValue: fc.Arbitrary<Json> = fc.letrec<{ value: Json }>(tie => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom<Json>('x', 'long', 1, -1, 1.5, true, null),
    fc.array(tie('value'), { maxLength: 2 }),
    fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd'), tie('value'), { maxKeys: 4 }),
  ),
})).value;

test('Defaulting and pruning twice is doing it once, and what is left has nothing unknown', () => {
  fc.assert(
    fc.property(anySchema, anyValue, (schema, value) => {
      const once = customSchemaWork.normalize(withSpec(schema), thing(value));
      const twice = customSchemaWork.normalize(withSpec(schema), once.object);

      assert.deepEqual(twice.object, once.object);
      assert.deepEqual(twice.unknownFields, []);
    }),
    { numRuns: 500 },
  );
});

test('Validation says the same of an object before and after another round of defaults', () => {
  fc.assert(
    fc.property(anySchema, anyValue, (schema, value) => {
      const { object: once } = customSchemaWork.normalize(withSpec(schema), thing(value));
      const again = customSchemaWork.normalize(withSpec(schema), once).object;

      const found = customSchemaWork.validate(withSpec(schema), once, undefined);

      assert.deepEqual(customSchemaWork.validate(withSpec(schema), again, undefined), found);
      assert.deepEqual(customSchemaWork.validate(withSpec(schema), once, once), []);
    }),
    { numRuns: 500 },
  );
});
