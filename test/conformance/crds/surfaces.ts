// What a definition shows of its objects: columns, selectable fields, scale, and the schema itself.

import type { Case } from '../frame/case.ts';
import type { Trial } from '../frame/trial.ts';
import {
  DEFINITIONS,
  definition,
  groupOf,
  type Json,
  object,
  serving,
  text,
  untilServed,
  version,
  whole,
  widget,
} from './define.ts';

const scale = {
  specReplicasPath: '.spec.replicas',
  statusReplicasPath: '.status.replicas',
  labelSelectorPath: '.status.selector',
};

const column = (name: string, jsonPath: string, more: Json = {}): Json => ({ name, type: 'string', jsonPath, ...more });

/** The kind's own part of OpenAPI v3: names, schemas, paths. */
async function documented(
  t: Trial,
): Promise<{ readonly schemas: readonly unknown[]; readonly paths: readonly string[] }> {
  const spec = object(
    {
      a: { ...text, description: 'what it is', enum: ['x'] },
      l: { type: 'array', items: text, 'x-kubernetes-list-type': 'set' },
    },
    { required: ['a'] },
  );
  await serving(t, { versions: [version(spec)] });
  const path = `/openapi/v3/apis/${groupOf(t)}/v1`;
  await untilServed(t, path);
  const { json } = await t.quietly({ method: 'GET', path });
  const names = Object.keys(json.components.schemas).filter(name => name.includes('Widget'));
  return { schemas: names.map(name => [name, json.components.schemas[name]]), paths: Object.keys(json.paths).sort() };
}

function undescribed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(undescribed);
  if (typeof value !== 'object' || value === null) return value;
  const { description: _, ...rest } = value as Record<string, unknown>;
  return Object.fromEntries(Object.entries(rest).map(([key, each]) => [key, undescribed(each)]));
}

export const surfaces: readonly Case[] = [
  {
    says: 'printer columns fill the table',
    steps: async t => {
      const columns = [
        column('A', '.spec.a'),
        column('Count', '.spec.n', { type: 'integer', priority: 1, description: 'how many' }),
        column('Made', '.metadata.creationTimestamp', { type: 'date' }),
        column('Item', '.spec.list[0].x'),
        column('Ready', '.status.conditions[?(@.type=="Ready")].status'),
        column('Flag', '.spec.flag', { type: 'boolean' }),
      ];
      const spec = object({
        a: text,
        n: whole,
        flag: { type: 'boolean' },
        list: { type: 'array', items: object({ x: text }) },
      });
      const status = object({ conditions: { type: 'array', items: object({ type: text, status: text }) } });
      const schema = { openAPIV3Schema: object({ spec, status }) };
      const path = await serving(t, { versions: [version({}, { schema, additionalPrinterColumns: columns })] });
      await t.quietly({
        method: 'POST',
        path,
        body: widget(
          t,
          { a: 'x', n: 3, flag: true, list: [{ x: 'first' }, { x: 'second' }] },
          {
            status: {
              conditions: [
                { type: 'Other', status: 'False' },
                { type: 'Ready', status: 'True' },
              ],
            },
          },
        ),
      });
      await t.quietly({ method: 'POST', path, body: widget(t, {}, { metadata: { name: 'b' } }) });
      await t.get(path, { headers: { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json' } });
      await t.get(`${path}/a?includeObject=None`, {
        headers: { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' },
      });
    },
  },
  {
    says: 'printer columns are checked',
    steps: async t => {
      const bad = [
        column('', '.spec.a'),
        column('A', 'spec.a'),
        column('A', '.spec[', {}),
        { ...column('A', '.spec.a'), type: 'blob' },
        { ...column('A', '.spec.a'), format: 'blob' },
      ];
      for (const each of bad)
        await t.post(
          DEFINITIONS,
          definition(t, { versions: [version(object({ a: text }), { additionalPrinterColumns: [each] })] }),
        );
    },
  },
  {
    says: 'selectable fields select, and others cannot',
    steps: async t => {
      const selectableFields = [{ jsonPath: '.spec.a' }, { jsonPath: '.spec.n' }];
      const path = await serving(t, {
        versions: [version(object({ a: text, n: whole, b: text }), { selectableFields })],
      });
      await t.quietly({ method: 'POST', path, body: widget(t, { a: 'x', n: 1 }) });
      await t.quietly({ method: 'POST', path, body: widget(t, { a: 'y', n: 2 }, { metadata: { name: 'b' } }) });
      await t.get(`${path}?fieldSelector=spec.a%3Dx`);
      await t.get(`${path}?fieldSelector=spec.n%3D2,spec.a!%3Dx`);
      await t.get(`${path}?fieldSelector=spec.b%3Dx`);
      const bad = ['.spec.absent', '.metadata.name', 'spec.a', '.spec'];
      for (const [index, jsonPath] of bad.entries()) {
        await t.post(
          DEFINITIONS,
          definition(t, {
            plural: `gadgets${index}`,
            versions: [version(object({ a: text }), { selectableFields: [{ jsonPath }] })],
          }),
        );
      }
    },
  },
  {
    says: 'the scale of a custom resource is read and written where the definition says',
    steps: async t => {
      const schema = {
        openAPIV3Schema: object({
          spec: object({ replicas: whole }),
          status: object({ replicas: whole, selector: text }),
        }),
      };
      const path = await serving(t, { versions: [version({}, { schema, subresources: { status: {}, scale } })] });
      await t.quietly({ method: 'POST', path, body: widget(t, { replicas: 2 }) });
      await t.quietly({
        method: 'PATCH',
        path: `${path}/a/status`,
        headers: { 'content-type': 'application/merge-patch+json' },
        body: { status: { replicas: 1, selector: 'a=b' } },
      });
      await t.get(`${path}/a/scale`);
      await t.patch(`${path}/a/scale`, 'merge-patch+json', { spec: { replicas: 5 } });
      await t.put(`${path}/a/scale`, {
        apiVersion: 'autoscaling/v1',
        kind: 'Scale',
        metadata: { name: 'a' },
        spec: { replicas: -1 },
      });
      await t.get(`${path}/a`);
      await t.get(`${path}/absent/scale`);
    },
  },
  {
    says: 'the paths of a scale are checked',
    steps: async t => {
      const bad = [
        { ...scale, specReplicasPath: '' },
        { ...scale, specReplicasPath: '.status.replicas' },
        { ...scale, statusReplicasPath: '.spec.replicas' },
        { ...scale, labelSelectorPath: '.metadata.x' },
        { ...scale, specReplicasPath: '.spec.list[0]' },
      ];
      for (const each of bad) {
        await t.post(
          DEFINITIONS,
          definition(t, { versions: [version(object({ replicas: whole }), { subresources: { scale: each } })] }),
        );
      }
    },
  },
  {
    says: 'the schema of a kind is in OpenAPI v3',
    steps: async t => {
      const { schemas, paths } = await documented(t);
      t.note('schemas', undescribed(schemas));
      t.note('paths', paths);
    },
  },
  {
    says: 'OpenAPI v3 describes the fields that every kind has',
    difference: 2,
    steps: async t => {
      const { schemas } = await documented(t);
      t.note('schemas', schemas);
    },
  },
];
