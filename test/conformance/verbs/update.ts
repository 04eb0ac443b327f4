// Updating: locks, identity, what is kept, and when nothing is written.

import type { Case } from '../frame/case.ts';
import { widgets } from '../frame/prepared.ts';
import type { Told, Trial } from '../frame/trial.ts';

/** A ConfigMap `a` and its path. */
async function aMap(t: Trial, body: object = {}): Promise<{ path: string; map: Told['json'] }> {
  const maps = await t.in('configmaps');
  const metadata = { name: 'a', labels: { app: 'a' } };
  const { json } = await t.quietly({ method: 'POST', path: maps, body: { metadata, data: { key: 'old' }, ...body } });
  return { path: `${maps}/a`, map: json };
}

const sameVersion = (t: Trial, before: Told['json'], after: Told['json']): void =>
  t.note('the version is kept', before.metadata.resourceVersion === after.metadata.resourceVersion);

export const updating: readonly Case[] = [
  {
    says: 'an update of the current version answers 200 and a newer version',
    steps: async t => {
      const { path, map } = await aMap(t);
      const { json } = await t.put(path, { ...map, data: { key: 'new' } });
      t.note('newer', Number(json.metadata.resourceVersion) > Number(map.metadata.resourceVersion));
    },
  },
  {
    says: 'an update of an old version answers 409 Conflict',
    steps: async t => {
      const { path, map } = await aMap(t);
      await t.put(path, { ...map, data: { key: 'new' } });
      await t.put(path, { ...map, data: { key: 'newer' } });
      await t.put(path, map);
    },
  },
  {
    says: 'an update without a version overwrites',
    steps: async t => {
      const { path, map } = await aMap(t);
      await t.put(path, { ...map, metadata: { name: 'a' }, data: { other: 'x' } });
      await t.put(path, { metadata: { name: 'a', resourceVersion: '0' }, data: { another: 'x' } });
    },
  },
  {
    says: 'an update of a version that is no number is refused',
    steps: async t => {
      const { path, map } = await aMap(t);
      await t.put(path, { ...map, metadata: { ...map.metadata, resourceVersion: 'new' } });
      await t.put(path, { ...map, metadata: { ...map.metadata, resourceVersion: '-1' } });
      await t.put(path, { ...map, metadata: { ...map.metadata, resourceVersion: '99999999999999999999' } });
    },
  },
  {
    says: 'an update under another uid answers 409 Conflict',
    steps: async t => {
      const { path, map } = await aMap(t);
      const uid = '11111111-2222-3333-4444-555555555555';
      await t.put(path, { ...map, metadata: { ...map.metadata, uid } });
      await t.put(path, { metadata: { name: 'a', uid }, data: {} });
    },
  },
  {
    says: 'an update of what does not exist answers 404',
    steps: async t => {
      const maps = await t.in('configmaps');
      await t.put(`${maps}/none`, { metadata: { name: 'none' } });
      await t.put(`${maps}/none`, { metadata: { name: 'none', resourceVersion: '1' } });
      const secrets = await t.in('secrets');
      await t.put(`${secrets}/none`, { metadata: { name: 'none', uid: '11111111-2222-3333-4444-555555555555' } });
    },
  },
  {
    says: 'an update creates what some kinds do not have yet',
    steps: async t => {
      const leases = await t.in('leases', '/apis/coordination.k8s.io/v1');
      await t.put(`${leases}/a`, { metadata: { name: 'a' }, spec: { holderIdentity: 'me' } });
      const roles = await t.in('roles', '/apis/rbac.authorization.k8s.io/v1');
      await t.put(`${roles}/a`, { metadata: { name: 'a' }, rules: [] });
      await t.put(`${roles}/b`, { metadata: { name: 'b', resourceVersion: '5' }, rules: [] });
      const endpoints = await t.in('endpoints');
      await t.put(`${endpoints}/a`, { metadata: { name: 'a' } });
    },
  },
  {
    says: 'an update must bear the name of its path',
    steps: async t => {
      const { path, map } = await aMap(t);
      await t.put(path, { ...map, metadata: { ...map.metadata, name: 'b' } });
      await t.put(path, { ...map, metadata: { ...map.metadata, name: '' } });
      await t.put(path, { data: {} });
    },
  },
  {
    says: 'an update must bear the Namespace of its path',
    steps: async t => {
      const { path, map } = await aMap(t);
      await t.put(path, { ...map, metadata: { ...map.metadata, namespace: 'other' } });
      await t.put(path, { ...map, metadata: { ...map.metadata, namespace: '' } });
    },
  },
  {
    says: 'an update without labels and annotations takes them off',
    steps: async t => {
      const { path } = await aMap(t);
      await t.put(path, { metadata: { name: 'a' } });
    },
  },
  {
    says: 'an update cannot change creationTimestamp, uid, generation and selfLink',
    steps: async t => {
      const { path, map } = await aMap(t);
      const metadata = { ...map.metadata, creationTimestamp: '2001-01-01T00:00:00Z', generation: 9, selfLink: '/x' };
      await t.put(path, { ...map, metadata });
      await t.put(path, { ...map, metadata: { ...map.metadata, uid: undefined, creationTimestamp: null } });
    },
  },
  {
    says: 'an update cannot set a deletionTimestamp',
    steps: async t => {
      const { path, map } = await aMap(t);
      const metadata = { ...map.metadata, deletionTimestamp: '2001-01-01T00:00:00Z', deletionGracePeriodSeconds: 5 };
      await t.put(path, { ...map, metadata });
      await t.patch(path, 'merge-patch+json', { metadata: { deletionTimestamp: '2001-01-01T00:00:00Z' } });
    },
  },
  {
    says: 'an update that changes nothing keeps the resourceVersion',
    steps: async t => {
      const { path, map } = await aMap(t);
      const { json } = await t.put(path, map);
      sameVersion(t, map, json);
      const again = await t.put(path, { metadata: { name: 'a', labels: { app: 'a' } }, data: { key: 'old' } });
      sameVersion(t, map, again.json);
    },
  },
  {
    says: 'a patch that changes nothing keeps the resourceVersion',
    steps: async t => {
      const { path, map } = await aMap(t);
      for (const how of ['merge-patch+json', 'strategic-merge-patch+json']) {
        sameVersion(t, map, (await t.patch(path, how, { data: { key: 'old' } })).json);
      }
      const same = [{ op: 'replace', path: '/data/key', value: 'old' }];
      sameVersion(t, map, (await t.patch(path, 'json-patch+json', same)).json);
      sameVersion(t, map, (await t.patch(path, 'merge-patch+json', {})).json);
    },
  },
  {
    says: 'a write that changes nothing sends no event to a watch',
    steps: async t => {
      const { path, map } = await aMap(t);
      const maps = await t.in('configmaps');
      const watch = await t.watch(
        `${maps}?watch=1&fieldSelector=metadata.name%3Da&resourceVersion=${map.metadata.resourceVersion}`,
      );
      await t.quietly({ method: 'PUT', path, body: map });
      await t.quietly({ method: 'PUT', path, body: { ...map, data: { key: 'new' } } });
      await watch.frames(1);
      watch.close();
    },
  },
  {
    says: 'another manager of the same values is a change, its second write is none',
    steps: async t => {
      const { path, map } = await aMap(t);
      const first = await t.put(`${path}?fieldManager=other`, map);
      const second = await t.put(`${path}?fieldManager=other`, first.json);
      sameVersion(t, map, first.json);
      sameVersion(t, first.json, second.json);
    },
  },
  {
    says: 'an empty managedFields in an update starts the record anew',
    steps: async t => {
      const { path, map } = await aMap(t);
      await t.put(`${path}?fieldManager=other`, { ...map, metadata: { ...map.metadata, managedFields: [] } });
      await t.put(`${path}?fieldManager=third`, { metadata: { name: 'a', managedFields: [{}] }, data: { key: 'new' } });
      await t.get(path);
    },
  },
  {
    says: 'the generation of a Deployment counts changes of its spec only',
    steps: async t => {
      const deployments = await t.in('deployments', '/apis/apps/v1');
      const labels = { app: 'a' };
      const template = { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'i' }] } };
      const body = { metadata: { name: 'a' }, spec: { selector: { matchLabels: labels }, template } };
      await t.quietly({ method: 'POST', path: deployments, body });
      const generation = async (patch: object, rest = ''): Promise<void> => {
        const { json } = await t.quietly({
          method: 'PATCH',
          path: `${deployments}/a${rest}`,
          body: patch,
          headers: { 'content-type': 'application/merge-patch+json' },
        });
        t.note(`generation after ${JSON.stringify(patch)}`, json.metadata.generation);
      };
      await generation({ metadata: { labels: { a: 'b' } } });
      await generation({ metadata: { generation: 50 } });
      await generation({ spec: { replicas: 4 } });
      await generation({ status: { replicas: 4 } }, '/status');
      await generation({ metadata: { annotations: { a: 'b' } } });
      await generation({ spec: { paused: true } });
    },
  },
  {
    says: 'the generation of a custom object counts changes of all but metadata and status',
    steps: async t => {
      const { path, api } = await widgets(t, { subresources: { status: {} } });
      const { json } = await t.post(path, { apiVersion: api, kind: 'Widget', metadata: { name: 'a' }, spec: { a: 1 } });
      const second = await t.put(`${path}/a`, { ...json, metadata: { ...json.metadata, labels: { a: 'b' } } });
      const third = await t.put(`${path}/a`, { ...second.json, other: 1 });
      const fourth = await t.put(`${path}/a/status`, { ...third.json, status: { is: 1 }, spec: { a: 2 } });
      await t.put(`${path}/a`, { ...fourth.json, spec: { a: 3 }, status: { is: 2 } });
    },
  },
  {
    says: 'a custom object cannot be updated without a version',
    steps: async t => {
      const { path, api } = await widgets(t, {});
      const body = { apiVersion: api, kind: 'Widget', metadata: { name: 'a' }, spec: { a: 1 } };
      await t.quietly({ method: 'POST', path, body });
      await t.put(`${path}/a`, body);
      await t.put(`${path}/a`, { ...body, metadata: { name: 'a', resourceVersion: '0' } });
      await t.put(`${path}/b`, { ...body, metadata: { name: 'b' } });
    },
  },
  {
    says: 'a Lease cannot be updated without a version',
    steps: async t => {
      const leases = await t.in('leases', '/apis/coordination.k8s.io/v1');
      const { json } = await t.post(leases, { metadata: { name: 'a' }, spec: { holderIdentity: 'me' } });
      await t.put(`${leases}/a`, { metadata: { name: 'a' }, spec: { holderIdentity: 'you' } });
      await t.put(`${leases}/a`, { ...json, spec: { holderIdentity: 'you' } });
    },
  },
  {
    says: 'a patch that names an old version answers 409, one that names none does not',
    steps: async t => {
      const { path, map } = await aMap(t);
      await t.patch(path, 'merge-patch+json', { data: { key: 'new' } });
      const { resourceVersion } = map.metadata;
      await t.patch(path, 'merge-patch+json', { metadata: { resourceVersion }, data: { key: 'x' } });
      await t.patch(path, 'merge-patch+json', { metadata: { uid: '11111111-2222-3333-4444-555555555555' } });
      await t.patch(path, 'merge-patch+json', { metadata: { name: 'b' } });
    },
  },
];
