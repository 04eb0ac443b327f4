// Names, labels, annotations, owners and finalizers: what an object may say about itself.

import type { Case } from '../frame/case.ts';
import type { Trial } from '../frame/trial.ts';

const RBAC = '/apis/rbac.authorization.k8s.io/v1';

const named = async (t: Trial, ...names: string[]): Promise<void> => {
  const maps = await t.in('configmaps');
  for (const name of names) await t.post(maps, { metadata: { name } });
};

const labelled = async (t: Trial, ...labels: object[]): Promise<void> => {
  const maps = await t.in('configmaps');
  for (const each of labels) await t.post(maps, { metadata: { name: 'a', labels: each } });
};

const owned = async (t: Trial, ...owners: object[]): Promise<void> => {
  // Dry: the garbage collector would take what has no owner.
  await t.post(await t.in('configmaps?dryRun=All'), { metadata: { name: 'a', ownerReferences: owners } });
};

const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: 'o', uid: '11111111-2222-3333-4444-555555555555' };

export const metadata: readonly Case[] = [
  {
    says: 'a name of most kinds is a DNS subdomain',
    steps: t => named(t, 'Upper', 'under_score', 'end-', '.dot', 'a..b', 'a/b', 'sp ace', 'ok.with.dots'),
  },
  {
    says: 'a name of most kinds has at most 253 characters',
    steps: t => named(t, 'a'.repeat(253), 'a'.repeat(254)),
  },
  {
    says: 'a Namespace is named by a DNS label',
    steps: async t => {
      for (const name of ['with.dot', 'a'.repeat(64), 'Upper']) {
        await t.post('/api/v1/namespaces', { metadata: { name } });
      }
    },
  },
  {
    says: 'a Service may be named by any DNS label of 63 characters',
    steps: async t => {
      const services = await t.in('services');
      const spec = { type: 'ExternalName', externalName: 'example.com' };
      for (const name of ['1digit', 'with.dot', 'b'.repeat(64)]) await t.post(services, { metadata: { name }, spec });
    },
  },
  {
    says: 'a Role may have any name that is one segment of a path',
    steps: async t => {
      const roles = await t.in('roles', RBAC);
      for (const name of ['system:any/thing', 'per%cent', '..', 'Any:Thing']) {
        await t.post(roles, { metadata: { name }, rules: [] });
      }
    },
  },
  {
    says: 'label keys are a name with an optional prefix',
    steps: t => labelled(t, { '': 'v' }, { 'a b': 'v' }, { 'x/y/z': 'v' }, { '/y': 'v' }, { 'Up.per/y': 'v' }),
  },
  {
    says: 'label keys have at most 63 characters, and their prefix 253',
    steps: t => labelled(t, { ['k'.repeat(64)]: 'v' }, { [`${'p'.repeat(254)}/k`]: 'v' }),
  },
  {
    says: 'label values are empty or have at most 63 characters of few kinds',
    steps: t => labelled(t, { a: 'sp ace' }, { a: 'v'.repeat(64) }, { a: '-x' }, { a: '' }),
  },
  {
    says: 'a label value that is no string is refused by its type',
    steps: t => labelled(t, { a: 1 }, { a: null }, { a: true }),
  },
  {
    says: 'annotation keys are labels keys, of any case; values are free',
    steps: async t => {
      const maps = await t.in('configmaps');
      await t.post(maps, { metadata: { name: 'a', annotations: { 'a b': 'v' } } });
      await t.post(maps, { metadata: { name: 'b', annotations: { 'Example.COM/a': 'any\nthing ü' } } });
    },
  },
  {
    says: 'annotations have at most 256 KiB in all',
    steps: async t => {
      const maps = await t.in('configmaps');
      await t.post(maps, { metadata: { name: 'a', annotations: { a: 'x'.repeat(262_144) } } });
    },
  },
  {
    says: 'every mistake in the metadata is told at once',
    steps: async t => {
      await t.post(await t.in('configmaps'), {
        metadata: { name: 'A', labels: { 'a b': 'c d' }, annotations: { '/': '' }, finalizers: ['x y'] },
      });
    },
  },
  {
    says: 'an owner reference needs apiVersion, kind, name and uid',
    steps: t => owned(t, {}),
  },
  {
    says: 'an owner reference names a group and version',
    steps: async t => {
      await owned(t, { ...owner, apiVersion: 'a/b/c' });
      await owned(t, { ...owner, apiVersion: '/v1' });
    },
  },
  {
    says: 'an Event cannot be an owner',
    steps: async t => {
      await owned(t, { ...owner, kind: 'Event' });
      await owned(t, { ...owner, apiVersion: 'events.k8s.io/v1', kind: 'Event' });
    },
  },
  {
    says: 'only one owner may be the controller',
    steps: t => owned(t, { ...owner, controller: true }, { ...owner, name: 'p', controller: true }),
  },
  {
    says: 'an owner that is named twice is kept once, with a warning',
    steps: async t => {
      await owned(t, owner, owner);
      await t.quietly({ method: 'POST', path: await t.in('configmaps'), body: { metadata: { name: 'a' } } });
      const path = await t.in('configmaps/a?dryRun=All');
      await t.patch(path, 'merge-patch+json', { metadata: { ownerReferences: [owner, { ...owner, name: 'p' }] } });
    },
  },
  {
    says: 'a finalizer of a built-in kind is qualified, or one of the standard ones',
    steps: async t => {
      const maps = await t.in('configmaps');
      for (const each of ['plain', 'a b', 'example.com/', 'kubernetes', 'example.com/ok']) {
        await t.post(maps, { metadata: { name: 'a', finalizers: [each] } });
      }
      await t.patch(`${maps}/a`, 'merge-patch+json', { metadata: { finalizers: null } });
    },
  },
  {
    says: 'orphan and foregroundDeletion cannot stand together',
    steps: async t => {
      await t.post(await t.in('configmaps'), { metadata: { name: 'a', finalizers: ['orphan', 'foregroundDeletion'] } });
    },
  },
];
