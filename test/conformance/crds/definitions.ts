// Definitions themselves: names, versions, what is served, and how they end.

import type { Case } from '../frame/case.ts';
import {
  DEFINITIONS,
  defined,
  definition,
  groupOf,
  type Json,
  object,
  pathOf,
  serving,
  text,
  untilServed,
  version,
  whole,
  widget,
} from './define.ts';

const plain = version(object({ a: text }));
const scale = {
  specReplicasPath: '.spec.replicas',
  statusReplicasPath: '.status.replicas',
  labelSelectorPath: '.status.selector',
};

const established = (crd: Json | undefined): boolean =>
  ((crd?.status as { conditions?: { type: string; status: string }[] })?.conditions ?? []).some(
    ({ type, status }) => type === 'Established' && status === 'True',
  );

const column = (name: string, jsonPath: string, more: Json = {}): Json => ({ name, type: 'string', jsonPath, ...more });

export const definitions: readonly Case[] = [
  {
    says: 'a definition is established: names, conditions, stored versions',
    steps: async t => {
      await defined(t, { versions: [plain] });
      await t.until(pathOf(t), established);
      await untilServed(t, `/apis/${groupOf(t)}/v1/widgets`);
      await t.get(`/apis/${groupOf(t)}`);
      await t.get(`/apis/${groupOf(t)}/v1`);
    },
  },
  {
    says: 'the name of a definition is its plural and its group',
    steps: async t => {
      await t.post(DEFINITIONS, definition(t, { versions: [plain], metadata: { name: t.own('other') } }));
      await t.post(DEFINITIONS, definition(t, { versions: [plain], spec: { group: 'nodots' } }));
      await t.post(DEFINITIONS, definition(t, { versions: [plain], names: { kind: 'widget_x', plural: 'Widgets' } }));
      await t.post(DEFINITIONS, definition(t, { versions: [plain], names: { kind: '', listKind: 'Widget' } }));
      await t.post(DEFINITIONS, definition(t, { versions: [plain], names: { kind: 'Widget', listKind: 'Widget' } }));
      await t.post(
        DEFINITIONS,
        definition(t, { versions: [plain], names: { shortNames: ['W x'], categories: ['A b'] } }),
      );
    },
  },
  {
    says: 'a definition has a scope, versions, and one that is stored',
    steps: async t => {
      await t.post(DEFINITIONS, definition(t, { versions: [] }));
      await t.post(DEFINITIONS, definition(t, { versions: [plain], scope: 'Galaxy' }));
      await t.post(DEFINITIONS, definition(t, { versions: [{ ...plain, storage: false }] }));
      await t.post(DEFINITIONS, definition(t, { versions: [plain, { ...plain, name: 'v2' }] }));
      await t.post(DEFINITIONS, definition(t, { versions: [plain, { ...plain, storage: false }] }));
      await t.post(DEFINITIONS, definition(t, { versions: [{ ...plain, name: 'V_1' }] }));
    },
  },
  {
    says: 'groups of Kubernetes itself need an approval',
    steps: async t => {
      const group = `${t.ns}.k8s.io`;
      const body = definition(t, { versions: [plain], spec: { group }, metadata: { name: `widgets.${group}` } });
      await t.post(DEFINITIONS, body);
      const annotations = { 'api-approved.kubernetes.io': 'unapproved, only for tests' };
      await t.post(DEFINITIONS, { ...body, metadata: { name: `widgets.${group}`, annotations } });
      t.after(() => t.quietly({ method: 'DELETE', path: `${DEFINITIONS}/widgets.${group}` }));
    },
  },
  {
    says: 'names that another definition has are not accepted',
    steps: async t => {
      await serving(t, { versions: [plain], names: { shortNames: [t.own('w')] } });
      await defined(t, {
        versions: [plain],
        plural: 'gadgets',
        names: { singular: 'gadget', kind: 'Widget', listKind: 'GadgetList' },
      });
      const taken = (crd: Json | undefined): boolean =>
        ((crd?.status as { conditions?: { type: string; status: string }[] })?.conditions ?? []).some(
          ({ type, status }) => type === 'NamesAccepted' && status === 'False',
        );
      await t.until(pathOf(t, 'gadgets'), taken);
    },
  },
  {
    says: 'the scope of a definition and its names of record do not change',
    steps: async t => {
      await serving(t, { versions: [plain] });
      await t.patch(pathOf(t), 'merge-patch+json', { spec: { scope: 'Cluster' } });
      await t.patch(pathOf(t), 'merge-patch+json', { spec: { group: 'other.example.com' } });
      await t.patch(pathOf(t), 'merge-patch+json', { spec: { names: { plural: 'others' } } });
      await t.patch(pathOf(t), 'merge-patch+json', { spec: { names: { kind: 'Gadget', listKind: 'GadgetList' } } });
      await t.patch(pathOf(t), 'merge-patch+json', { spec: { names: { shortNames: [t.own('s')] } } });
    },
  },
  {
    says: 'a version that is stored somewhere cannot leave the definition',
    steps: async t => {
      const second = { ...plain, name: 'v2', storage: false };
      await serving(t, { versions: [plain, second] });
      const swapped = [
        { ...plain, storage: false },
        { ...second, storage: true },
      ];
      await t.patch(pathOf(t), 'merge-patch+json', { spec: { versions: swapped } });
      await t.until(pathOf(t), crd => crd?.status.storedVersions.length === 2);
      await t.patch(pathOf(t), 'merge-patch+json', { spec: { versions: [{ ...second, storage: true }] } });
      await t.patch(`${pathOf(t)}/status`, 'merge-patch+json', { status: { storedVersions: [] } });
      await t.patch(`${pathOf(t)}/status`, 'merge-patch+json', { status: { storedVersions: ['v2'] } });
      await t.patch(pathOf(t), 'merge-patch+json', { spec: { versions: [{ ...second, storage: true }] } });
    },
  },
  {
    says: 'an object is served in every version that is served',
    steps: async t => {
      const versions = [
        plain,
        { ...plain, name: 'v2', storage: false },
        { ...plain, name: 'v3', storage: false, served: false },
      ];
      const path = await serving(t, { versions });
      await untilServed(t, path.replace('/v1/', '/v2/'));
      await t.post(path, widget(t, { a: 'x' }));
      await t.get(`${path.replace('/v1/', '/v2/')}/a`);
      await t.get(`${path.replace('/v1/', '/v3/')}/a`);
      await t.put(`${path.replace('/v1/', '/v2/')}/a`, {
        ...widget(t, { a: 'y' }),
        apiVersion: `${groupOf(t)}/v2`,
        metadata: { name: 'a' },
      });
      await t.patch(`${path.replace('/v1/', '/v2/')}/a`, 'merge-patch+json', { spec: { a: 'z' } });
      await t.get(`${path}/a`);
      await t.get(`/apis/${groupOf(t)}`);
    },
  },
  {
    says: 'a deprecated version warns, in its own words if it has some',
    steps: async t => {
      const versions = [
        plain,
        { ...plain, name: 'v1beta1', storage: false, deprecated: true },
        { ...plain, name: 'v1alpha1', storage: false, deprecated: true, deprecationWarning: 'go away' },
      ];
      const path = await serving(t, { versions });
      await untilServed(t, path.replace('/v1/', '/v1beta1/'));
      await untilServed(t, path.replace('/v1/', '/v1alpha1/'));
      await t.get(path.replace('/v1/', '/v1beta1/'));
      await t.get(path.replace('/v1/', '/v1alpha1/'));
      await t.post(
        DEFINITIONS,
        definition(t, { plural: 'gadgets', versions: [{ ...plain, deprecationWarning: 'x' }] }),
      );
    },
  },
  {
    says: 'versions are sorted by how stable they are',
    steps: async t => {
      const of = (name: string): Json => ({ ...plain, name, storage: name === 'v1' });
      const path = await serving(t, { versions: ['v1alpha1', 'v1', 'v10beta2', 'v2', 'v2beta1', 'other'].map(of) });
      await untilServed(t, path.replace('/v1/', '/other/'));
      await t.get(`/apis/${groupOf(t)}`);
    },
  },
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
    says: 'a definition that goes takes its objects along, and waits for those that are held',
    steps: async t => {
      const path = await serving(t, { versions: [plain] });
      await t.quietly({
        method: 'POST',
        path,
        body: widget(t, { a: 'x' }, { metadata: { name: 'a', finalizers: ['example.com/hold'] } }),
      });
      await t.quietly({ method: 'POST', path, body: widget(t, {}, { metadata: { name: 'b' } }) });
      await t.delete(pathOf(t));
      await t.until(pathOf(t), crd =>
        ((crd?.status.conditions ?? []) as { type: string; reason: string }[]).some(
          ({ type, reason }) => type === 'Terminating' && reason === 'InstanceDeletionInProgress',
        ),
      );
      await t.until(`${path}/b`, gone => gone === undefined);
      await t.post(path, widget(t, {}, { metadata: { name: 'c' } }));
      await t.patch(`${path}/a`, 'merge-patch+json', { metadata: { finalizers: null } });
      await t.until(pathOf(t), gone => gone === undefined);
    },
  },
  {
    says: 'a kind that is gone is not served, and comes back empty',
    steps: async t => {
      const path = await serving(t, { versions: [plain] });
      await t.quietly({ method: 'POST', path, body: widget(t, { a: 'x' }) });
      await t.quietly({ method: 'DELETE', path: pathOf(t) });
      await t.until(pathOf(t), gone => gone === undefined);
      for (let tries = 0; tries < 200 && (await t.quietly({ method: 'GET', path })).status !== 404; tries++) {
        await new Promise(resolve => setTimeout(resolve, 50));
      }
      await t.get(path);
      await t.get(`/apis/${groupOf(t)}/v1`);
      await serving(t, { versions: [plain] });
      await t.get(path);
    },
  },
  {
    says: 'a watch of a kind ends when the kind is no longer served',
    steps: async t => {
      const path = await serving(t, { versions: [plain] });
      const watch = await t.watch(`${path}?watch=1`);
      await t.quietly({ method: 'POST', path, body: widget(t, { a: 'x' }) });
      await watch.frames(1);
      await t.quietly({ method: 'DELETE', path: pathOf(t) });
      await watch.toEnd();
    },
  },
  {
    says: 'kubectl’s short names and categories are in discovery',
    steps: async t => {
      const names = { shortNames: [t.own('w')], categories: ['all'], singular: '' };
      await serving(t, { versions: [version(object({}), { subresources: { status: {}, scale } })], names });
      await t.get(`/apis/${groupOf(t)}/v1`);
    },
  },
  {
    says: 'the schema of a kind is in OpenAPI v3',
    steps: async t => {
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
      t.note(
        'schemas',
        names.map(name => [name, json.components.schemas[name]]),
      );
      t.note('paths', Object.keys(json.paths).sort());
    },
  },
];
