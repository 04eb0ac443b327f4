// Definitions themselves: names, versions, what is served, and how they end.

import type { Case } from '../frame/case.ts';
import type { Trial } from '../frame/trial.ts';
import {
  DEFINITIONS,
  defined,
  definition,
  groupOf,
  type Json,
  object,
  pathOf,
  serving,
  settled,
  text,
  untilServed,
  version,
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

const _column = (name: string, jsonPath: string, more: Json = {}): Json => ({
  name,
  type: 'string',
  jsonPath,
  ...more,
});

/** The hash of a storage version depends on the group, whose name has a part of the run's own. */
async function discovered(t: Trial): Promise<void> {
  // The real server's discovery comes a moment after the kind itself.
  const path = `/apis/${groupOf(t)}/v1`;
  await settled(t, path, ({ resources }) => Array.isArray(resources));
  const { json } = await t.quietly({ method: 'GET', path });
  const resources = json.resources.map((resource: Json) => {
    const { storageVersionHash, ...rest } = resource;
    return { ...rest, hasHash: typeof storageVersionHash === 'string' };
  });
  t.note('discovery', { ...json, resources });
}

export const definitions: readonly Case[] = [
  {
    says: 'a definition is established: names, conditions, stored versions',
    steps: async t => {
      await defined(t, { versions: [plain] });
      await t.until(pathOf(t), established);
      await untilServed(t, `/apis/${groupOf(t)}/v1/widgets`);
      await t.get(`/apis/${groupOf(t)}`);
      await discovered(t);
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
      const named = (crd: Json | undefined): readonly Json[] =>
        (crd?.status as { conditions?: Json[] })?.conditions ?? [];
      const path = `${DEFINITIONS}/widgets.${group}`;
      const json = await settled(t, path, crd => named(crd).length === 3 && established(crd));
      t.note(
        'conditions',
        named(json).toSorted((a, b) => (String(a.type) < String(b.type) ? -1 : 1)),
      );
      const spec = { scope: 'Namespaced' };
      await t.patch(path, 'merge-patch+json', {
        spec,
        metadata: { annotations: { 'api-approved.kubernetes.io': 'x' } },
      });
      await t.patch(path, 'merge-patch+json', {
        spec,
        metadata: { annotations: { 'api-approved.kubernetes.io': null } },
      });
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
    says: 'kubectl’s short names and categories are in discovery',
    steps: async t => {
      const names = { shortNames: [t.own('w')], categories: ['all'], singular: '' };
      await serving(t, { versions: [version(object({}), { subresources: { status: {}, scale } })], names });
      await discovered(t);
    },
  },
];
