// Foreground deletion: the owner goes last, held by those dependents that say so.

import type { Case } from '../frame/case.ts';
import { allowed } from '../frame/prepared.ts';
import type { Told } from '../frame/trial.ts';
import { gone, heldMap, made, merged, noteState, owner } from './made.ts';

const FOREGROUND = { propagationPolicy: 'Foreground' };
const BLOCKS = { blockOwnerDeletion: true };

const isMarked = (object: Told['json'] | undefined): boolean => object?.metadata.deletionTimestamp !== undefined;

export const foreground: readonly Case[] = [
  {
    says: 'a delete in the foreground marks the owner with a finalizer and answers it',
    steps: async t => {
      const maps = await t.in('configmaps');
      await heldMap(t, 'a');
      await t.delete(`${maps}/a?propagationPolicy=Foreground`);
      await t.until(`${maps}/a`, object => !object?.metadata.finalizers.includes('foregroundDeletion'));
    },
  },
  {
    says: 'a delete in the foreground of what has no dependents ends by itself',
    steps: async t => {
      const maps = await t.in('configmaps');
      await made(t, maps, { metadata: { name: 'a' } });
      await t.delete(`${maps}/a`, FOREGROUND);
      await t.until(`${maps}/a`, gone);
    },
  },
  {
    says: 'the owner waits for a dependent that blocks it',
    steps: async t => {
      const maps = await t.in('configmaps');
      const a = await made(t, maps, { metadata: { name: 'a' } });
      await heldMap(t, 'b', { ownerReferences: [owner(a, BLOCKS)] });
      await t.delete(`${maps}/a`, FOREGROUND);
      await t.until(`${maps}/b`, isMarked);
      await noteState(t, `${maps}/a`);
      await merged(t, `${maps}/b`, { metadata: { finalizers: null } });
      await t.until(`${maps}/a`, gone);
    },
  },
  {
    says: 'the owner does not wait for a dependent that does not block it',
    steps: async t => {
      const maps = await t.in('configmaps');
      const a = await made(t, maps, { metadata: { name: 'a' } });
      await heldMap(t, 'b', { ownerReferences: [owner(a)] });
      await t.delete(`${maps}/a`, FOREGROUND);
      await t.until(`${maps}/a`, gone);
      await t.until(`${maps}/b`, isMarked);
    },
  },
  {
    says: 'all dependents are deleted, those that block and those that do not',
    steps: async t => {
      const maps = await t.in('configmaps');
      const a = await made(t, maps, { metadata: { name: 'a' } });
      await made(t, maps, { metadata: { name: 'b', ownerReferences: [owner(a, BLOCKS)] } });
      await made(t, maps, { metadata: { name: 'c', ownerReferences: [owner(a, { blockOwnerDeletion: false })] } });
      await t.delete(`${maps}/a`, FOREGROUND);
      for (const name of ['b', 'c', 'a']) await t.until(`${maps}/${name}`, gone);
    },
  },
  {
    says: 'dependents with dependents of their own go in the foreground too',
    steps: async t => {
      const maps = await t.in('configmaps');
      const a = await made(t, maps, { metadata: { name: 'a' } });
      const b = await made(t, maps, { metadata: { name: 'b', ownerReferences: [owner(a, BLOCKS)] } });
      await heldMap(t, 'c', { ownerReferences: [owner(b, BLOCKS)] });
      await t.delete(`${maps}/a`, FOREGROUND);
      await t.until(`${maps}/c`, isMarked);
      await t.until(`${maps}/b`, isMarked);
      await noteState(t, `${maps}/a`);
      await merged(t, `${maps}/c`, { metadata: { finalizers: null } });
      await t.until(`${maps}/a`, gone);
    },
  },
  {
    says: 'a dependent with another owner loses the reference and lives on',
    steps: async t => {
      const maps = await t.in('configmaps');
      const [a, b] = [
        await made(t, maps, { metadata: { name: 'a' } }),
        await made(t, maps, { metadata: { name: 'b' } }),
      ];
      await made(t, maps, { metadata: { name: 'c', ownerReferences: [owner(a, BLOCKS), owner(b)] } });
      await t.delete(`${maps}/a`, FOREGROUND);
      await t.until(`${maps}/a`, gone);
      await noteState(t, `${maps}/c`);
    },
  },
  {
    says: 'a dependent that stops to block lets the owner go',
    steps: async t => {
      const maps = await t.in('configmaps');
      const a = await made(t, maps, { metadata: { name: 'a' } });
      await heldMap(t, 'b', { ownerReferences: [owner(a, BLOCKS)] });
      await t.delete(`${maps}/a`, FOREGROUND);
      await t.until(`${maps}/b`, isMarked);
      await merged(t, `${maps}/b`, { metadata: { ownerReferences: [owner(a)] } });
      await t.until(`${maps}/a`, gone);
    },
  },
  {
    says: 'a dependent that is marked already is waited for',
    steps: async t => {
      const maps = await t.in('configmaps');
      const a = await made(t, maps, { metadata: { name: 'a' } });
      await heldMap(t, 'b', { ownerReferences: [owner(a, BLOCKS)] });
      await t.quietly({ method: 'DELETE', path: `${maps}/b` });
      await made(t, maps, { metadata: { name: 'c', ownerReferences: [owner(a, BLOCKS)] } });
      await t.delete(`${maps}/a`, FOREGROUND);
      await t.until(`${maps}/c`, gone);
      await noteState(t, `${maps}/a`);
      await merged(t, `${maps}/b`, { metadata: { finalizers: null } });
      await t.until(`${maps}/a`, gone);
    },
  },
  {
    says: 'two objects that own and block each other go all the same',
    steps: async t => {
      const maps = await t.in('configmaps');
      const a = await made(t, maps, { metadata: { name: 'a' } });
      const b = await made(t, maps, { metadata: { name: 'b', ownerReferences: [owner(a, BLOCKS)] } });
      await merged(t, `${maps}/a`, { metadata: { ownerReferences: [owner(b, BLOCKS)] } });
      await t.quietly({ method: 'DELETE', path: `${maps}/a`, body: FOREGROUND });
      await t.until(`${maps}/a`, gone);
      await t.until(`${maps}/b`, gone);
    },
  },
  {
    says: 'a later delete in the background takes the foreground back',
    steps: async t => {
      const maps = await t.in('configmaps');
      const a = await heldMap(t, 'a');
      await heldMap(t, 'b', { ownerReferences: [owner(a, BLOCKS)] });
      await t.delete(`${maps}/a`, FOREGROUND);
      await t.until(`${maps}/b`, isMarked);
      await t.delete(`${maps}/a`);
      await t.delete(`${maps}/a`, { propagationPolicy: 'Background' });
    },
  },
  {
    says: 'a later delete may ask for orphans instead of the foreground',
    steps: async t => {
      const maps = await t.in('configmaps');
      const a = await heldMap(t, 'a');
      await heldMap(t, 'b', { ownerReferences: [owner(a, BLOCKS)] });
      await t.delete(`${maps}/a`, FOREGROUND);
      await t.until(`${maps}/b`, isMarked);
      await t.delete(`${maps}/a`, { propagationPolicy: 'Orphan' });
    },
  },
  {
    says: 'an object that bears foregroundDeletion goes in the foreground without being told',
    steps: async t => {
      const maps = await t.in('configmaps');
      const a = await made(t, maps, { metadata: { name: 'a', finalizers: ['foregroundDeletion'] } });
      await made(t, maps, { metadata: { name: 'b', ownerReferences: [owner(a, BLOCKS)] } });
      await t.delete(`${maps}/a`);
      await t.until(`${maps}/b`, gone);
      await t.until(`${maps}/a`, gone);
    },
  },
  {
    says: 'blockOwnerDeletion needs the right to set finalizers on the owner',
    steps: async t => {
      const maps = await t.in('configmaps');
      const a = await made(t, maps, { metadata: { name: 'a' } });
      const roles = await t.in('roles', '/apis/rbac.authorization.k8s.io/v1');
      const rules = [{ apiGroups: [''], resources: ['configmaps'], verbs: ['create', 'update', 'patch', 'get'] }];
      await made(t, roles, { metadata: { name: 'maps' }, rules });
      const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'maps' };
      const subjects = [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: t.own('user') }];
      const bindings = await t.in('rolebindings', '/apis/rbac.authorization.k8s.io/v1');
      await made(t, bindings, { metadata: { name: 'maps' }, roleRef, subjects });
      const as = { user: t.own('user') };
      await allowed(t, as.user, { namespace: t.ns, verb: 'create', resource: 'configmaps' });
      const body = { metadata: { name: 'b', ownerReferences: [owner(a, BLOCKS)] } };
      await t.post(maps, body, { as });
      await t.post(maps, { metadata: { name: 'c', ownerReferences: [owner(a)] } }, { as });
    },
  },
];
