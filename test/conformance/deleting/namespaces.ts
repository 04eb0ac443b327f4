// Namespaces: they go when they are empty, and take everything along.

import type { Case } from '../frame/case.ts';
import { aPod, podsIn } from '../frame/prepared.ts';
import { gone, heldMap, made, merged } from './made.ts';
import { noteConditions, pathOf, says } from './terminating.ts';

export const namespaces: readonly Case[] = [
  {
    says: 'a delete of a Namespace answers it Terminating, and it goes when it is empty',
    steps: async t => {
      await t.in('configmaps');
      await t.delete(pathOf(t));
      await t.until(pathOf(t), gone);
    },
  },
  {
    says: 'what is in a Namespace goes with it',
    steps: async t => {
      const maps = await t.in('configmaps');
      await made(t, maps, { metadata: { name: 'a' } });
      const pods = await podsIn(t);
      await made(t, pods, aPod('a'));
      await t.quietly({ method: 'DELETE', path: pathOf(t) });
      await t.until(pathOf(t), gone);
      await t.get(`${maps}/a`);
      await t.get(pods);
    },
  },
  {
    says: 'nothing is made in a Namespace that is going',
    steps: async t => {
      await heldMap(t, 'held');
      const maps = await t.in('configmaps');
      await t.quietly({ method: 'DELETE', path: pathOf(t) });
      await t.until(`${maps}/held`, map => map?.metadata.deletionTimestamp !== undefined);
      await t.post(maps, { metadata: { name: 'a' } });
      await t.post(`${maps}?dryRun=All`, { metadata: { name: 'a' } });
      const leases = await t.in('leases', '/apis/coordination.k8s.io/v1');
      await t.put(`${leases}/a`, { metadata: { name: 'a' } });
      const applied = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } };
      await t.patch(`${maps}/a?fieldManager=me`, 'apply-patch+yaml', applied);
      await t.patch(`${maps}/held`, 'merge-patch+json', { data: { may: 'change' } });
    },
  },
  {
    says: 'a second delete of a Namespace answers that it is going',
    steps: async t => {
      await heldMap(t, 'held');
      await t.quietly({ method: 'DELETE', path: pathOf(t) });
      await noteConditions(t, says('NamespaceFinalizersRemaining', 'True'));
      await t.delete(pathOf(t));
      await t.post('/api/v1/namespaces', { metadata: { name: t.ns } });
    },
  },
  {
    says: 'a finalizer of the spec holds a Namespace until it is taken off by finalize',
    steps: async t => {
      const name = t.own('held');
      const path = `/api/v1/namespaces/${name}`;
      const body = { metadata: { name }, spec: { finalizers: ['example.com/mine'] } };
      const { json } = await t.post('/api/v1/namespaces', body);
      t.after(() => t.quietly({ method: 'PUT', path: `${path}/finalize`, body: { metadata: { name }, spec: {} } }));
      await t.quietly({ method: 'DELETE', path });
      await t.until(path, namespace => namespace?.spec.finalizers.length === 1);
      await t.put(`${path}/finalize`, { ...json, metadata: { name }, spec: { finalizers: [] } });
      await t.until(path, gone);
    },
  },
  {
    says: 'a finalizer of the metadata holds a Namespace that is empty',
    steps: async t => {
      const name = t.own('held');
      const path = `/api/v1/namespaces/${name}`;
      t.after(() => merged(t, path, { metadata: { finalizers: null } }));
      await made(t, '/api/v1/namespaces', { metadata: { name, finalizers: ['example.com/mine'] } });
      await t.delete(path);
      await t.until(path, namespace => (namespace?.spec.finalizers ?? []).length === 0);
      await t.patch(path, 'merge-patch+json', { metadata: { finalizers: null } });
      await t.until(path, gone);
    },
  },
  {
    says: 'finalize of a Namespace that is not going changes its spec only',
    steps: async t => {
      await t.in('configmaps');
      const { json } = await t.quietly({ method: 'GET', path: pathOf(t) });
      const metadata = { ...json.metadata, labels: { new: 'x' } };
      const finalizers = ['kubernetes', 'example.com/mine'];
      const after = await t.put(`${pathOf(t)}/finalize`, { ...json, metadata, spec: { finalizers } });
      await t.put(`${pathOf(t)}/finalize`, { ...after.json, spec: { finalizers: ['kubernetes'] } });
      await t.put(`${pathOf(t)}/finalize`, { ...json, spec: { finalizers: [] } });
      await t.get(`${pathOf(t)}/finalize`);
      await t.patch(`${pathOf(t)}/finalize`, 'merge-patch+json', {});
    },
  },
  {
    says: 'a Namespace that nothing in its spec holds is marked by the first delete, and goes with the second',
    steps: async t => {
      const maps = await t.in('configmaps');
      const { json } = await t.quietly({ method: 'GET', path: pathOf(t) });
      await t.quietly({ method: 'PUT', path: `${pathOf(t)}/finalize`, body: { ...json, spec: {} } });
      await t.delete(`${pathOf(t)}?dryRun=All`);
      await t.delete(pathOf(t));
      await t.get(pathOf(t));
      await t.post(maps, { metadata: { name: 'a' } });
      await t.delete(pathOf(t));
      await t.get(pathOf(t));
    },
  },
  {
    says: 'a finalizer of the spec is a qualified name or the one of Kubernetes',
    steps: async t => {
      const name = t.own('odd');
      await t.post('/api/v1/namespaces', { metadata: { name }, spec: { finalizers: ['odd one'] } });
      await t.post('/api/v1/namespaces', { metadata: { name }, spec: { finalizers: ['plain'] } });
    },
  },
  {
    says: 'a Namespace is deleted under preconditions and dry like all else',
    steps: async t => {
      await t.in('configmaps');
      const preconditions = { uid: '11111111-2222-3333-4444-555555555555' };
      await t.delete(pathOf(t), { preconditions });
      await t.delete(pathOf(t), { preconditions: { resourceVersion: '1' } });
      await t.delete(`${pathOf(t)}?dryRun=All`);
      await t.get(pathOf(t));
    },
  },
  {
    says: 'a Namespace in the foreground is marked so and goes',
    steps: async t => {
      const maps = await t.in('configmaps');
      await made(t, maps, { metadata: { name: 'a' } });
      await t.delete(pathOf(t), { propagationPolicy: 'Foreground' });
      await t.until(pathOf(t), gone);
    },
  },
  {
    says: 'content with owners in the Namespace goes whatever they are',
    steps: async t => {
      const maps = await t.in('configmaps');
      const a = await made(t, maps, { metadata: { name: 'a' } });
      const reference = {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        name: 'a',
        uid: a.metadata.uid,
        blockOwnerDeletion: true,
      };
      await made(t, maps, { metadata: { name: 'b', ownerReferences: [reference] } });
      await t.quietly({ method: 'DELETE', path: pathOf(t) });
      await t.until(pathOf(t), gone);
    },
  },
  {
    says: 'a Namespace that is made anew begins empty',
    steps: async t => {
      const maps = await t.in('configmaps');
      await made(t, maps, { metadata: { name: 'a' } });
      await t.quietly({ method: 'DELETE', path: pathOf(t) });
      await t.until(pathOf(t), gone);
      await t.post('/api/v1/namespaces', { metadata: { name: t.ns } });
      await t.get(`${maps}/a`);
    },
  },
  {
    says: 'the root certificate and the default account come into a new Namespace, and again when deleted',
    steps: async t => {
      const maps = await t.in('configmaps');
      const accounts = await t.in('serviceaccounts');
      await t.until(`${accounts}/default`, account => account !== undefined);
      await t.until(`${maps}/kube-root-ca.crt`, map => map !== undefined);
      await t.quietly({ method: 'DELETE', path: `${accounts}/default` });
      await t.until(`${accounts}/default`, account => account !== undefined);
    },
  },
  {
    says: 'a Namespace that is going takes labels and no other phase',
    steps: async t => {
      await heldMap(t, 'held');
      await t.quietly({ method: 'DELETE', path: pathOf(t) });
      await noteConditions(t, says('NamespaceFinalizersRemaining', 'True'));
      const { json } = await t.patch(pathOf(t), 'merge-patch+json', { metadata: { labels: { new: 'x' } } });
      await t.patch(`${pathOf(t)}/status`, 'merge-patch+json', { status: { phase: 'Active' } });
      await t.patch(pathOf(t), 'merge-patch+json', { spec: { finalizers: [] } });
      await t.patch(pathOf(t), 'merge-patch+json', { metadata: { finalizers: ['example.com/late'] } });
      t.note('phase', json.status.phase);
    },
  },
  {
    says: 'accounts, certificates and rights of a Namespace go with it',
    steps: async t => {
      const accounts = await t.in('serviceaccounts');
      const roles = await t.in('roles', '/apis/rbac.authorization.k8s.io/v1');
      await t.until(`${accounts}/default`, account => account !== undefined);
      await made(t, roles, { metadata: { name: 'r' }, rules: [] });
      await t.quietly({ method: 'DELETE', path: pathOf(t) });
      await t.until(pathOf(t), gone);
      await t.get(accounts);
      await t.get(roles);
    },
  },
];
