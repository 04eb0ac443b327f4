// What cannot be changed once it is there.

import type { Case } from '../frame/case.ts';
import type { Told, Trial } from '../frame/trial.ts';

async function made(t: Trial, path: string, body: object): Promise<Told['json']> {
  const { json, status } = await t.quietly({ method: 'POST', path, body });
  if (status !== 201) throw new Error(JSON.stringify(json));
  return json;
}

const labels = { app: 'a' };
const template = { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'i' }] } };

export const immutable: readonly Case[] = [
  {
    says: 'an immutable ConfigMap keeps its data and stays immutable',
    steps: async t => {
      const maps = await t.in('configmaps');
      await t.post(maps, { metadata: { name: 'a' }, immutable: true, data: { a: 'b' }, binaryData: { c: 'YQ==' } });
      const merge = (body: object) => t.patch(`${maps}/a`, 'merge-patch+json', body);
      await merge({ data: { a: 'c' } });
      await merge({ immutable: false });
      await merge({ immutable: null, data: { a: 'c' }, binaryData: null });
      await merge({ metadata: { labels: { still: 'free' } } });
    },
  },
  {
    says: 'a Secret keeps its type, and an immutable one its data',
    steps: async t => {
      const secrets = await t.in('secrets');
      await t.post(secrets, { metadata: { name: 'a' }, type: 'example.com/a', stringData: { a: 'b' } });
      const merge = (body: object) => t.patch(`${secrets}/a`, 'merge-patch+json', body);
      await merge({ type: 'Opaque' });
      await merge({ immutable: true });
      await merge({ stringData: { a: 'c' } });
    },
  },
  {
    says: 'a Deployment keeps its selector',
    steps: async t => {
      const deployments = await t.in('deployments', '/apis/apps/v1');
      await made(t, deployments, { metadata: { name: 'a' }, spec: { selector: { matchLabels: labels }, template } });
      await t.patch(`${deployments}/a`, 'merge-patch+json', { spec: { selector: { matchLabels: { app: 'b' } } } });
      await t.patch(`${deployments}/a`, 'merge-patch+json', { spec: { selector: null } });
    },
  },
  {
    says: 'a StatefulSet keeps all but a few fields of its spec',
    steps: async t => {
      const sets = await t.in('statefulsets', '/apis/apps/v1');
      await made(t, sets, {
        metadata: { name: 'a' },
        spec: { serviceName: 's', selector: { matchLabels: labels }, template },
      });
      await t.patch(`${sets}/a`, 'merge-patch+json', { spec: { serviceName: 't' } });
      await t.patch(`${sets}/a`, 'merge-patch+json', { spec: { replicas: 3 } });
    },
  },
  {
    says: 'a Job keeps its template and completions',
    steps: async t => {
      const jobs = await t.in('jobs', '/apis/batch/v1');
      const spec = { template: { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] } } };
      await made(t, jobs, { metadata: { name: 'a' }, spec });
      const { status, json } = await t.quietly({
        method: 'PATCH',
        path: `${jobs}/a`,
        body: { spec: { completions: 5 } },
        headers: { 'content-type': 'application/merge-patch+json' },
      });
      t.note('refusal', [status, json.details.causes.map((cause: { field: string }) => cause.field)]);
      await t.patch(`${jobs}/a?dryRun=All`, 'merge-patch+json', { spec: { completionMode: 'Indexed' } });
    },
  },
  {
    says: 'a RoleBinding keeps its roleRef',
    steps: async t => {
      const bindings = await t.in('rolebindings', '/apis/rbac.authorization.k8s.io/v1');
      const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'view' };
      await made(t, bindings, { metadata: { name: 'a' }, roleRef, subjects: [] });
      await t.patch(`${bindings}/a`, 'merge-patch+json', { roleRef: { name: 'edit' } });
    },
  },
  {
    says: 'a StorageClass keeps its provisioner and parameters',
    steps: async t => {
      const path = '/apis/storage.k8s.io/v1/storageclasses';
      const name = t.own('class');
      t.after(() => t.quietly({ method: 'DELETE', path: `${path}/${name}` }));
      await made(t, path, { metadata: { name }, provisioner: 'example.com/p', parameters: { a: 'b' } });
      await t.patch(`${path}/${name}`, 'merge-patch+json', { provisioner: 'example.com/q', parameters: { a: 'c' } });
      await t.patch(`${path}/${name}`, 'merge-patch+json', { reclaimPolicy: 'Retain' });
    },
  },
  {
    says: 'a PriorityClass keeps its value and preemption',
    steps: async t => {
      const path = '/apis/scheduling.k8s.io/v1/priorityclasses';
      const name = t.own('class');
      t.after(() => t.quietly({ method: 'DELETE', path: `${path}/${name}` }));
      await made(t, path, { metadata: { name }, value: 5 });
      await t.patch(`${path}/${name}`, 'merge-patch+json', { value: 6, preemptionPolicy: 'Never' });
      await t.patch(`${path}/${name}`, 'merge-patch+json', { description: 'new' });
    },
  },
  {
    says: 'a PersistentVolumeClaim keeps its spec',
    steps: async t => {
      const claims = await t.in('persistentvolumeclaims');
      const spec = {
        accessModes: ['ReadWriteOnce'],
        resources: { requests: { storage: '1Gi' } },
        storageClassName: 'x',
      };
      await made(t, claims, { metadata: { name: 'a' }, spec });
      const finalizers = { metadata: { finalizers: null } };
      const headers = { 'content-type': 'application/merge-patch+json' };
      t.after(() => t.quietly({ method: 'PATCH', path: `${claims}/a`, body: finalizers, headers }));
      const { status, json } = await t.quietly({
        method: 'PATCH',
        path: `${claims}/a`,
        body: { spec: { accessModes: ['ReadWriteMany'] } },
        headers,
      });
      t.note('refusal', [status, json.reason, json.details.causes[0]?.field, json.details.causes[0]?.reason]);
    },
  },
  {
    says: 'a Service cannot be moved from one cluster address to another',
    steps: async t => {
      const services = await t.in('services');
      const spec = { clusterIP: 'None', ports: [{ port: 80 }], selector: labels };
      await made(t, services, { metadata: { name: 'a' }, spec });
      await t.patch(`${services}/a`, 'merge-patch+json', { spec: { clusterIP: '10.0.0.77' } });
    },
  },
  {
    says: 'a Namespace keeps its spec and its name label through updates',
    steps: async t => {
      await t.in('configmaps');
      const path = `/api/v1/namespaces/${t.ns}`;
      await t.patch(path, 'merge-patch+json', { spec: { finalizers: [] } });
      await t.patch(path, 'merge-patch+json', { metadata: { labels: { 'kubernetes.io/metadata.name': 'other' } } });
      await t.patch(path, 'merge-patch+json', { metadata: { labels: null }, status: { phase: 'Terminating' } });
    },
  },
];
