// Custom resources as users meet them: defaults, unknown fields, and the wording of every refusal.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Json, JsonObject, Resource } from '../parts.ts';
import { customSchemaWork } from './schema-work.ts';

const resource = (schema: JsonObject): Resource => ({
  group: 'example.org',
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
  storageName: 'things.example.org',
  schema,
  origin: 'custom',
});

/** A resource whose spec has this schema. */
const withSpec = (spec: JsonObject): Resource => resource({ type: 'object', properties: { spec } });
const object = (properties: JsonObject, more: JsonObject = {}): JsonObject => ({ type: 'object', properties, ...more });
const thing = (spec: Json): JsonObject => ({
  apiVersion: 'example.org/v1',
  kind: 'Thing',
  metadata: { name: 'x' },
  spec,
});

/** `field: message`, as a Status lists causes. */
function errors(spec: JsonObject, value: Json, old?: Json): readonly string[] {
  const before = old === undefined ? undefined : thing(old);
  return customSchemaWork
    .validate(withSpec(spec), thing(value), before)
    .map(({ field, message }) => `${field}: ${message}`);
}

function normalized(spec: JsonObject, value: Json): { spec: Json | undefined; unknown: readonly string[] } {
  const { object: result, unknownFields } = customSchemaWork.normalize(withSpec(spec), thing(value));
  return { spec: result.spec, unknown: unknownFields };
}

const text: JsonObject = { type: 'string' };
const integer: JsonObject = { type: 'integer' };

const wordings: readonly (readonly [string, JsonObject, Json, string])[] = [
  [
    'a wrong type',
    object({ n: integer }),
    { n: 'x' },
    'spec.n: Invalid value: "string": spec.n in body must be of type integer: "string"',
  ],

  [
    'null where none may be',
    object({ n: integer }),
    { n: null },
    'spec.n: Invalid value: "null": spec.n in body must be of type integer: "null"',
  ],
  [
    'a wrong type of int-or-string',
    object({ p: { 'x-kubernetes-int-or-string': true } }),
    { p: true },
    'spec.p: Invalid value: "boolean": spec.p in body must be of type integer,string: "boolean"',
  ],
  ['a missing field', object({ n: integer }, { required: ['n'] }), {}, 'spec.n: Required value'],
  [
    'a value outside an enum',
    object({ s: { ...text, enum: ['a', 'b'] } }),
    { s: 'c' },
    'spec.s: Unsupported value: "c": supported values: "a", "b"',
  ],
  [
    'a number outside an enum',
    object({ n: { ...integer, enum: [1, 2] } }),
    { n: 3 },
    'spec.n: Unsupported value: 3: supported values: "1", "2"',
  ],
  [
    'a long string',
    object({ s: { ...text, maxLength: 3 } }),
    { s: 'abcd' },
    'spec.s: Too long: may not be more than 3 bytes',
  ],
  [
    'a short string',
    object({ s: { ...text, minLength: 3 } }),
    { s: 'ab' },
    'spec.s: Invalid value: "ab": spec.s in body should be at least 3 chars long',
  ],
  [
    'a string that does not match',
    object({ s: { ...text, pattern: '^a+$' } }),
    { s: 'b' },
    `spec.s: Invalid value: "b": spec.s in body should match '^a+$'`,
  ],
  [
    'a small number',
    object({ n: { ...integer, minimum: 1 } }),
    { n: 0 },
    'spec.n: Invalid value: 0: spec.n in body should be greater than or equal to 1',
  ],
  [
    'a number at an exclusive bound',
    object({ n: { ...integer, minimum: 1, exclusiveMinimum: true } }),
    { n: 1 },
    'spec.n: Invalid value: 1: spec.n in body should be greater than 1',
  ],
  [
    'a large number',
    object({ n: { ...integer, maximum: 9 } }),
    { n: 10 },
    'spec.n: Invalid value: 10: spec.n in body should be less than or equal to 9',
  ],
  [
    'a number at an exclusive upper bound',
    object({ n: { ...integer, maximum: 9, exclusiveMaximum: true } }),
    { n: 9 },
    'spec.n: Invalid value: 9: spec.n in body should be less than 9',
  ],
  [
    'no multiple',
    object({ n: { ...integer, multipleOf: 5 } }),
    { n: 6 },
    'spec.n: Invalid value: 6: spec.n in body should be a multiple of 5',
  ],
  [
    'more than 32 bits',
    object({ n: { ...integer, format: 'int32' } }),
    { n: 2 ** 31 },
    '<nil>: Invalid value: "": Checked value must be of type integer with format int32 in spec.n',
  ],
  [
    'too many items',
    object({ l: { type: 'array', items: text, maxItems: 1 } }),
    { l: ['a', 'b'] },
    'spec.l: Too many: 2: must have at most 1 item',
  ],
  [
    'too few items',
    object({ l: { type: 'array', items: text, minItems: 1 } }),
    { l: [] },
    'spec.l: Invalid value: 0: spec.l in body should have at least 1 items',
  ],
  [
    'too many properties',
    object({ m: { type: 'object', additionalProperties: text, maxProperties: 1 } }),
    { m: { a: 'x', b: 'y' } },
    'spec.m: Too many: 2: must have at most 1 item',
  ],
  [
    'too few properties',
    object({ m: { type: 'object', additionalProperties: text, minProperties: 1 } }),
    { m: {} },
    'spec.m: Invalid value: 0: spec.m in body should have at least 1 properties',
  ],
  [
    'a wrong value below any key',
    object({ m: { type: 'object', additionalProperties: text } }),
    { m: { a: 1 } },
    'spec.m.a: Invalid value: "integer": spec.m.a in body must be of type string: "integer"',
  ],
  [
    'a wrong item',
    object({ l: { type: 'array', items: text } }),
    { l: ['a', 1] },
    'spec.l[1]: Invalid value: "integer": spec.l[1] in body must be of type string: "integer"',
  ],
  [
    'an item of a set twice',
    object({ l: { type: 'array', items: text, 'x-kubernetes-list-type': 'set' } }),
    { l: ['a', 'b', 'a', 'a'] },
    'spec.l[2]: Duplicate value: "a"',
  ],
  [
    'a key of a list map twice',
    object({
      l: {
        type: 'array',
        items: object({ k: text, v: text }),
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['k'],
      },
    }),
    {
      l: [
        { k: 'a', v: '1' },
        { k: 'a', v: '2' },
      ],
    },
    'spec.l[1]: Duplicate value: {"k":"a"}',
  ],
  [
    'a bad date-time',
    object({ t: { ...text, format: 'date-time' } }),
    { t: 'today' },
    'spec.t: Invalid value: "today": spec.t in body must be of type date-time: "today"',
  ],
  [
    'an embedded object without a kind',
    object({ o: object({ apiVersion: text, kind: text }, { 'x-kubernetes-embedded-resource': true }) }),
    { o: { apiVersion: 'v1' } },
    'spec.o.kind: Required value',
  ],
  [
    'what a schema under not fits',
    object({ s: { ...text, not: { enum: ['x'] } } }),
    { s: 'x' },
    '<nil>: Invalid value: "": "spec.s" must not validate the schema (not)',
  ],
];

