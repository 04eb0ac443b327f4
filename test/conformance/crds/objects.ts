// Objects of a kind of one's own: validated, defaulted, pruned.

import type { Case } from '../frame/case.ts';
import { type Json, list, object, redefined, serving, text, version, whole, widget } from './define.ts';

interface Row {
  readonly says: string;
  readonly spec: Json;
  /** Specs of objects, each created by itself under dryRun unless the row says otherwise. */
  readonly objects: readonly unknown[];
  readonly query?: string;
}

const ROWS: readonly Row[] = [
  {
    says: 'required fields are asked for',
    spec: object({ a: text, b: object({ c: text }, { required: ['c'] }) }, { required: ['a'] }),
    objects: [{}, { a: 'x' }, { a: 'x', b: {} }, { a: null }],
  },
  {
    says: 'numbers are held to their bounds',
    spec: object({
      a: { ...whole, minimum: 1, maximum: 5 },
      b: { type: 'number', minimum: 0, exclusiveMinimum: true, multipleOf: 0.5 },
    }),
    objects: [{ a: 0 }, { a: 6 }, { a: 1.5 }, { b: 0 }, { b: 0.7 }, { a: 5, b: 1.5 }],
  },
  {
    says: 'texts are held to length, pattern and enum',
    spec: object({
      a: { ...text, minLength: 2, maxLength: 4 },
      b: { ...text, pattern: '^[a-z]+$' },
      c: { ...text, enum: ['x', 'y'] },
    }),
    objects: [{ a: 'x' }, { a: 'xxxxx' }, { b: 'X' }, { c: 'z' }, { a: 'ünü', b: 'ok', c: 'x' }],
  },
  {
    says: 'lists are held to their length and their items',
    spec: object({ a: list({ ...text, minLength: 1 }, { minItems: 1, maxItems: 2 }) }),
    objects: [{ a: [] }, { a: ['x', 'y', 'z'] }, { a: [''] }, { a: [1] }, { a: 'x' }],
  },
  {
    says: 'maps are held to their size and their values',
    spec: object({ a: { type: 'object', additionalProperties: whole, minProperties: 1, maxProperties: 2 } }),
    objects: [{ a: {} }, { a: { x: 1, y: 2, z: 3 } }, { a: { x: 'one' } }],
  },
  {
    says: 'a wrong type is told by its name',
    spec: object({
      a: text,
      b: whole,
      c: { type: 'boolean' },
      d: object({ e: text }),
      f: list(text),
      g: { type: 'number' },
    }),
    objects: [{ a: 1 }, { b: 'x' }, { c: 'true' }, { d: [] }, { f: {} }, { g: 'x' }, { a: true }, { b: 1.5 }, 'text'],
  },
  {
    says: 'several mistakes are told at once, in order',
    // Of one field, because the real server looks at fields in an order of chance.
    spec: object({ a: { ...text, minLength: 2, pattern: '^z' } }, { required: ['c'] }),
    objects: [{ a: 'x' }],
  },
  {
    says: 'formats that Kubernetes knows are checked',
    spec: object({
      a: { ...text, format: 'date-time' },
      b: { ...text, format: 'ipv4' },
      c: { ...text, format: 'uuid' },
      d: { ...text, format: 'unheard-of' },
      e: { ...text, format: 'byte' },
      f: { ...whole, format: 'int32' },
      g: { ...text, format: 'cidr' },
      h: { ...text, format: 'email' },
    }),
    objects: [
      { a: 'yesterday' },
      { b: '1.2.3' },
      { c: 'x' },
      { d: 'whatever' },
      { e: '%' },
      { f: 4294967296 },
      { g: '1.2.3.4' },
      { h: 'x' },
    ],
  },
  {
    says: 'allOf, anyOf, oneOf and not combine',
    spec: object({
      a: { ...whole, allOf: [{ minimum: 1 }, { maximum: 5 }] },
      b: { ...text, anyOf: [{ pattern: '^x' }, { pattern: '^y' }] },
      c: object({ d: text, e: text }, { oneOf: [{ required: ['d'] }, { required: ['e'] }] }),
      f: { ...text, not: { enum: ['no'] } },
    }),
    objects: [
      { a: 9 },
      { b: 'z' },
      { c: {} },
      { c: { d: 'x', e: 'y' } },
      { f: 'no' },
      { a: 2, b: 'xx', c: { d: '' }, f: 'yes' },
    ],
  },
  {
    says: 'defaults fill what is absent, from the outside in',
    spec: object({
      a: { ...text, default: 'x' },
      b: { ...object({ c: { ...whole, default: 3 } }), default: {} },
      d: object({ e: { ...text, default: 'y' } }),
      f: list(object({ g: { ...text, default: 'z' } })),
    }),
    objects: [{}, { d: {} }, { f: [{}, { g: 'own' }] }, { a: null }, { b: { c: 0 } }],
  },
  {
    says: 'null is pruned where a default is, kept where it may be, refused elsewhere',
    spec: object({
      a: { ...text, nullable: true },
      b: { ...text, nullable: true, default: 'x' },
      c: { ...text, default: 'y' },
      d: text,
    }),
    objects: [{ a: null, b: null, c: null }, { d: null }],
  },
  {
    says: 'unknown fields are pruned at every depth',
    spec: object({ a: object({ b: text }), c: list(object({ d: text })) }),
    objects: [{ x: 1, a: { b: 'x', y: 2 }, c: [{ d: 'x', z: 3 }] }],
  },
  {
    says: 'unknown fields are kept where the schema says so',
    spec: object({
      a: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true, properties: { b: object({ c: text }) } },
    }),
    objects: [{ a: { x: { y: 1 }, b: { c: 'x', z: 2 } } }],
  },
  {
    says: 'an integer or a string is either, and nothing else',
    spec: object({ a: { 'x-kubernetes-int-or-string': true } }),
    objects: [{ a: 1 }, { a: '50%' }, { a: 1.5 }, { a: true }],
  },
  {
    says: 'a list of type map has each key once, and every item its keys',
    spec: object({
      a: list(object({ k: text, l: { ...whole, default: 1 } }, { required: ['k'] }), {
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['k', 'l'],
      }),
    }),
    objects: [{ a: [{ k: 'x' }, { k: 'x', l: 1 }] }, { a: [{ k: 'x' }, { k: 'x', l: 2 }] }, { a: [{ l: 1 }] }],
  },
  {
    says: 'a list of type set has each value once',
    spec: object({ a: list(text, { 'x-kubernetes-list-type': 'set' }) }),
    objects: [{ a: ['x', 'y', 'x', 'x'] }, { a: ['x', 'y'] }],
  },
  {
    says: 'an embedded resource has kind, version and metadata that are whole',
    spec: object({
      a: { type: 'object', 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true },
    }),
    objects: [
      { a: {} },
      { a: { apiVersion: 'v1', kind: 'Pod' } },
      { a: { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'A_b', brand: 'new' }, spec: { x: 1 } } },
    ],
  },
  {
    says: 'unknown fields warn, or are refused when asked',
    spec: object({ a: object({ b: text }) }),
    objects: [{ x: 1, a: { y: 2 } }],
    query: 'fieldValidation=Strict',
  },
];

