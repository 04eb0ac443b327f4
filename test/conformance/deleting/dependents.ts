// Dependents of other kinds than ConfigMaps: Pods with grace, objects of the cluster, kinds with a custom of their own.

import type { Case } from '../frame/case.ts';
import { aPod, podsIn } from '../frame/prepared.ts';
import type { Told, Trial } from '../frame/trial.ts';
import { gone, heldMap, made, merged, noteState, owner } from './made.ts';

const ROLES = '/apis/rbac.authorization.k8s.io/v1/clusterroles';
const RBAC = { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole' };
const BLOCKS = { blockOwnerDeletion: true, controller: true };

const labels = { app: 'a' };
const template = { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'i' }] } };

const isMarked = (object: Told['json'] | undefined): boolean => object?.metadata.deletionTimestamp !== undefined;

/** A ReplicaSet `a` and a Pod `p` of it that is bound to a Node of the case's own. */
async function setWithPod(t: Trial): Promise<{ set: string; pod: string }> {
  const pods = await podsIn(t);
  const sets = await t.in('replicasets', '/apis/apps/v1');
  const node = t.own('node');
  t.after(() => t.quietly({ method: 'DELETE', path: `/api/v1/nodes/${node}` }));
  await t.quietly({ method: 'POST', path: '/api/v1/nodes', body: { metadata: { name: node } } });
  const set = await made(t, sets, { metadata: { name: 'a' }, spec: { selector: { matchLabels: labels }, template } });
  t.after(() => t.quietly({ method: 'DELETE', path: `${pods}/p?gracePeriodSeconds=0` }));
  const ownerReferences = [owner({ ...set, apiVersion: 'apps/v1', kind: 'ReplicaSet' }, BLOCKS)];
  await made(t, pods, aPod('p', { nodeName: node }, { labels, ownerReferences }));
  return { set: `${sets}/a`, pod: `${pods}/p` };
}

async function aRole(t: Trial, part: string, metadata: object = {}): Promise<Told['json']> {
  const name = t.own(part);
  t.after(() => t.quietly({ method: 'DELETE', path: `${ROLES}/${name}` }));
  const role = await made(t, ROLES, { metadata: { name, ...metadata }, rules: [] });
  return { ...role, ...RBAC };
}

export const dependents: readonly Case[] = [
  {
    says: 'a bound Pod whose owner goes in the background gets its grace',
    steps: async t => {
      const { set, pod } = await setWithPod(t);
      await t.delete(set);
      await t.until(pod, isMarked);
    },
  },
  {
    says: 'an owner in the foreground waits for its bound Pod to end',
    steps: async t => {
      const { set, pod } = await setWithPod(t);
      await t.delete(set, { propagationPolicy: 'Foreground' });
      await t.until(pod, isMarked);
      await t.get(set);
      await t.delete(pod, { gracePeriodSeconds: 0 });
      await t.until(set, gone);
    },
  },
  {
    says: 'an orphaned Pod runs on without an owner',
    steps: async t => {
      const { set, pod } = await setWithPod(t);
      await t.delete(set, { propagationPolicy: 'Orphan' });
      await t.until(set, gone);
      await t.get(pod);
    },
  },
  {
    says: 'a ReplicationController orphans by default',
    steps: async t => {
      const controllers = await t.in('replicationcontrollers');
      const maps = await t.in('configmaps');
      const made1 = await made(t, controllers, { metadata: { name: 'a' }, spec: { selector: labels, template } });
      const named = { apiVersion: 'v1', kind: 'ReplicationController' };
      await made(t, maps, { metadata: { name: 'b', ownerReferences: [owner({ ...made1, ...named })] } });
      await t.delete(`${controllers}/a`);
      await t.until(`${controllers}/a`, gone);
      await noteState(t, `${maps}/b`);
    },
  },
  {
    says: 'objects of the cluster go after an owner of the cluster',
    steps: async t => {
      const a = await aRole(t, 'a');
      await aRole(t, 'b', { ownerReferences: [owner(a)] });
      await t.delete(`${ROLES}/${t.own('a')}`);
      await t.until(`${ROLES}/${t.own('b')}`, gone);
    },
  },
  {
    says: 'an owner of the cluster lets its orphans in Namespaces and in the cluster go',
    steps: async t => {
      const a = await aRole(t, 'a');
      await aRole(t, 'b', { ownerReferences: [owner(a)] });
      const maps = await t.in('configmaps');
      await made(t, maps, { metadata: { name: 'm', ownerReferences: [owner(a)] } });
      await t.delete(`${ROLES}/${t.own('a')}`, { propagationPolicy: 'Orphan' });
      await t.until(`${ROLES}/${t.own('a')}`, gone);
      await noteState(t, `${ROLES}/${t.own('b')}`);
      await noteState(t, `${maps}/m`);
    },
  },
  {
    says: 'an owner of the cluster in the foreground waits for what is in a Namespace',
    steps: async t => {
      const a = await aRole(t, 'a');
      await heldMap(t, 'm', { ownerReferences: [owner(a, BLOCKS)] });
      const maps = await t.in('configmaps');
      await t.delete(`${ROLES}/${t.own('a')}`, { propagationPolicy: 'Foreground' });
      await t.until(`${maps}/m`, isMarked);
      await noteState(t, `${ROLES}/${t.own('a')}`);
      await merged(t, `${maps}/m`, { metadata: { finalizers: null } });
      await t.until(`${ROLES}/${t.own('a')}`, gone);
    },
  },
  {
    says: 'an owner under another version of its kind is found',
    steps: async t => {
      const deployments = await t.in('deployments', '/apis/apps/v1');
      const maps = await t.in('configmaps');
      const spec = { selector: { matchLabels: labels }, template };
      const a = await made(t, deployments, { metadata: { name: 'a' }, spec });
      const witness = await made(t, maps, { metadata: { name: 'w' } });
      const old = { apiVersion: 'apps/v1beta1', kind: 'Deployment' };
      await made(t, maps, { metadata: { name: 'b', ownerReferences: [owner({ ...a, ...old })] } });
      await made(t, maps, { metadata: { name: 'c', ownerReferences: [owner(witness)] } });
      await t.quietly({ method: 'DELETE', path: `${maps}/w` });
      await t.until(`${maps}/c`, gone);
      await noteState(t, `${maps}/b`);
    },
  },
  {
    says: 'events are told of what went and are no dependents',
    steps: async t => {
      const maps = await t.in('configmaps');
      const events = await t.in('events');
      const a = await made(t, maps, { metadata: { name: 'a' } });
      const involvedObject = { apiVersion: 'v1', kind: 'ConfigMap', name: 'a', namespace: t.ns };
      await made(t, events, { metadata: { name: 'e', ownerReferences: [owner(a)] }, involvedObject });
      await made(t, maps, { metadata: { name: 'b', ownerReferences: [owner(a)] } });
      await t.quietly({ method: 'DELETE', path: `${maps}/a` });
      await t.until(`${maps}/b`, gone);
      await noteState(t, `${events}/e`);
    },
  },
];