for (const [what, schema, value, message] of wordings) {
  test(`Refused in Kubernetes' words: ${what}`, () => {
    assert.deepEqual(errors(schema, value), [message]);
  });
}

test('Alternatives: anyOf wants one, oneOf exactly one, allOf all', () => {
  const cloud = (logic: string): JsonObject =>
    object({ a: text, b: text }, { [logic]: [{ required: ['a'] }, { required: ['b'] }] });

  assert.deepEqual(errors(cloud('oneOf'), { a: 'x' }), []);
  assert.deepEqual(errors(cloud('oneOf'), { a: 'x', b: 'y' }), [
    '<nil>: Invalid value: "": "spec" must validate one and only one schema (oneOf). Found 2 valid alternatives',
  ]);
  assert.deepEqual(errors(cloud('oneOf'), {}), [
    '<nil>: Invalid value: "": "spec" must validate one and only one schema (oneOf). Found none valid',
    'spec.a: Required value',
  ]);
  assert.deepEqual(errors(cloud('anyOf'), { b: 'y' }), []);
  assert.deepEqual(errors(cloud('anyOf'), {}), [
    '<nil>: Invalid value: "": "spec" must validate at least one schema (anyOf)',
    'spec.a: Required value',
  ]);
  assert.deepEqual(errors(cloud('allOf'), { a: 'x' }), [
    'spec.b: Required value',
    '<nil>: Invalid value: "": "spec" must validate all the schemas (allOf)',
  ]);
});

test('A fraction where an integer is wanted is wrong twice, as it is in Kubernetes', () => {
  assert.deepEqual(errors(object({ n: integer }), { n: 1.5 }), [
    'spec.n: Invalid value: "number": spec.n in body must be of type integer: "number"',
    '<nil>: Invalid value: "": Checked value must be of type integer (default format) in spec.n',
  ]);
  assert.deepEqual(errors(object({ n: { ...integer, format: 'int64' } }), { n: 2 ** 63 }), [
    'spec.n: Invalid value: "float64": spec.n in body must be of type int64: "float64"',
    '<nil>: Invalid value: "": Checked value must be of type integer with format int64 in spec.n',
  ]);
});

test('A whole float is an integer, an integer is a number, and nullable takes null', () => {
  assert.deepEqual(
    errors(object({ i: integer, n: { type: 'number' }, z: { ...text, nullable: true, enum: ['a'] } }), {
      i: 1.0,
      n: 2,
      z: null,
    }),
    [],
  );
});

test('A string counts its characters, not its code units', () => {
  assert.deepEqual(errors(object({ s: { ...text, maxLength: 2 } }), { s: '🍎🍏' }), []);
});

test('A pattern that would take a backtracking engine for ever is answered at once', () => {
  const started = process.hrtime.bigint();

  const found = errors(object({ s: { ...text, pattern: '^(a+)+$' } }), { s: `${'a'.repeat(5000)}!` });

  assert.equal(found.length, 1);
  assert.ok(process.hrtime.bigint() - started < 2_000_000_000n);
});

test('What an update leaves alone is not judged by a rule that came later', () => {
  const items = {
    type: 'array',
    items: object({ k: text, v: { ...text, maxLength: 1 } }),
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['k'],
  };
  const schema = object({ s: { ...text, maxLength: 1 }, n: integer, l: items });
  const old = { s: 'long', n: 1, l: [{ k: 'a', v: 'long' }] };

  assert.deepEqual(errors(schema, { ...old, n: 2 }, old), []);
  assert.deepEqual(errors(schema, { ...old, s: 'other' }, old), ['spec.s: Too long: may not be more than 1 byte']);
  assert.deepEqual(
    errors(
      schema,
      {
        ...old,
        l: [
          { k: 'b', v: 'x' },
          { k: 'a', v: 'long' },
        ],
      },
      old,
    ),
    [],
  );
  assert.deepEqual(errors(schema, { ...old, l: [{ k: 'b', v: 'long' }] }, old), [
    'spec.l[0].v: Too long: may not be more than 1 byte',
  ]);
});

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