const rowCases = ROWS.map(
  ({ says, spec, objects, query = 'fieldValidation=Warn' }): Case => ({
    says,
    steps: async t => {
      const path = await serving(t, { versions: [version(spec)] });
      for (const each of objects) await t.post(`${path}?dryRun=All&${query}`, widget(t, each));
    },
  }),
);

export const objects: readonly Case[] = [
  ...rowCases,
  {
    says: 'a custom resource says its kind and version, and they are the right ones',
    steps: async t => {
      const path = await serving(t, { versions: [version(object({ a: text }))] });
      await t.post(path, { metadata: { name: 'a' } });
      await t.post(path, { ...widget(t, {}), kind: 'Gadget' });
      await t.post(path, { ...widget(t, {}), apiVersion: 'example.com/v9' });
      await t.post(path, widget(t, {}, { metadata: { name: 'A_b' } }));
      await t.post(path, widget(t, {}, { metadata: { name: 'a', labels: { x: 1 } } }));
      await t.post(path, widget(t, {}, { brand: 'new' }));
    },
  },
  {
    says: 'the status of a custom resource is apart when the definition says so',
    steps: async t => {
      const path = await serving(t, { versions: [version(object({ a: text }), { subresources: { status: {} } })] });
      await t.post(path, widget(t, { a: 'x' }, { status: { phase: 'Up' } }));
      await t.patch(`${path}/a/status`, 'merge-patch+json', {
        spec: { a: 'lost' },
        status: { phase: 'Up' },
        metadata: { labels: { a: 'b' } },
      });
      await t.patch(`${path}/a`, 'merge-patch+json', { spec: { a: 'y' }, status: { phase: 'Lost' } });
      await t.get(`${path}/a/status`);
    },
  },
  {
    says: 'without the status subresource a status is a field like others',
    steps: async t => {
      const path = await serving(t, { versions: [version(object({ a: text }))] });
      await t.post(path, widget(t, { a: 'x' }, { status: { phase: 'Up' } }));
      await t.patch(`${path}/a`, 'merge-patch+json', { status: { phase: 'Down' } });
      await t.get(`${path}/a/status`);
    },
  },
  {
    says: 'a default that comes later is seen on what is stored',
    steps: async t => {
      const path = await serving(t, { versions: [version(object({ a: text }))] });
      await t.post(path, widget(t, { a: 'x' }));
      const later = version(object({ a: text, b: { ...text, default: 'later' } }));
      await redefined(t, later, { method: 'GET', path: `${path}/a` }, ({ json }) => json.spec.b !== undefined);
      await t.get(`${path}/a`);
      await t.get(path);
    },
  },
  {
    says: 'a field that leaves the schema is not seen on what is stored',
    steps: async t => {
      const path = await serving(t, { versions: [version(object({ a: text, b: text }))] });
      await t.post(path, widget(t, { a: 'x', b: 'y' }));
      await redefined(
        t,
        version(object({ a: text })),
        { method: 'GET', path: `${path}/a` },
        ({ json }) => json.spec.b === undefined,
      );
      await t.get(`${path}/a`);
      await t.patch(`${path}/a`, 'merge-patch+json', { metadata: { labels: { a: 'b' } } });
    },
  },
  {
    says: 'a schema that becomes stricter holds for changes, and lets what was wrong before be',
    steps: async t => {
      const path = await serving(t, { versions: [version(object({ a: text, b: text }))] });
      await t.post(path, widget(t, { a: 'long enough', b: 'x' }));
      const strict = version(object({ a: { ...text, maxLength: 3 }, b: text }));
      const probe = {
        method: 'POST',
        path: `${path}?dryRun=All`,
        body: widget(t, { a: 'too long' }, { metadata: { name: 'b' } }),
      };
      await redefined(t, strict, probe, ({ status }) => status === 422);
      await t.patch(`${path}/a`, 'merge-patch+json', { spec: { b: 'y' } });
      await t.patch(`${path}/a`, 'merge-patch+json', { spec: { a: 'also long' } });
    },
  },
];
