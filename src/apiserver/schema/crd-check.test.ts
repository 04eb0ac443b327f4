// What a CustomResourceDefinition is refused for, and that our own are not.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '../parts.ts';
import { stringAt } from '../rules/json.ts';
import { crdCheck } from './crd-check.ts';

const names = { plural: 'things', singular: 'thing', kind: 'Thing', listKind: 'ThingList' };

function crd(
  schema: JsonObject,
  more: { names?: JsonObject; spec?: JsonObject; version?: JsonObject } = {},
): JsonObject {
  const version = { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema }, ...more.version };
  return {
    metadata: { name: 'things.example.org' },
    spec: {
      group: 'example.org',
      scope: 'Namespaced',
      names: { ...names, ...more.names },
      versions: [version],
      ...more.spec,
    },
    status: { storedVersions: [stringAt(more.version, 'name') || 'v1'] },
  };
}

const errorsOf = (...given: Parameters<typeof crd>): readonly string[] =>
  crdCheck(crd(...given), undefined).map(({ field, message }) => `${field}: ${message}`);

/** One version, or several with the same schema: Kubernetes speaks of it as that of the whole definition. */
const ROOT = 'spec.validation.openAPIV3Schema';
const ok: JsonObject = {
  type: 'object',
  properties: { spec: { type: 'object', properties: { a: { type: 'string' } } } },
};
/** A schema with one property `x` under spec. */
const withX = (x: JsonObject): JsonObject => ({
  type: 'object',
  properties: { spec: { type: 'object', properties: { x } } },
});
const X = `${ROOT}.properties[spec].properties[x]`;

const schemas: readonly (readonly [string, JsonObject, readonly string[]])[] = [
  ['a field without a type', withX({}), [`${X}.type: Required value: must not be empty for specified object fields`]],
  ['a root without a type', {}, [`${ROOT}.type: Required value: must not be empty at the root`]],
  [
    'a root that is no object',
    { type: 'string' },
    [`${ROOT}.type: Invalid value: "string": must be object at the root`],
  ],
  [
    'an unknown type',
    withX({ type: 'text' }),
    [
      `${X}.type: Unsupported value: "text": supported values: "array", "boolean", "integer", "number", "object", "string"`,
    ],
  ],
  ['a list without items', withX({ type: 'array' }), [`${X}.items: Required value: must be specified`]],
  [
    'items without a type',
    withX({ type: 'array', items: {} }),
    [`${X}.items.type: Required value: must not be empty for specified array items`],
  ],
  [
    'free keys at the root',
    { type: 'object', additionalProperties: { type: 'string' } },
    [`${ROOT}.additionalProperties: Forbidden: must not be used at the root`],
  ],
  [
    'free and named keys together',
    withX({ type: 'object', properties: { a: { type: 'string' } }, additionalProperties: { type: 'string' } }),
    [`${X}.additionalProperties: Forbidden: additionalProperties and properties are mutual exclusive`],
  ],
  [
    'a type inside of logic',
    withX({ type: 'string', anyOf: [{ type: 'string' }] }),
    [`${X}.anyOf[0].type: Forbidden: must be empty to be structural`],
  ],
  [
    'a field that only logic knows',
    { type: 'object', anyOf: [{ properties: { a: { minLength: 1 } } }] },
    [`${ROOT}.properties[a]: Required value: because it is defined in ${ROOT}.anyOf[0].properties[a]`],
  ],
  [
    'a pattern that is none',
    withX({ type: 'string', pattern: 'a(' }),
    [
      `${X}.pattern: Invalid value: "a(": must be a valid regular expression, but isn't: error parsing regexp: missing closing ): \`a(\``,
    ],
  ],
  ['a reference', withX({ type: 'string', $ref: '#/x' }), [`${X}.$ref: Forbidden: $ref is not supported`]],
  [
    'unique items',
    withX({ type: 'array', items: { type: 'string' }, uniqueItems: true }),
    [`${X}.uniqueItems: Forbidden: uniqueItems cannot be set to true since the runtime complexity becomes quadratic`],
  ],
  [
    'metadata that is restricted',
    { type: 'object', properties: { metadata: { type: 'object', properties: { labels: { type: 'object' } } } } },
    [
      `${ROOT}.properties[metadata]: Forbidden: must not specify anything other than name and generateName, but metadata is implicitly specified`,
    ],
  ],
  [
    'a list map without keys',
    withX({ type: 'array', items: { type: 'object' }, 'x-kubernetes-list-type': 'map' }),
    [`${X}.x-kubernetes-list-map-keys: Required value: must not be empty if x-kubernetes-list-type is map`],
  ],
  [
    'a list map whose key may be absent',
    withX({
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['k'],
      items: { type: 'object', properties: { k: { type: 'string' } } },
    }),
    [
      `${X}.items.properties[k].default: Required value: this property is in x-kubernetes-list-map-keys, so it must have a default or be a required property`,
    ],
  ],
  [
    'a set of objects that merge',
    withX({ type: 'array', 'x-kubernetes-list-type': 'set', items: { type: 'object' } }),
    [
      `${X}.items.x-kubernetes-map-type: Invalid value: null: must be atomic as item of a list with x-kubernetes-list-type=set`,
    ],
  ],
  [
    'an unknown list type',
    withX({ type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'bag' }),
    [`${X}.x-kubernetes-list-type: Unsupported value: "bag": supported values: "atomic", "set", "map"`],
  ],
  [
    'preserve-unknown-fields: false',
    withX({ type: 'object', 'x-kubernetes-preserve-unknown-fields': false }),
    [`${X}.x-kubernetes-preserve-unknown-fields: Invalid value: false: must be true or undefined`],
  ],
  [
    'a default of the wrong type',
    withX({ type: 'integer', default: 'x' }),
    [`${X}.default: Invalid value: "string":  in body must be of type integer: "string"`],
  ],
  [
    'a default with unknown fields',
    withX({ type: 'object', default: { a: 1 } }),
    [`${X}.default: Invalid value: {"a":1}: must not have unknown fields`],
  ],
  [
    'a nullable root',
    { type: 'object', nullable: true },
    [`${ROOT}.nullable: Forbidden: nullable cannot be true at the root`],
  ],
  [
    'an embedded object without fields',
    withX({ type: 'object', 'x-kubernetes-embedded-resource': true }),
    [
      `${X}.properties: Required value: must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields`,
    ],
  ],
];

