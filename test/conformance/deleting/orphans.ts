// Orphaning: dependents lose the reference and live on.

import type { Case } from '../frame/case.ts';
import type { Told } from '../frame/trial.ts';
import { gone, heldMap, made, merged, noteState, owner } from './made.ts';

const ORPHAN = { propagationPolicy: 'Orphan' };

const isFree = (object: Told['json'] | undefined): boolean => object?.metadata.ownerReferences === undefined;

export const orphans: readonly Case[] = [
  {
    says: 'a delete with Orphan marks the owner with a finalizer and answers it',
    steps: async t => {
      await heldMap(t, 'a');
      const path = await t.in('configmaps/a');
      await t.delete(path, ORPHAN);
      await t.until(path, object => !object?.metadata.finalizers.includes('orphan'));
    },
  },
  {
    says: 'orphans lose the reference before their owner goes',
    steps: async t => {
      const maps = await t.in('configmaps');
      const a = await made(t, maps, { metadata: { name: 'a' } });
      await made(t, maps, { metadata: { name: 'b', ownerReferences: [owner(a, { controller: true })] } });
      await t.delete(`${maps}/a`, ORPHAN);
      await t.until(`${maps}/a`, gone);
      await t.get(`${maps}/b`);
    },
  },
  {
    says: 'orphans keep their other owners',
    steps: async t => {
      const maps = await t.in('configmaps');
      const [a, b] = [
        await made(t, maps, { metadata: { name: 'a' } }),
        await made(t, maps, { metadata: { name: 'b' } }),
      ];
      await made(t, maps, { metadata: { name: 'c', ownerReferences: [owner(a), owner(b)] } });
      await t.delete(`${maps}/a`, ORPHAN);
      await t.until(`${maps}/a`, gone);
      await noteState(t, `${maps}/c`);
    },
  },
  {
    says: 'orphanDependents is the old way to ask for it',
    steps: async t => {
      const maps = await t.in('configmaps');
      const a = await made(t, maps, { metadata: { name: 'a' } });
      await made(t, maps, { metadata: { name: 'b', ownerReferences: [owner(a)] } });
      await t.delete(`${maps}/a`, { orphanDependents: true });
      await t.until(`${maps}/a`, gone);
      await noteState(t, `${maps}/b`);
      const c = await made(t, maps, { metadata: { name: 'c' } });
      await made(t, maps, { metadata: { name: 'd', ownerReferences: [owner(c)] } });
      await t.delete(`${maps}/c?orphanDependents=false`);
      await t.until(`${maps}/d`, gone);
    },
  },
  {
    says: 'an object that bears the orphan finalizer orphans without being told',
    steps: async t => {
      const maps = await t.in('configmaps');
      const a = await made(t, maps, { metadata: { name: 'a', finalizers: ['orphan'] } });
      await made(t, maps, { metadata: { name: 'b', ownerReferences: [owner(a)] } });
      await t.delete(`${maps}/a`);
      await t.until(`${maps}/a`, gone);
      await noteState(t, `${maps}/b`);
    },
  },
  {
    says: 'what a client asks for wins over the orphan finalizer',
    steps: async t => {
      const maps = await t.in('configmaps');
      const a = await made(t, maps, { metadata: { name: 'a', finalizers: ['orphan'] } });
      await made(t, maps, { metadata: { name: 'b', ownerReferences: [owner(a)] } });
      await t.delete(`${maps}/a`, { propagationPolicy: 'Background' });
      await t.until(`${maps}/b`, gone);
    },
  },
  {
    says: 'a Job orphans its Pods by default, and tells so in its finalizers',
    steps: async t => {
      const jobs = await t.in('jobs', '/apis/batch/v1');
      const maps = await t.in('configmaps');
      const spec = { template: { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] } } };
      const job = await made(t, jobs, { metadata: { name: 'a' }, spec });
      const named = { apiVersion: 'batch/v1', kind: 'Job' };
      await made(t, maps, { metadata: { name: 'b', ownerReferences: [owner({ ...job, ...named })] } });
      await t.delete(`${jobs}/a`);
      await t.until(`${jobs}/a`, gone);
      await noteState(t, `${maps}/b`);
    },
  },
  {
    says: 'a Deployment does not orphan by default',
    steps: async t => {
      const deployments = await t.in('deployments', '/apis/apps/v1');
      const sets = await t.in('replicasets', '/apis/apps/v1');
      const labels = { app: 'a' };
      const template = { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'i' }] } };
      const spec = { selector: { matchLabels: labels }, template };
      const deployment = await made(t, deployments, { metadata: { name: 'a' }, spec });
      const named = { apiVersion: 'apps/v1', kind: 'Deployment' };
      const ownerReferences = [owner({ ...deployment, ...named }, { controller: true, blockOwnerDeletion: true })];
      await made(t, sets, { metadata: { name: 'b', ownerReferences }, spec });
      await t.delete(`${deployments}/a`);
      await t.until(`${sets}/b`, gone);
    },
  },
  {
    says: 'a held orphan is let go like the others',
    steps: async t => {
      const maps = await t.in('configmaps');
      const a = await made(t, maps, { metadata: { name: 'a' } });
      await heldMap(t, 'b', { ownerReferences: [owner(a)] });
      await t.quietly({ method: 'DELETE', path: `${maps}/b` });
      await t.delete(`${maps}/a`, ORPHAN);
      await t.until(`${maps}/a`, gone);
      await noteState(t, `${maps}/b`);
    },
  },
  {
    says: 'an owner that somebody else holds has let its orphans go all the same',
    steps: async t => {
      const maps = await t.in('configmaps');
      const a = await heldMap(t, 'a');
      await made(t, maps, { metadata: { name: 'b', ownerReferences: [owner(a)] } });
      await t.delete(`${maps}/a`, ORPHAN);
      await t.until(`${maps}/b`, isFree);
      await t.until(`${maps}/a`, object => !object?.metadata.finalizers.includes('orphan'));
      await merged(t, `${maps}/a`, { metadata: { finalizers: null } });
      await noteState(t, `${maps}/b`);
    },
  },
];
