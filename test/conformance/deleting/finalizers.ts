// Objects that somebody holds: what may still be written on them, and when they go.

import type { Case } from '../frame/case.ts';
import { widgets } from '../frame/prepared.ts';
import { HOLD, heldMap, made, merged } from './made.ts';

export const finalizers: readonly Case[] = [
  {
    says: 'a delete of a held object answers the object, marked',
    steps: async t => {
      await heldMap(t, 'a');
      const path = await t.in('configmaps/a');
      const asked = Date.now();
      const { json } = await t.delete(path);
      t.note('marked now', Math.abs(Date.parse(json.metadata.deletionTimestamp) - asked) < 3000);
      await t.get(path);
    },
  },
  {
    says: 'a second delete of a held object keeps the time of the first and its version',
    steps: async t => {
      await heldMap(t, 'a');
      const path = await t.in('configmaps/a');
      const first = await t.delete(path);
      const second = await t.delete(path);
      t.note('time', first.json.metadata.deletionTimestamp === second.json.metadata.deletionTimestamp);
      t.note('version', first.json.metadata.resourceVersion === second.json.metadata.resourceVersion);
    },
  },
  {
    says: 'the write that takes the last finalizer off removes the object',
    steps: async t => {
      await heldMap(t, 'a');
      const path = await t.in('configmaps/a');
      await t.quietly({ method: 'DELETE', path });
      await t.patch(path, 'merge-patch+json', { metadata: { finalizers: [] } });
      await t.get(path);
    },
  },
  {
    says: 'a watch sees a held object marked, changed and gone',
    steps: async t => {
      const { metadata } = await heldMap(t, 'a');
      const maps = await t.in('configmaps');
      const watch = await t.watch(
        `${maps}?watch=1&fieldSelector=metadata.name%3Da&resourceVersion=${metadata.resourceVersion}`,
      );
      await t.quietly({ method: 'DELETE', path: `${maps}/a` });
      await merged(t, `${maps}/a`, { data: { last: 'word' } });
      await merged(t, `${maps}/a`, { metadata: { finalizers: null } });
      await watch.frames(3);
      watch.close();
    },
  },
  {
    says: 'one finalizer of two leaves the object held by the other',
    steps: async t => {
      const maps = await t.in('configmaps');
      await heldMap(t, 'a', { finalizers: [HOLD, 'example.com/other'] });
      await t.quietly({ method: 'DELETE', path: `${maps}/a` });
      await t.patch(`${maps}/a`, 'merge-patch+json', { metadata: { finalizers: ['example.com/other'] } });
      await t.patch(`${maps}/a`, 'json-patch+json', [{ op: 'remove', path: '/metadata/finalizers/0' }]);
      await t.get(`${maps}/a`);
    },
  },
  {
    says: 'no finalizer is added while an object is being deleted',
    steps: async t => {
      await heldMap(t, 'a');
      const path = await t.in('configmaps/a');
      const { json } = await t.quietly({ method: 'DELETE', path });
      await t.patch(path, 'merge-patch+json', { metadata: { finalizers: [HOLD, 'example.com/new'] } });
      await t.patch(path, 'merge-patch+json', { metadata: { finalizers: ['example.com/new', 'example.com/two'] } });
      await t.put(path, { ...json, metadata: { ...json.metadata, finalizers: [HOLD, 'example.com/new'] } });
      const applied = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', finalizers: ['example.com/new'] } };
      await t.patch(`${path}?fieldManager=me`, 'apply-patch+yaml', applied);
    },
  },
  {
    says: 'finalizers may change their order while an object is being deleted',
    steps: async t => {
      const maps = await t.in('configmaps');
      await heldMap(t, 'a', { finalizers: [HOLD, 'example.com/other'] });
      await t.quietly({ method: 'DELETE', path: `${maps}/a` });
      await t.patch(`${maps}/a`, 'merge-patch+json', { metadata: { finalizers: ['example.com/other', HOLD] } });
    },
  },
  {
    says: 'all but finalizers may still be written on an object that is being deleted',
    steps: async t => {
      await heldMap(t, 'a');
      const path = await t.in('configmaps/a');
      await t.quietly({ method: 'DELETE', path });
      const metadata = { labels: { a: 'b' }, annotations: { c: 'd' } };
      await t.patch(path, 'merge-patch+json', { data: { key: 'value' }, metadata });
    },
  },
  {
    says: 'the mark of deletion cannot be taken off or moved',
    steps: async t => {
      await heldMap(t, 'a');
      const path = await t.in('configmaps/a');
      const { json } = await t.quietly({ method: 'DELETE', path });
      await t.patch(path, 'merge-patch+json', { metadata: { deletionTimestamp: null } });
      const { deletionTimestamp: _, ...unmarked } = json.metadata;
      await t.put(path, { ...json, metadata: unmarked });
      const moved = { metadata: { deletionTimestamp: '2030-01-01T00:00:00Z' } };
      const after = await t.patch(path, 'merge-patch+json', moved);
      t.note('stays', after.json.metadata.deletionTimestamp === json.metadata.deletionTimestamp);
      await t.patch(path, 'merge-patch+json', { metadata: { deletionGracePeriodSeconds: 5 } });
    },
  },
  {
    says: 'the status of a held custom object is written until it goes',
    steps: async t => {
      const { path, api } = await widgets(t, { subresources: { status: {} } });
      t.after(() => merged(t, `${path}/a`, { metadata: { finalizers: null } }));
      await made(t, path, {
        apiVersion: api,
        kind: 'Widget',
        metadata: { name: 'a', finalizers: [HOLD] },
        spec: { a: 1 },
      });
      await t.delete(`${path}/a`);
      await t.patch(`${path}/a/status`, 'merge-patch+json', { status: { is: 'going' } });
      await t.patch(`${path}/a`, 'merge-patch+json', { spec: { a: 2 } });
      await t.patch(`${path}/a`, 'merge-patch+json', { metadata: { finalizers: [] } });
      await t.get(`${path}/a`);
    },
  },
  {
    says: 'a finalizer that is taken off before any delete changes nothing else',
    steps: async t => {
      await heldMap(t, 'a');
      const path = await t.in('configmaps/a');
      await t.patch(path, 'merge-patch+json', { metadata: { finalizers: null } });
      await t.delete(path);
      await t.get(path);
    },
  },
  {
    says: 'a dry write that takes the last finalizer off removes nothing',
    steps: async t => {
      await heldMap(t, 'a');
      const path = await t.in('configmaps/a');
      await t.quietly({ method: 'DELETE', path });
      await t.patch(`${path}?dryRun=All`, 'merge-patch+json', { metadata: { finalizers: null } });
      await t.get(path);
    },
  },
  {
    says: 'an update of the old version cannot take the finalizer off',
    steps: async t => {
      const map = await heldMap(t, 'a');
      const path = await t.in('configmaps/a');
      await t.quietly({ method: 'DELETE', path });
      await t.put(path, { ...map, metadata: { ...map.metadata, finalizers: [] } });
      await t.get(path);
    },
  },
  {
    says: 'the generation of a held Deployment grows when it is marked',
    steps: async t => {
      const deployments = await t.in('deployments', '/apis/apps/v1');
      const labels = { app: 'a' };
      const template = { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'i' }] } };
      const spec = { selector: { matchLabels: labels }, template };
      t.after(() => merged(t, `${deployments}/a`, { metadata: { finalizers: null } }));
      await made(t, deployments, { metadata: { name: 'a', finalizers: [HOLD] }, spec });
      await t.delete(`${deployments}/a`);
      await t.patch(`${deployments}/a`, 'merge-patch+json', { spec: { replicas: 3 } });
    },
  },
];