for (const [what, schema, expected] of schemas) {
  test(`A definition is refused for ${what}`, () => {
    assert.deepEqual(errorsOf(schema), expected);
  });
}

test('Both ways to write int-or-string are taken', () => {
  const either = { anyOf: [{ type: 'integer' }, { type: 'string' }] };
  const extension = { 'x-kubernetes-int-or-string': true };

  assert.deepEqual(errorsOf(withX({ ...extension, ...either })), []);
  assert.deepEqual(errorsOf(withX({ ...extension, allOf: [either, { pattern: '^a' }] })), []);
});

const others: readonly (readonly [string, Parameters<typeof crd>[1], RegExp])[] = [
  [
    'a group without a dot',
    { spec: { group: 'example' } },
    /^spec.group: Invalid value: "example": should be a domain with at least one dot$/,
  ],
  [
    'a plural with capitals',
    { names: { plural: 'Things' } },
    /^spec.names.plural: Invalid value: "Things": a DNS-1035 label/,
  ],
  [
    'a kind with a dash at its end',
    { names: { kind: 'Thing-' } },
    /^spec.names.kind: Invalid value: "Thing-": may have mixed case, but should otherwise match: a DNS-1035 label/,
  ],
  [
    'one name for kind and list',
    { names: { listKind: 'Thing' } },
    /^spec.names.listKind: Invalid value: "Thing": kind and listKind may not be the same$/,
  ],
  [
    'a column of an unknown type',
    { version: { additionalPrinterColumns: [{ name: 'A', type: 'text', jsonPath: '.a' }] } },
    /additionalPrinterColumns\[0\].type: Invalid value: "text": must be one of boolean,date,integer,number,string$/,
  ],
  [
    'a column without a path',
    { version: { additionalPrinterColumns: [{ name: 'A', type: 'string' }] } },
    /additionalPrinterColumns\[0\].JSONPath: Required value$/,
  ],
  [
    'a scale outside of spec',
    { version: { subresources: { scale: { specReplicasPath: '.status.a', statusReplicasPath: '.status.b' } } } },
    /scale.specReplicasPath: Invalid value: ".status.a": should be a json path under .spec$/,
  ],
  [
    'a selectable field that is not there',
    { version: { selectableFields: [{ jsonPath: '.spec.b' }] } },
    /selectableFields\[0\].jsonPath: Invalid value: ".spec.b": is an invalid path: does not refer to a valid field$/,
  ],
  [
    'a selectable object',
    { version: { selectableFields: [{ jsonPath: '.spec' }] } },
    /must point to a field of type string, boolean or integer/,
  ],
];

for (const [what, more, message] of others) {
  test(`A definition is refused for ${what}`, () => {
    const found = errorsOf(ok, more);

    assert.equal(found.length, 1, found.join('\n'));
    assert.match(found[0] ?? '', message);
  });
}

test('A version name is named in both places that Kubernetes names', () => {
  const fields = crdCheck(crd(ok, { version: { name: 'V1' } }), undefined).map(error => error.field);

  assert.deepEqual(fields, ['spec.versions[0].name', 'spec.version']);
});

test('A schema that an update leaves alone is not judged again', () => {
  const bad = crd(withX({}));

  assert.equal(crdCheck(bad, bad).length, 0);
  assert.equal(crdCheck(bad, crd(ok)).length, 1);
});
