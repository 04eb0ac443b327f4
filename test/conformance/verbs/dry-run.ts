// Dry run: everything is checked and answered, nothing is kept.

import type { Case } from '../frame/case.ts';
import { aPod, podsIn, widgets } from '../frame/prepared.ts';

const DRY = '?dryRun=All';

export const dryRuns: readonly Case[] = [
  {
    says: 'a dry create answers the object without a version and keeps nothing',
    steps: async t => {
      const maps = await t.in('configmaps');
      await t.post(`${maps}${DRY}`, { metadata: { name: 'a' }, data: { a: 'b' } });
      await t.get(`${maps}/a`);
      await t.post(`${maps}${DRY}`, { metadata: { generateName: 'made-' } });
    },
  },
  {
    says: 'a dry create is refused where a real one would be',
    steps: async t => {
      const maps = await t.in('configmaps');
      await t.post(maps, { metadata: { name: 'a' } });
      await t.post(`${maps}${DRY}`, { metadata: { name: 'a' } });
      await t.post(`${maps}${DRY}`, { metadata: { name: 'B' } });
      await t.post(`/api/v1/namespaces/${t.own('none')}/configmaps${DRY}`, { metadata: { name: 'a' } });
    },
  },
  {
    says: 'a dry update answers the new state under the old version and keeps nothing',
    steps: async t => {
      const maps = await t.in('configmaps');
      const { json } = await t.post(maps, { metadata: { name: 'a' } });
      await t.put(`${maps}/a${DRY}`, { ...json, data: { a: 'b' } });
      await t.get(`${maps}/a`);
      await t.put(`${maps}/a${DRY}`, { ...json, metadata: { ...json.metadata, resourceVersion: '1' } });
    },
  },
  {
    says: 'a dry patch of every kind answers the new state and keeps nothing',
    steps: async t => {
      const maps = await t.in('configmaps');
      await t.post(maps, { metadata: { name: 'a' } });
      const dry = `${maps}/a${DRY}`;
      await t.patch(dry, 'merge-patch+json', { data: { a: 'b' } });
      await t.patch(dry, 'strategic-merge-patch+json', { data: { a: 'b' } });
      await t.patch(dry, 'json-patch+json', [{ op: 'add', path: '/data', value: { a: 'b' } }]);
      const applied = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, data: { a: 'b' } };
      await t.patch(`${dry}&fieldManager=me`, 'apply-patch+yaml', applied);
      await t.get(`${maps}/a`);
    },
  },
  {
    says: 'a dry apply creates nothing',
    steps: async t => {
      const maps = await t.in('configmaps');
      const applied = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, data: { a: 'b' } };
      await t.patch(`${maps}/a${DRY}&fieldManager=me`, 'apply-patch+yaml', applied);
      await t.get(`${maps}/a`);
    },
  },
  {
    says: 'a dry delete answers as a real one and keeps the object',
    steps: async t => {
      const maps = await t.in('configmaps');
      await t.post(maps, { metadata: { name: 'a' } });
      await t.delete(`${maps}/a${DRY}`);
      await t.delete(`${maps}/a`, { dryRun: ['All'] });
      await t.get(`${maps}/a`);
      await t.delete(`${maps}/none${DRY}`);
    },
  },
  {
    says: 'a dry delete of a held object marks nothing',
    steps: async t => {
      const maps = await t.in('configmaps');
      await t.post(maps, { metadata: { name: 'a', finalizers: ['example.com/a'] } });
      await t.delete(`${maps}/a${DRY}`);
      await t.get(`${maps}/a`);
      await t.patch(`${maps}/a`, 'merge-patch+json', { metadata: { finalizers: null } });
    },
  },
  {
    says: 'a dry deletecollection answers the list and keeps it',
    steps: async t => {
      const maps = await t.in('configmaps?labelSelector=a%3Db');
      await t.post(maps.replace(/\?.*/, ''), { metadata: { name: 'a', labels: { a: 'b' } } });
      await t.delete(`${maps}&dryRun=All`);
      await t.get(maps);
    },
  },
  {
    says: 'a dry update of a status keeps nothing',
    steps: async t => {
      const { path, api } = await widgets(t, { subresources: { status: {} } });
      const { json } = await t.post(path, { apiVersion: api, kind: 'Widget', metadata: { name: 'a' } });
      await t.put(`${path}/a/status${DRY}`, { ...json, status: { is: 1 } });
      await t.patch(`${path}/a/status${DRY}`, 'merge-patch+json', { status: { is: 1 } });
      await t.get(`${path}/a`);
    },
  },
  {
    says: 'a dry create of a Pod answers the Pod that would be',
    steps: async t => {
      const pods = await podsIn(t);
      await t.post(`${pods}${DRY}`, aPod('a'));
      await t.get(`${pods}/a`);
    },
  },
  {
    says: 'a dry change of the scale keeps the replicas',
    steps: async t => {
      const sets = await t.in('replicasets', '/apis/apps/v1');
      const labels = { app: 'a' };
      const template = { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'i' }] } };
      const spec = { replicas: 1, selector: { matchLabels: labels }, template };
      await t.quietly({ method: 'POST', path: sets, body: { metadata: { name: 'a' }, spec } });
      await t.patch(`${sets}/a/scale${DRY}`, 'merge-patch+json', { spec: { replicas: 5 } });
      await t.get(`${sets}/a/scale`);
    },
  },
  {
    says: 'dryRun is All or nothing',
    steps: async t => {
      const maps = await t.in('configmaps');
      const body = { metadata: { name: 'a' } };
      await t.post(`${maps}?dryRun=Some`, body);
      await t.post(`${maps}?dryRun=All&dryRun=Some`, body);
      await t.post(`${maps}?dryRun=All&dryRun=All`, body);
      await t.post(`${maps}?dryRun=`, body);
      await t.put(`${maps}/a?dryRun=true`, body);
      await t.patch(`${maps}/a?dryRun=all`, 'merge-patch+json', {});
      await t.delete(`${maps}/a?dryRun=server`);
      await t.delete(`${maps}/a`, { dryRun: ['Some'] });
    },
  },
];
