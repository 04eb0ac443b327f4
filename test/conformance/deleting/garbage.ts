// The garbage collector in the background: what goes with its owners, and what lives on.

import type { Case } from '../frame/case.ts';
import { widgets } from '../frame/prepared.ts';
import type { Told } from '../frame/trial.ts';
import { gone, heldMap, made, merged, noteState, owner } from './made.ts';

const NOBODY = '11111111-2222-3333-4444-555555555555';

const owners = (object: Told['json'] | undefined): number => object?.metadata.ownerReferences?.length ?? 0;

export const garbage: readonly Case[] = [
  {
    says: 'what its owner leaves behind is deleted in the background',
    steps: async t => {
      const maps = await t.in('configmaps');
      const a = await made(t, maps, { metadata: { name: 'a' } });
      await made(t, maps, { metadata: { name: 'b', ownerReferences: [owner(a)] } });
      await t.delete(`${maps}/a`);
      await t.until(`${maps}/b`, gone);
    },
  },
  {
    says: 'dependents of dependents go too',
    steps: async t => {
      const maps = await t.in('configmaps');
      const a = await made(t, maps, { metadata: { name: 'a' } });
      const b = await made(t, maps, { metadata: { name: 'b', ownerReferences: [owner(a)] } });
      await made(t, maps, { metadata: { name: 'c', ownerReferences: [owner(b)] } });
      await t.quietly({ method: 'DELETE', path: `${maps}/a` });
      await t.until(`${maps}/c`, gone);
      await t.until(`${maps}/b`, gone);
    },
  },
  {
    says: 'an object whose owner never was is deleted',
    steps: async t => {
      const maps = await t.in('configmaps');
      const absent = { apiVersion: 'v1', kind: 'ConfigMap', name: 'none', uid: NOBODY };
      await t.post(maps, { metadata: { name: 'a', ownerReferences: [absent] } });
      await t.until(`${maps}/a`, gone);
    },
  },
  {
    says: 'an owner of the same name and another uid is no owner',
    steps: async t => {
      const maps = await t.in('configmaps');
      const a = await made(t, maps, { metadata: { name: 'a' } });
      await made(t, maps, { metadata: { name: 'b', ownerReferences: [owner(a, { uid: NOBODY })] } });
      await t.until(`${maps}/b`, gone);
      await noteState(t, `${maps}/a`);
    },
  },
  {
    says: 'an owner of another kind under the same uid is no owner',
    steps: async t => {
      const maps = await t.in('configmaps');
      const a = await made(t, maps, { metadata: { name: 'a' } });
      await made(t, maps, { metadata: { name: 'b', ownerReferences: [owner(a, { name: 'other' })] } });
      await made(t, maps, { metadata: { name: 'c', ownerReferences: [owner(a, { kind: 'Secret' })] } });
      await t.until(`${maps}/b`, gone);
      await t.until(`${maps}/c`, gone);
      await noteState(t, `${maps}/a`);
    },
  },
  {
    says: 'an owner of another Namespace is no owner',
    steps: async t => {
      const maps = await t.in('configmaps');
      const other = t.own('other');
      t.after(() => t.quietly({ method: 'DELETE', path: `/api/v1/namespaces/${other}` }));
      await made(t, '/api/v1/namespaces', { metadata: { name: other } });
      const away = await made(t, `/api/v1/namespaces/${other}/configmaps`, { metadata: { name: 'a' } });
      await made(t, maps, { metadata: { name: 'b', ownerReferences: [owner(away)] } });
      await t.until(`${maps}/b`, gone);
      await noteState(t, `/api/v1/namespaces/${other}/configmaps/a`);
    },
  },
  {
    says: 'an owner of the cluster keeps what is in Namespaces, and takes it along',
    steps: async t => {
      const maps = await t.in('configmaps');
      const roles = '/apis/rbac.authorization.k8s.io/v1/clusterroles';
      const name = t.own('role');
      t.after(() => t.quietly({ method: 'DELETE', path: `${roles}/${name}` }));
      const role = await made(t, roles, { metadata: { name }, rules: [] });
      const named = { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole' };
      await made(t, maps, { metadata: { name: 'a', ownerReferences: [owner({ ...role, ...named })] } });
      await t.delete(`${roles}/${name}`);
      await t.until(`${maps}/a`, gone);
    },
  },
  {
    says: 'an object of the cluster with an owner in a Namespace is left alone',
    steps: async t => {
      const maps = await t.in('configmaps');
      const a = await made(t, maps, { metadata: { name: 'a' } });
      const roles = '/apis/rbac.authorization.k8s.io/v1/clusterroles';
      const name = t.own('role');
      t.after(() => t.quietly({ method: 'DELETE', path: `${roles}/${name}` }));
      await made(t, roles, { metadata: { name, ownerReferences: [owner(a)] }, rules: [] });
      await made(t, maps, { metadata: { name: 'b', ownerReferences: [owner(a)] } });
      await t.quietly({ method: 'DELETE', path: `${maps}/a` });
      await t.until(`${maps}/b`, gone);
      await noteState(t, `${roles}/${name}`);
    },
  },
  {
    says: 'an owner of a kind that nobody serves keeps its dependent',
    steps: async t => {
      const maps = await t.in('configmaps');
      const odd = { apiVersion: 'none.example.com/v1', kind: 'Thing', name: 'x', uid: NOBODY };
      const a = await made(t, maps, { metadata: { name: 'a' } });
      await made(t, maps, { metadata: { name: 'b', ownerReferences: [odd] } });
      await made(t, maps, { metadata: { name: 'c', ownerReferences: [owner(a)] } });
      await t.quietly({ method: 'DELETE', path: `${maps}/a` });
      await t.until(`${maps}/c`, gone);
      await noteState(t, `${maps}/b`);
    },
  },
  {
    says: 'of two owners one keeps the dependent, which loses the other',
    steps: async t => {
      const maps = await t.in('configmaps');
      const [a, b] = [
        await made(t, maps, { metadata: { name: 'a' } }),
        await made(t, maps, { metadata: { name: 'b' } }),
      ];
      await made(t, maps, { metadata: { name: 'c', ownerReferences: [owner(a), owner(b)] } });
      await t.quietly({ method: 'DELETE', path: `${maps}/a` });
      await t.until(`${maps}/c`, object => owners(object) === 1);
      await t.quietly({ method: 'DELETE', path: `${maps}/b` });
      await t.until(`${maps}/c`, gone);
    },
  },
  {
    says: 'two owners that go one after the other take the dependent along',
    steps: async t => {
      const maps = await t.in('configmaps');
      const [a, b] = [
        await made(t, maps, { metadata: { name: 'a' } }),
        await made(t, maps, { metadata: { name: 'b' } }),
      ];
      await made(t, maps, { metadata: { name: 'c', ownerReferences: [owner(a, { controller: true }), owner(b)] } });
      await Promise.all([
        t.quietly({ method: 'DELETE', path: `${maps}/a` }),
        t.quietly({ method: 'DELETE', path: `${maps}/b` }),
      ]);
      await t.until(`${maps}/c`, gone);
    },
  },
  {
    says: 'a held owner keeps its dependents until it is really gone',
    steps: async t => {
      const maps = await t.in('configmaps');
      const a = await heldMap(t, 'a');
      await made(t, maps, { metadata: { name: 'b', ownerReferences: [owner(a)] } });
      const witness = await made(t, maps, { metadata: { name: 'w' } });
      await made(t, maps, { metadata: { name: 'v', ownerReferences: [owner(witness)] } });
      await t.quietly({ method: 'DELETE', path: `${maps}/a` });
      await t.quietly({ method: 'DELETE', path: `${maps}/w` });
      await t.until(`${maps}/v`, gone);
      await noteState(t, `${maps}/b`);
      await merged(t, `${maps}/a`, { metadata: { finalizers: null } });
      await t.until(`${maps}/b`, gone);
    },
  },
  {
    says: 'a dependent with a finalizer of its own is marked and stays',
    steps: async t => {
      const maps = await t.in('configmaps');
      const a = await made(t, maps, { metadata: { name: 'a' } });
      await heldMap(t, 'b', { ownerReferences: [owner(a)] });
      await t.quietly({ method: 'DELETE', path: `${maps}/a` });
      await t.until(`${maps}/b`, object => object?.metadata.deletionTimestamp !== undefined);
      await t.patch(`${maps}/b`, 'merge-patch+json', { metadata: { finalizers: null } });
      await t.get(`${maps}/b`);
    },
  },
  {
    says: 'a reference that is taken off before the owner goes saves the dependent',
    steps: async t => {
      const maps = await t.in('configmaps');
      const a = await made(t, maps, { metadata: { name: 'a' } });
      await made(t, maps, { metadata: { name: 'b', ownerReferences: [owner(a)] } });
      await made(t, maps, { metadata: { name: 'c', ownerReferences: [owner(a)] } });
      await merged(t, `${maps}/b`, { metadata: { ownerReferences: null } });
      await t.quietly({ method: 'DELETE', path: `${maps}/a` });
      await t.until(`${maps}/c`, gone);
      await noteState(t, `${maps}/b`);
    },
  },
  {
    says: 'a reference to nothing that is added later condemns an object',
    steps: async t => {
      const maps = await t.in('configmaps');
      await made(t, maps, { metadata: { name: 'a' } });
      const absent = { apiVersion: 'v1', kind: 'ConfigMap', name: 'none', uid: NOBODY };
      await t.patch(`${maps}/a`, 'merge-patch+json', { metadata: { ownerReferences: [absent] } });
      await t.until(`${maps}/a`, gone);
    },
  },
  {
    says: 'objects that own each other live as long as both are wanted',
    steps: async t => {
      const maps = await t.in('configmaps');
      const a = await made(t, maps, { metadata: { name: 'a' } });
      const b = await made(t, maps, { metadata: { name: 'b', ownerReferences: [owner(a)] } });
      await merged(t, `${maps}/a`, { metadata: { ownerReferences: [owner(b)] } });
      await t.delete(`${maps}/a`);
      await t.until(`${maps}/b`, gone);
    },
  },
  {
    says: 'an object that owns itself goes when it is told to',
    steps: async t => {
      const maps = await t.in('configmaps');
      const a = await made(t, maps, { metadata: { name: 'a' } });
      await merged(t, `${maps}/a`, { metadata: { ownerReferences: [owner(a)] } });
      await t.delete(`${maps}/a`);
      await t.get(`${maps}/a`);
    },
  },
  {
    says: 'custom objects own and are owned like all others',
    steps: async t => {
      const { path, api } = await widgets(t, {});
      const maps = await t.in('configmaps');
      const widget = await made(t, path, { apiVersion: api, kind: 'Widget', metadata: { name: 'a' } });
      await made(t, maps, { metadata: { name: 'b', ownerReferences: [owner(widget)] } });
      const map = await made(t, maps, { metadata: { name: 'c' } });
      const body = { apiVersion: api, kind: 'Widget', metadata: { name: 'd', ownerReferences: [owner(map)] } };
      await made(t, path, body);
      await t.delete(`${path}/a`);
      await t.delete(`${maps}/c`);
      await t.until(`${maps}/b`, gone);
      await t.until(`${path}/d`, gone);
    },
  },
  {
    says: 'the collector deletes under the uid and version that it judged',
    steps: async t => {
      const maps = await t.in('configmaps');
      const a = await made(t, maps, { metadata: { name: 'a' } });
      await made(t, maps, { metadata: { name: 'b', ownerReferences: [owner(a)] } });
      await t.quietly({ method: 'DELETE', path: `${maps}/a` });
      await t.until(`${maps}/b`, gone);
      await made(t, maps, { metadata: { name: 'b' } });
      await noteState(t, `${maps}/b`);
    },
  },
];
