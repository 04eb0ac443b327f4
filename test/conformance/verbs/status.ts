// Status and spec are written apart.

import type { Case } from '../frame/case.ts';
import { aPod, podsIn, widgets } from '../frame/prepared.ts';
import type { Told, Trial } from '../frame/trial.ts';

async function aDeployment(t: Trial): Promise<{ path: string; deployment: Told['json'] }> {
  const path = await t.in('deployments', '/apis/apps/v1');
  const labels = { app: 'a' };
  const template = { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'i' }] } };
  const body = { metadata: { name: 'a' }, spec: { selector: { matchLabels: labels }, template } };
  const { json } = await t.quietly({ method: 'POST', path, body });
  return { path: `${path}/a`, deployment: json };
}

export const status: readonly Case[] = [
  {
    says: 'an update of the object keeps the status',
    steps: async t => {
      const { path, deployment } = await aDeployment(t);
      await t.put(path, { ...deployment, status: { replicas: 3 } });
    },
  },
  {
    says: 'an update of the status keeps the spec and the labels',
    steps: async t => {
      const { path, deployment } = await aDeployment(t);
      const metadata = { ...deployment.metadata, labels: { new: 'x' }, annotations: { new: 'x' } };
      const spec = { ...deployment.spec, replicas: 9 };
      await t.put(`${path}/status`, { ...deployment, metadata, spec, status: { replicas: 3, observedGeneration: 1 } });
      await t.get(path);
    },
  },
  {
    says: 'the status of a Deployment is validated',
    steps: async t => {
      const { path, deployment } = await aDeployment(t);
      await t.put(`${path}/status`, { ...deployment, status: { replicas: -1, readyReplicas: 2 } });
    },
  },
  {
    says: 'a status is read, updated and patched at its own path under the lock of its object',
    steps: async t => {
      const { path, deployment } = await aDeployment(t);
      await t.get(`${path}/status`);
      await t.patch(`${path}/status`, 'merge-patch+json', { status: { replicas: 1 } });
      await t.put(`${path}/status`, { ...deployment, status: { replicas: 2 } });
      await t.delete(`${path}/status`);
      await t.post(`${path}/status`, deployment);
    },
  },
  {
    says: 'an update of the status that changes nothing keeps the resourceVersion',
    steps: async t => {
      const { path, deployment } = await aDeployment(t);
      const { json } = await t.put(`${path}/status`, deployment);
      t.note('the version is kept', json.metadata.resourceVersion === deployment.metadata.resourceVersion);
    },
  },
  {
    says: 'an update of the status of a Pod keeps its spec, and cannot undo a phase quietly',
    steps: async t => {
      const pods = await podsIn(t);
      const { json } = await t.post(pods, aPod('a'));
      const status = { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] };
      await t.put(`${pods}/a/status`, { ...json, spec: { ...json.spec, nodeName: 'n' }, status });
      await t.get(`${pods}/a`);
    },
  },
  {
    says: 'an update of the status of a ReplicaSet reaches its labels too',
    steps: async t => {
      const sets = await t.in('replicasets', '/apis/apps/v1');
      const labels = { app: 'a' };
      const template = { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'i' }] } };
      const body = { metadata: { name: 'a' }, spec: { selector: { matchLabels: labels }, template } };
      const { json } = await t.quietly({ method: 'POST', path: sets, body });
      const metadata = { ...json.metadata, labels: { new: 'x' }, annotations: { new: 'x' } };
      await t.put(`${sets}/a/status`, {
        ...json,
        metadata,
        spec: { ...json.spec, replicas: 9 },
        status: { replicas: 3 },
      });
    },
  },
  {
    says: 'the status of a custom object takes no labels and no spec with it',
    steps: async t => {
      const { path, api } = await widgets(t, { subresources: { status: {} } });
      const { json } = await t.post(path, { apiVersion: api, kind: 'Widget', metadata: { name: 'a' }, spec: { a: 1 } });
      const metadata = { ...json.metadata, labels: { a: 'b' }, annotations: { a: 'b' }, finalizers: ['example.com/x'] };
      await t.put(`${path}/a/status`, { ...json, metadata, spec: { a: 2 }, status: { is: 1 } });
      await t.patch(`${path}/a/status`, 'merge-patch+json', { metadata: { labels: { a: 'b' } }, status: { is: 2 } });
    },
  },
  {
    says: 'a subresource that a kind does not have answers 404',
    steps: async t => {
      const maps = await t.in('configmaps');
      await t.quietly({ method: 'POST', path: maps, body: { metadata: { name: 'a' } } });
      await t.get(`${maps}/a/status`);
      await t.put(`${maps}/a/status`, { metadata: { name: 'a' } });
      await t.get(`${maps}/a/nonsense`);
    },
  },
  {
    says: 'a subresource of an object that does not exist answers 404 of that object',
    steps: async t => {
      const deployments = await t.in('deployments', '/apis/apps/v1');
      await t.get(`${deployments}/none/status`);
      await t.put(`${deployments}/none/status`, { metadata: { name: 'none' } });
      await t.get(`${deployments}/none/scale`);
    },
  },
];
