// What a delete asks for: where it says it, what is refused, and what it answers.

import type { Case } from '../frame/case.ts';
import { widgets } from '../frame/prepared.ts';
import { heldMap, made } from './made.ts';

const OTHER = '11111111-2222-3333-4444-555555555555';

export const options: readonly Case[] = [
  {
    says: 'a delete of most kinds answers a Status with the uid',
    steps: async t => {
      const maps = await t.in('configmaps');
      await made(t, maps, { metadata: { name: 'a' } });
      await t.delete(`${maps}/a`);
      await t.delete(`${maps}/a`);
      const deployments = await t.in('deployments', '/apis/apps/v1');
      const labels = { app: 'a' };
      const template = { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'i' }] } };
      await made(t, deployments, { metadata: { name: 'a' }, spec: { selector: { matchLabels: labels }, template } });
      await t.delete(`${deployments}/a`);
    },
  },
  {
    says: 'a delete of some kinds answers the object that is gone',
    steps: async t => {
      const services = await t.in('services');
      await made(t, services, { metadata: { name: 'a' }, spec: { type: 'ExternalName', externalName: 'example.com' } });
      await t.delete(`${services}/a`);
      const accounts = await t.in('serviceaccounts');
      await made(t, accounts, { metadata: { name: 'a' } });
      await t.delete(`${accounts}/a`);
      const templates = await t.in('podtemplates');
      await made(t, templates, {
        metadata: { name: 'a' },
        template: { spec: { containers: [{ name: 'c', image: 'i' }] } },
      });
      await t.delete(`${templates}/a`);
      const quotas = await t.in('resourcequotas');
      await made(t, quotas, { metadata: { name: 'a' } });
      await t.delete(`${quotas}/a`);
    },
  },
  {
    says: 'a delete of a custom object answers a Status',
    steps: async t => {
      const { path, api } = await widgets(t, {});
      await made(t, path, { apiVersion: api, kind: 'Widget', metadata: { name: 'a' } });
      await t.delete(`${path}/a`);
      await t.get(`${path}/a`);
    },
  },
  {
    says: 'a watch sees the deleted object with the version of its deletion',
    steps: async t => {
      const maps = await t.in('configmaps');
      const map = await made(t, maps, { metadata: { name: 'a' }, data: { key: 'value' } });
      const watch = await t.watch(
        `${maps}?watch=1&fieldSelector=metadata.name%3Da&resourceVersion=${map.metadata.resourceVersion}`,
      );
      await t.quietly({ method: 'DELETE', path: `${maps}/a` });
      const [frame] = await watch.frames(1);
      t.note('newer', Number(frame.object.metadata.resourceVersion) > Number(map.metadata.resourceVersion));
      watch.close();
    },
  },
  {
    says: 'a delete under the uid of another object answers 409',
    steps: async t => {
      const maps = await t.in('configmaps');
      const { metadata } = await made(t, maps, { metadata: { name: 'a' } });
      await t.delete(`${maps}/a`, { preconditions: { uid: OTHER } });
      await t.delete(`${maps}/none`, { preconditions: { uid: OTHER } });
      await t.delete(`${maps}/a`, { preconditions: { uid: metadata.uid } });
    },
  },
  {
    says: 'a delete under an old version answers 409',
    steps: async t => {
      const maps = await t.in('configmaps');
      const { metadata } = await made(t, maps, { metadata: { name: 'a' } });
      await t.patch(`${maps}/a`, 'merge-patch+json', { data: { a: 'b' } });
      const { resourceVersion } = metadata;
      await t.delete(`${maps}/a`, { preconditions: { resourceVersion } });
      await t.delete(`${maps}/a`, { preconditions: { resourceVersion, uid: OTHER } });
      await t.delete(`${maps}/a`, { preconditions: { resourceVersion: '' } });
    },
  },
  {
    says: 'preconditions hold for a second delete of a held object too',
    steps: async t => {
      const { metadata } = await heldMap(t, 'a');
      const path = await t.in('configmaps/a');
      await t.delete(path);
      await t.delete(path, { preconditions: { uid: OTHER } });
      await t.delete(path, { preconditions: { resourceVersion: metadata.resourceVersion } });
      await t.delete(path, { preconditions: { uid: metadata.uid } });
    },
  },
  {
    says: 'a delete with a body that is not DeleteOptions is refused',
    steps: async t => {
      const maps = await t.in('configmaps');
      await made(t, maps, { metadata: { name: 'a' } });
      await t.delete(`${maps}/a`, { apiVersion: 'v1', kind: 'ConfigMap' });
      await t.delete(`${maps}/a`, { apiVersion: 'v1', kind: 'Nonsense' });
      await t.delete(`${maps}/a`, '{"gracePeriodSeconds":');
      await t.delete(`${maps}/a`, '[]');
      await t.delete(`${maps}/a`, { gracePeriodSeconds: 'soon' });
      await t.delete(`${maps}/a`, { preconditions: 'none' });
      await t.delete(`${maps}/a`, { preconditions: { uid: 5 } });
      await t.delete(`${maps}/a`, { dryRun: [5], kind: 'DeleteOptions' });
      await t.delete(`${maps}/a`, { gracePeriodSeconds: 1.5 });
      await t.get(`${maps}/a`);
    },
  },
  {
    says: 'a delete takes DeleteOptions of the core and of the meta group',
    steps: async t => {
      const maps = await t.in('configmaps');
      for (const apiVersion of ['v1', 'meta.k8s.io/v1', 'apps/v1', 'v7']) {
        await t.quietly({ method: 'POST', path: maps, body: { metadata: { name: 'a' } } });
        await t.delete(`${maps}/a`, { apiVersion, kind: 'DeleteOptions' });
      }
    },
  },
  {
    says: 'a delete says its options in YAML as well',
    steps: async t => {
      await heldMap(t, 'a');
      const headers = { 'content-type': 'application/yaml' };
      await t.delete(await t.in('configmaps/a'), 'propagationPolicy: Foreground\n', { headers });
    },
  },
  {
    says: 'a delete whose body is of an unknown media type is refused',
    steps: async t => {
      const maps = await t.in('configmaps');
      await made(t, maps, { metadata: { name: 'a' } });
      await t.delete(`${maps}/a`, 'x=1', { headers: { 'content-type': 'application/x-www-form-urlencoded' } });
      await t.get(`${maps}/a`);
    },
  },
  {
    says: 'propagationPolicy is one of three words, in body and query',
    steps: async t => {
      const maps = await t.in('configmaps');
      await made(t, maps, { metadata: { name: 'a' } });
      await t.delete(`${maps}/a`, { propagationPolicy: 'foreground' });
      await t.delete(`${maps}/a?propagationPolicy=Cascade`);
      await t.delete(`${maps}/a`, { propagationPolicy: '' });
    },
  },
  {
    says: 'orphanDependents and propagationPolicy exclude each other',
    steps: async t => {
      const maps = await t.in('configmaps');
      await made(t, maps, { metadata: { name: 'a' } });
      await t.delete(`${maps}/a`, { propagationPolicy: 'Orphan', orphanDependents: true });
      await t.delete(`${maps}/a?propagationPolicy=Background&orphanDependents=false`);
      await t.get(`${maps}/a`);
    },
  },
  {
    says: 'a query says the options only when the body says none',
    steps: async t => {
      await heldMap(t, 'a');
      const path = await t.in('configmaps/a');
      await t.delete(`${path}?propagationPolicy=Foreground`, { propagationPolicy: 'Orphan', dryRun: ['All'] });
      await t.delete(`${path}?propagationPolicy=Foreground&dryRun=All`);
      for (const grace of ['soon', '', '1.5', '99999999999999999999'])
        await t.delete(`${path}?gracePeriodSeconds=${grace}`);
      await t.delete(`${path}?orphanDependents=maybe&dryRun=All`);
      await t.get(path);
    },
  },
  {
    says: 'a delete with a body is dry only when the body says so',
    steps: async t => {
      const maps = await t.in('configmaps');
      await made(t, maps, { metadata: { name: 'a' } });
      await t.delete(`${maps}/a?dryRun=All`, { dryRun: ['All', 'All'] });
      await t.delete(`${maps}/a?dryRun=Some`, { dryRun: ['All'] });
      await t.get(`${maps}/a`);
      await t.delete(`${maps}/a?dryRun=All`, {});
      await t.get(`${maps}/a`);
      await made(t, maps, { metadata: { name: 'b', labels: { app: 'b' } } });
      await t.delete(`${maps}?labelSelector=app%3Db&dryRun=All`, { dryRun: [] });
      await t.get(`${maps}/b`);
    },
  },
  {
    says: 'a negative grace of a kind that has none is no reason to refuse',
    steps: async t => {
      const maps = await t.in('configmaps');
      await made(t, maps, { metadata: { name: 'a' } });
      await t.delete(`${maps}/a`, { gracePeriodSeconds: -1 });
      await made(t, maps, { metadata: { name: 'b' } });
      await t.delete(`${maps}/b`, { gracePeriodSeconds: 3600 });
      await t.get(`${maps}/b`);
    },
  },
  {
    says: 'unknown fields of DeleteOptions are overlooked',
    steps: async t => {
      const maps = await t.in('configmaps');
      await made(t, maps, { metadata: { name: 'a' } });
      await t.delete(`${maps}/a`, { colour: 'red', kind: 'DeleteOptions', apiVersion: 'v1' });
    },
  },
  {
    says: 'a Namespace that Kubernetes needs cannot be deleted',
    steps: async t => {
      await t.delete('/api/v1/namespaces/default');
      await t.delete('/api/v1/namespaces/kube-system');
      await t.delete('/api/v1/namespaces/kube-public?dryRun=All');
    },
  },
  {
    says: 'an object that is deleted and made anew is another one',
    steps: async t => {
      const maps = await t.in('configmaps');
      const first = await made(t, maps, { metadata: { name: 'a' } });
      await t.delete(`${maps}/a`);
      const { json } = await t.post(maps, { metadata: { name: 'a' } });
      t.note('another uid', json.metadata.uid !== first.metadata.uid);
      await t.put(`${maps}/a`, first);
      await t.delete(`${maps}/a`, { preconditions: { uid: first.metadata.uid } });
    },
  },
];
