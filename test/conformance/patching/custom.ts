// Patches and applies of custom resources: topology comes from the definition.

import type { Case } from '../frame/case.ts';
import type { Trial } from '../frame/trial.ts';

type Json = Readonly<Record<string, unknown>>;

const text = { type: 'string' };
const SCHEMA = {
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      properties: {
        size: { type: 'integer', default: 3 },
        parts: {
          type: 'array',
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['name'],
          items: { type: 'object', required: ['name'], properties: { name: text, weight: { type: 'integer' } } },
        },
        tags: { type: 'array', 'x-kubernetes-list-type': 'set', items: text },
        plain: { type: 'array', items: text },
        whole: { type: 'object', 'x-kubernetes-map-type': 'atomic', properties: { a: text, b: text } },
        open: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
      },
    },
    status: { type: 'object', properties: { phase: text } },
  },
};

/** Defines a kind of the case's own and waits until it is served; the path of its objects. */
async function defined(t: Trial): Promise<{ path: string; apiVersion: string }> {
  const group = `${t.ns}.example.com`;
  const name = `things.${group}`;
  const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
  const versions = [
    { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: SCHEMA }, subresources: { status: {} } },
  ];
  const names = { plural: 'things', singular: 'thing', kind: 'Thing', listKind: 'ThingList' };
  const body = { metadata: { name }, spec: { group, scope: 'Namespaced', names, versions } };
  await t.quietly({ method: 'POST', path: definitions, body });
  t.after(() => t.quietly({ method: 'DELETE', path: `${definitions}/${name}` }));
  const path = await t.in('things', `/apis/${group}/v1`);
  for (;;) {
    if ((await t.quietly({ method: 'GET', path })).status === 200) return { path, apiVersion: `${group}/v1` };
    await new Promise(resolve => setTimeout(resolve, 50));
  }
}

interface Row {
  readonly says: string;
  readonly writes: readonly (readonly [how: string, by: string, body: Json])[];
}

const spec = (value: Json): Json => ({ spec: value });
const part = (name: string, weight: number): Json => ({ name, weight });

const ROWS: readonly Row[] = [
  {
    says: 'an applied custom resource gets defaults that nobody owns',
    writes: [['apply', 'one', spec({ tags: ['a'] })]],
  },
  {
    says: 'lists of type map merge by their keys',
    writes: [
      ['apply', 'one', spec({ parts: [part('a', 1)] })],
      ['apply', 'two', spec({ parts: [part('b', 2)] })],
      ['apply', 'one', spec({ parts: [] })],
    ],
  },
  {
    says: 'an element of a list of type map conflicts by its key',
    writes: [
      ['apply', 'one', spec({ parts: [part('a', 1)] })],
      ['apply', 'two', spec({ parts: [part('a', 2)] })],
      ['force', 'two', spec({ parts: [part('a', 2)] })],
    ],
  },
  {
    says: 'lists of type set merge by value',
    writes: [
      ['apply', 'one', spec({ tags: ['a', 'b'] })],
      ['apply', 'two', spec({ tags: ['b', 'c'] })],
      ['apply', 'one', spec({ tags: ['a'] })],
    ],
  },
  {
    says: 'lists without a type are atomic',
    writes: [
      ['apply', 'one', spec({ plain: ['a'] })],
      ['apply', 'two', spec({ plain: ['a', 'b'] })],
      ['apply', 'two', spec({ plain: ['a'] })],
    ],
  },
  {
    says: 'maps of type atomic are owned whole',
    writes: [
      ['apply', 'one', spec({ whole: { a: '1' } })],
      ['apply', 'two', spec({ whole: { b: '2' } })],
      ['force', 'two', spec({ whole: { b: '2' } })],
    ],
  },
  {
    says: 'what a schema leaves open is owned by leaf',
    writes: [
      ['apply', 'one', spec({ open: { deep: { er: 1 }, list: [1, 2] } })],
      ['apply', 'two', spec({ open: { deep: { too: 2 } } })],
      ['apply', 'one', spec({ open: {} })],
    ],
  },
  { says: 'unknown fields of a custom resource cannot be applied', writes: [['apply', 'one', spec({ brand: 'new' })]] },
  {
    says: 'keys of a list of type map are unique',
    writes: [
      ['apply', 'one', spec({ parts: [part('a', 1), part('a', 2)] })],
      ['apply', 'one', spec({ tags: ['x', 'x'] })],
    ],
  },
  {
    says: 'the status of a custom resource is applied on its path',
    writes: [
      ['apply', 'one', spec({ size: 1 })],
      ['status', 'ctl', { status: { phase: 'Up' }, spec: { size: 9 } }],
      ['apply', 'one', { spec: { size: 2 }, status: { phase: 'Down' } }],
    ],
  },
  {
    says: 'the generation of a custom resource counts changes of its spec',
    writes: [
      ['apply', 'one', spec({ size: 1 })],
      ['apply', 'one', spec({ size: 2 })],
      ['merge', 'one', { metadata: { labels: { a: 'b' } } }],
      ['merge', 'one', spec({ size: 2 })],
    ],
  },
  {
    says: 'a strategic merge patch of a custom resource answers 415',
    writes: [
      ['apply', 'one', spec({ size: 1 })],
      ['strategic', 'one', spec({ size: 2 })],
    ],
  },
  {
    says: 'a merge patch of a custom resource prunes, and replaces lists',
    writes: [
      ['apply', 'one', spec({ parts: [part('a', 1)] })],
      ['merge', 'two', spec({ parts: [part('b', 2)], brand: 'new' })],
    ],
  },
  {
    says: 'null in a merge patch of a defaulted field brings the default back',
    writes: [
      ['apply', 'one', spec({ size: 1 })],
      ['merge', 'two', spec({ size: null })],
    ],
  },
  {
    says: 'a required key that an apply leaves out is refused',
    writes: [['apply', 'one', spec({ parts: [{ weight: 1 }] })]],
  },
  {
    says: 'a wrong type in an apply of a custom resource is refused',
    writes: [
      ['apply', 'one', spec({ size: 'big' })],
      ['apply', 'one', spec({ parts: { a: 1 } })],
    ],
  },
];

const TYPES: Readonly<Record<string, string>> = { merge: 'merge-patch+json', strategic: 'strategic-merge-patch+json' };

export const customPatches: readonly Case[] = ROWS.map(({ says, writes }) => ({
  says,
  steps: async t => {
    const { path, apiVersion } = await defined(t);
    for (const [how, by, body] of writes) {
      const asked = `fieldManager=${by}${how === 'force' ? '&force=true' : ''}`;
      const at = `${path}/a${how === 'status' ? '/status' : ''}?${asked}`;
      const type = TYPES[how];
      if (type !== undefined) await t.patch(at, type, body);
      else await t.patch(at, 'apply-patch+yaml', { apiVersion, kind: 'Thing', metadata: { name: 'a' }, ...body });
    }
  },
}));
