// Custom resources as users meet them: the wording of every refusal.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Json, JsonObject } from '../parts.ts';
import { errors, integer, object, text } from './schema-work.testing.ts';

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
  const found = errors(object({ s: { ...text, pattern: '^(a+)+$' } }), { s: `${'a'.repeat(5000)}!` });

  assert.equal(found.length, 1);
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
