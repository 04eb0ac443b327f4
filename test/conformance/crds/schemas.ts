// Structural schemas: which are refused, and in which words.

import type { Case } from '../frame/case.ts';
import { defined, type Json, list, object, text, version, whole } from './define.ts';

interface Row {
  readonly says: string;
  /** Schemas of `spec`, each of a definition of its own. */
  readonly specs: readonly Json[];
}

const REFUSED: readonly Row[] = [
  {
    says: 'a schema says the type of every field',
    specs: [{ properties: { a: text } }, object({ a: {} }), object({ a: { description: 'x' } })],
  },
  {
    says: 'a type is one of those that JSON has',
    specs: [object({ a: { type: 'float' } }), object({ a: { type: 'null' } })],
  },
  { says: 'a list says of what', specs: [object({ a: { type: 'array' } })] },
  {
    says: 'properties and additionalProperties exclude each other',
    specs: [object({ a: { ...object({ b: text }), additionalProperties: text } })],
  },
  {
    says: 'additionalProperties false is refused',
    specs: [object({ a: { type: 'object', additionalProperties: false } })],
  },
  {
    says: 'types stand outside of the combinations',
    specs: [object({ a: { ...text, anyOf: [{ type: 'string' }] } }), object({ a: { ...text, not: { default: 'x' } } })],
  },
  {
    says: 'what a combination names must be named outside of it',
    specs: [object({ a: { ...object({}), oneOf: [{ properties: { b: { minimum: 1 } } }] } })],
  },
  {
    says: 'an integer or a string is told by its mark',
    specs: [
      object({ a: { anyOf: [{ type: 'integer' }, { type: 'string' }] } }),
      object({ a: { 'x-kubernetes-int-or-string': true, type: 'string' } }),
    ],
  },
  {
    says: 'forbidden keywords are named',
    specs: [
      object({ a: { ...text, $ref: '#/x' } }),
      object({ a: { ...object({}), patternProperties: { x: text } } }),
      object({ a: { ...list(text), uniqueItems: true } }),
      object({ a: { ...object({}), dependencies: { b: ['c'] } } }),
    ],
  },
  {
    says: 'a pattern is a regular expression',
    specs: [object({ a: { ...text, pattern: '(' } }), object({ a: { ...text, pattern: '^(?!x)' } })],
  },
  {
    says: 'a default is of the type, valid and pruned',
    specs: [
      object({ a: { ...whole, default: 'x' } }),
      object({ a: { ...whole, minimum: 5, default: 1 } }),
      object({ a: { ...object({ b: text }), default: { c: 'x' } } }),
    ],
  },
  { says: 'a default is not null unless null is allowed', specs: [object({ a: { ...text, default: null } })] },
  {
    says: 'a list of type map names keys that its items have and require',
    specs: [
      object({ a: list(object({ k: text }), { 'x-kubernetes-list-type': 'map' }) }),
      object({
        a: list(object({ k: text }), { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['z'] }),
      }),
      object({
        a: list(object({ k: text }), { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['k'] }),
      }),
      object({ a: list(text, { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['k'] }) }),
    ],
  },
  {
    says: 'list types and map types are known ones on lists and maps',
    specs: [
      object({ a: list(text, { 'x-kubernetes-list-type': 'bag' }) }),
      object({ a: { ...text, 'x-kubernetes-list-type': 'set' } }),
      object({ a: { ...object({}), 'x-kubernetes-map-type': 'loose' } }),
    ],
  },
  {
    says: 'a set is of scalars, or of what is atomic',
    specs: [object({ a: list(object({ k: text }), { 'x-kubernetes-list-type': 'set' }) })],
  },
  {
    says: 'an embedded resource is an object that keeps or says its fields',
    specs: [
      object({ a: { ...text, 'x-kubernetes-embedded-resource': true } }),
      object({ a: { type: 'object', 'x-kubernetes-embedded-resource': true } }),
    ],
  },
  {
    says: 'preserve-unknown-fields is true or absent',
    specs: [object({ a: { type: 'object', 'x-kubernetes-preserve-unknown-fields': false } })],
  },
  {
    says: 'bounds that cannot hold are taken all the same',
    specs: [object({ a: { ...whole, minimum: 5, maximum: 1 }, b: { ...text, maxLength: 0 } })],
  },
  {
    says: 'an enum may hold what it likes',
    specs: [object({ a: { ...text, enum: ['x', 'y'] }, b: { ...whole, enum: [1] } })],
  },
  { says: 'nullable takes no enum without null', specs: [object({ a: { ...text, nullable: true, enum: ['x'] } })] },
];

const rowCases = REFUSED.map(
  ({ says, specs }): Case => ({
    says,
    steps: async t => {
      for (const [index, spec] of specs.entries())
        await defined(t, { versions: [version(spec)], plural: `widgets${index}` });
    },
  }),
);

export const schemas: readonly Case[] = [
  ...rowCases,
  {
    says: 'a definition has a schema, and metadata in it is only restricted by name',
    steps: async t => {
      await defined(t, { versions: [{ name: 'v1', served: true, storage: true }] });
      await defined(t, { versions: [{ name: 'v1', served: true, storage: true, schema: {} }] });
      const rooted = (properties: Json): Json => ({ openAPIV3Schema: object(properties) });
      await defined(t, { versions: [version(text, { schema: rooted({ metadata: object({ labels: object({}) }) }) })] });
      await defined(t, { versions: [version(text, { schema: { openAPIV3Schema: { type: 'string' } } })] });
      const metadata = { type: 'object', properties: { name: { type: 'string', maxLength: 3 } } };
      await defined(t, { versions: [version(text, { schema: rooted({ metadata }) })], plural: 'gadgets' });
    },
  },
];
