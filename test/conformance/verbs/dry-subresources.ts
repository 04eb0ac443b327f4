// Dry run of what is not a plain write of an object: bindings, evictions, tokens, definitions, reviews.

import type { Case } from '../frame/case.ts';
import { aPod, podsIn } from '../frame/prepared.ts';

const DRY = '?dryRun=All';

export const drySubresources: readonly Case[] = [
  {
    says: 'a dry binding leaves the Pod on no Node',
    steps: async t => {
      const pods = await podsIn(t);
      await t.quietly({ method: 'POST', path: pods, body: aPod('a') });
      const target = { apiVersion: 'v1', kind: 'Node', name: 'n' };
      await t.post(`${pods}/a/binding${DRY}`, { metadata: { name: 'a' }, target });
      await t.get(`${pods}/a`);
    },
  },
  {
    says: 'a dry eviction leaves the Pod',
    steps: async t => {
      const pods = await podsIn(t);
      await t.quietly({ method: 'POST', path: pods, body: aPod('a') });
      const eviction = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: 'a' } };
      await t.post(`${pods}/a/eviction${DRY}`, eviction);
      await t.post(`${pods}/a/eviction`, { ...eviction, deleteOptions: { dryRun: ['All'] } });
      await t.get(`${pods}/a`);
    },
  },
  {
    says: 'an eviction and its options agree on whether it is dry',
    steps: async t => {
      const pods = await podsIn(t);
      await t.quietly({ method: 'POST', path: pods, body: aPod('a') });
      const eviction = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: 'a' } };
      const asked = (query: string, dryRun?: readonly string[]): Promise<unknown> =>
        t.post(`${pods}/a/eviction${query}`, { ...eviction, deleteOptions: { gracePeriodSeconds: 1, dryRun } });
      await asked(DRY);
      await asked(DRY, []);
      await asked(DRY, ['All']);
      await asked(DRY, ['All', 'All']);
      await asked(`${DRY}&dryRun=All`, ['All']);
      await asked('?dryRun=Some', ['All']);
      await asked(DRY, ['Some']);
      await asked('', ['Some']);
      await t.get(`${pods}/a`);
    },
  },
  {
    says: 'a dry request for a token answers one all the same',
    steps: async t => {
      const account = await t.in('serviceaccounts/a');
      await t.quietly({ method: 'POST', path: account.replace(/\/a$/, ''), body: { metadata: { name: 'a' } } });
      const { json, status } = await t.quietly({ method: 'POST', path: `${account}/token${DRY}`, body: { spec: {} } });
      t.note('answer', [status, json.kind, typeof json.status?.token]);
    },
  },
  {
    says: 'a dry definition serves nothing',
    steps: async t => {
      const group = `${t.own('d')}.example.com`;
      const names = { plural: 'things', singular: 'thing', kind: 'Thing', listKind: 'ThingList' };
      const schema = { openAPIV3Schema: { type: 'object' } };
      const spec = { group, names, scope: 'Cluster', versions: [{ name: 'v1', served: true, storage: true, schema }] };
      const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
      const { status } = await t.quietly({
        method: 'POST',
        path: `${definitions}${DRY}`,
        body: { metadata: { name: `things.${group}` }, spec },
      });
      t.note('status', status);
      await t.get(`${definitions}/things.${group}`);
      await t.get(`/apis/${group}/v1/things`);
    },
  },
  {
    says: 'a dry finalize of a Namespace keeps its finalizers',
    steps: async t => {
      await t.in('configmaps');
      const path = `/api/v1/namespaces/${t.ns}`;
      const { json } = await t.quietly({ method: 'GET', path });
      await t.put(`${path}/finalize${DRY}`, { ...json, spec: { finalizers: [] } });
      await t.get(path);
    },
  },
  {
    says: 'a dry Namespace is not there',
    steps: async t => {
      const name = t.own('dry');
      await t.post(`/api/v1/namespaces${DRY}`, { metadata: { name } });
      await t.get(`/api/v1/namespaces/${name}`);
      await t.post(`/api/v1/namespaces/${name}/configmaps${DRY}`, { metadata: { name: 'a' } });
    },
  },
  {
    says: 'a dry review of rights is a review',
    steps: async t => {
      const spec = { user: 'nobody', resourceAttributes: { verb: 'get', resource: 'pods' } };
      await t.post(`/apis/authorization.k8s.io/v1/subjectaccessreviews${DRY}`, { spec });
    },
  },
  {
    says: 'a dry create by an update answers the object and keeps nothing',
    steps: async t => {
      const leases = await t.in('leases', '/apis/coordination.k8s.io/v1');
      await t.put(`${leases}/a${DRY}`, { metadata: { name: 'a' }, spec: { holderIdentity: 'me' } });
      await t.get(`${leases}/a`);
    },
  },
  {
    says: 'unknown fields in what is posted to a subresource are told too',
    steps: async t => {
      const sets = await t.in('replicasets', '/apis/apps/v1');
      const labels = { app: 'a' };
      const template = { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'i' }] } };
      const spec = { selector: { matchLabels: labels }, template };
      await t.quietly({ method: 'POST', path: sets, body: { metadata: { name: 'a' }, spec } });
      const scale = { metadata: { name: 'a' }, spec: { replicas: 2, colour: 'red' } };
      await t.put(`${sets}/a/scale?fieldValidation=Strict`, scale);
      await t.put(`${sets}/a/scale`, scale);
      const pods = await podsIn(t);
      await t.quietly({ method: 'POST', path: pods, body: aPod('a') });
      const target = { apiVersion: 'v1', kind: 'Node', name: 'n', colour: 'red' };
      await t.post(`${pods}/a/binding?fieldValidation=Strict`, { metadata: { name: 'a' }, target });
    },
  },
  {
    says: 'a number that does not fit its field is refused',
    steps: async t => {
      const deployments = await t.in('deployments', '/apis/apps/v1');
      await t.post(deployments, { metadata: { name: 'a' }, spec: { replicas: 3_000_000_000 } });
      await t.post(deployments, { metadata: { name: 'a' }, spec: { replicas: 1.5 } });
      await t.post(deployments, { metadata: { name: 'a' }, spec: { paused: 'yes' } });
      await t.post(deployments, { metadata: { name: 'a' }, spec: { selector: [] } });
    },
  },
];
