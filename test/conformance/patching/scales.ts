// Server-side apply of a Scale: client-go's ApplyScale. Who scales owns the replicas, of whatever kind has some.

import type { Case } from '../frame/case.ts';
import type { Told, Trial } from '../frame/trial.ts';

type Json = Readonly<Record<string, unknown>>;

const labels = { app: 'a' };
const TEMPLATE = { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'i' }] } };
const SPEC = { replicas: 1, selector: { matchLabels: labels }, template: TEMPLATE };

const SCALE = { apiVersion: 'autoscaling/v1', kind: 'Scale' };
const scale = (spec: Json, metadata: Json = {}): Json => ({ ...SCALE, metadata: { name: 'a', ...metadata }, spec });

/** Made by `maker`; its path. */
async function deploymentOf(t: Trial): Promise<string> {
  const path = await t.in('deployments', '/apis/apps/v1');
  const body = { metadata: { name: 'a', labels }, spec: SPEC };
  await t.quietly({ method: 'POST', path: `${path}?fieldManager=maker`, body });
  return `${path}/a`;
}

const applied = (t: Trial, path: string, by: string, body: unknown): Promise<Told> =>
  t.patch(`${path}?fieldManager=${by}`, 'apply-patch+yaml', body);

/** A kind of the case's own that counts its `size`; the path of its only object. */
async function sizedOf(t: Trial): Promise<string> {
  const group = `${t.ns}.example.com`;
  const name = `things.${group}`;
  const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
  const part = { type: 'object', properties: { size: { type: 'integer' }, text: { type: 'string' } } };
  const openAPIV3Schema = { type: 'object', properties: { spec: part, status: part } };
  const paths = {
    specReplicasPath: '.spec.size',
    statusReplicasPath: '.status.size',
    labelSelectorPath: '.status.text',
  };
  const subresources = { status: {}, scale: paths };
  const versions = [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema }, subresources }];
  const names = { plural: 'things', singular: 'thing', kind: 'Thing', listKind: 'ThingList' };
  const body = { metadata: { name }, spec: { group, scope: 'Namespaced', names, versions } };
  await t.quietly({ method: 'POST', path: definitions, body });
  t.after(() => t.quietly({ method: 'DELETE', path: `${definitions}/${name}` }));
  const path = await t.in('things', `/apis/${group}/v1`);
  while ((await t.quietly({ method: 'GET', path })).status !== 200) await new Promise(done => setTimeout(done, 50));
  const thing = { apiVersion: `${group}/v1`, kind: 'Thing', metadata: { name: 'a' }, spec: { size: 1, text: 't' } };
  await t.quietly({ method: 'POST', path: `${path}?fieldManager=maker`, body: thing });
  return `${path}/a`;
}

export const appliedScales: readonly Case[] = [
  {
    says: 'an apply of a Scale conflicts with who made the object, and takes the replicas over by force',
    steps: async t => {
      const path = await deploymentOf(t);
      await applied(t, `${path}/scale`, 'scaler', scale({ replicas: 3 }));
      await applied(t, `${path}/scale`, 'scaler&force=true', scale({ replicas: 3 }));
      await t.get(path);
      await applied(t, `${path}/scale`, 'scaler', scale({ replicas: 3 }));
      await applied(t, `${path}/scale`, 'other', scale({ replicas: 4 }));
      await applied(t, `${path}/scale`, 'other', scale({ replicas: 3 }));
      await t.get(path);
    },
  },
  {
    says: 'an apply of a Scale may be YAML',
    steps: async t => {
      const path = await deploymentOf(t);
      const yaml = 'apiVersion: autoscaling/v1\nkind: Scale\nmetadata: {name: a}\nspec:\n  replicas: 1\n';
      await applied(t, `${path}/scale`, 'scaler', yaml);
      await t.get(`${path}/scale`);
      await applied(t, `${path}/scale`, 'scaler', '- a\n- list\n');
      await applied(t, `${path}/scale`, 'scaler', '');
    },
  },
  {
    says: 'who applied a Scale and leaves the replicas out gives them up',
    steps: async t => {
      const path = await deploymentOf(t);
      await applied(t, `${path}/scale`, 'scaler&force=true', scale({ replicas: 3 }));
      await applied(t, `${path}/scale`, 'scaler', scale({}));
      await t.get(path);
    },
  },
  {
    says: 'an apply of the whole object conflicts with who applied its Scale',
    steps: async t => {
      const path = await deploymentOf(t);
      await applied(t, `${path}/scale`, 'scaler&force=true', scale({ replicas: 3 }));
      const whole = { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'a' }, spec: SPEC };
      await applied(t, path, 'owner', whole);
      await applied(t, path, 'owner&force=true', whole);
      await applied(t, `${path}/scale`, 'owner', scale({ replicas: 5 }));
      await t.patch(`${path}/scale?fieldManager=scaler`, 'merge-patch+json', { spec: { replicas: 6 } });
      await t.get(path);
    },
  },
  {
    says: 'an apply of a Scale says whose it is and what it is',
    steps: async t => {
      const path = await deploymentOf(t);
      await t.patch(`${path}/scale`, 'apply-patch+yaml', scale({ replicas: 1 }));
      await applied(t, `${path}/scale`, 'm', { ...scale({ replicas: 1 }), kind: 'Deployment' });
      await applied(t, `${path}/scale`, 'm', { ...scale({ replicas: 1 }), apiVersion: 'apps/v1' });
      await applied(t, `${path}/scale`, 'm', { spec: { replicas: 1 } });
      await applied(t, `${path}/scale`, 'm', { ...SCALE, spec: { replicas: 1 } });
      await applied(t, `${path}/scale`, 'm', scale({ replicas: 1 }, { name: 'b' }));
      await applied(t, `${path}/scale`, 'm', scale({ replicas: 1 }, { namespace: 'elsewhere' }));
      await applied(t, `${path}/scale`, 'm', scale({ replicas: 1 }, { managedFields: [{ manager: 'x' }] }));
      await applied(t, path.replace(/a$/, 'absent/scale'), 'm', scale({ replicas: 1 }, { name: 'absent' }));
    },
  },
  {
    says: 'an apply of a Scale is held to what a Scale is',
    steps: async t => {
      const path = await deploymentOf(t);
      await applied(t, `${path}/scale`, 'm&force=true', scale({ replicas: -1 }));
      await applied(t, `${path}/scale`, 'm&force=true', scale({ replicas: 'two' }));
      await applied(t, `${path}/scale`, 'm&force=true', scale({ replicas: 1.5 }));
      await applied(t, `${path}/scale`, 'm&force=true', scale({ replicas: null }));
      await applied(t, `${path}/scale`, 'm&force=true', scale({ replicas: 1, brand: 'new' }));
      await applied(t, `${path}/scale`, 'm&force=true', { ...scale({ replicas: 1 }), brand: 'new' });
      await applied(t, `${path}/scale`, 'm&force=true', scale({ replicas: 2 }, { resourceVersion: '1' }));
      await applied(t, `${path}/scale`, 'm&force=true', scale({ replicas: 2 }, { uid: 'other' }));
      await t.get(`${path}/scale`);
    },
  },
  {
    says: 'an apply of a Scale changes and owns nothing but the replicas',
    steps: async t => {
      const path = await deploymentOf(t);
      const more = { labels: { b: 'c' }, annotations: { d: 'e' }, finalizers: ['example.com/f'] };
      await applied(t, `${path}/scale`, 'm&force=true', scale({ replicas: 2 }, more));
      await applied(t, `${path}/scale`, 'n', { ...scale({}), status: { replicas: 7, selector: 'a=b' } });
      await t.get(path);
    },
  },
  {
    says: 'an apply of a Scale under dryRun scales nothing',
    steps: async t => {
      const path = await deploymentOf(t);
      await applied(t, `${path}/scale`, 'm&force=true&dryRun=All', scale({ replicas: 4 }));
      await t.get(path);
    },
  },
  {
    says: 'ReplicaSets, StatefulSets and ReplicationControllers are scaled by an apply too',
    steps: async t => {
      const sets = await t.in('statefulsets', '/apis/apps/v1');
      await t.quietly({ method: 'POST', path: sets, body: { metadata: { name: 'a' }, spec: SPEC } });
      const replicaSets = await t.in('replicasets', '/apis/apps/v1');
      await t.quietly({ method: 'POST', path: replicaSets, body: { metadata: { name: 'a' }, spec: SPEC } });
      const controllers = await t.in('replicationcontrollers');
      const spec = { ...SPEC, selector: labels };
      await t.quietly({ method: 'POST', path: controllers, body: { metadata: { name: 'a' }, spec } });
      for (const path of [sets, replicaSets, controllers]) {
        await applied(t, `${path}/a/scale`, 'scaler', scale({ replicas: 2 }));
        await applied(t, `${path}/a/scale`, 'scaler&force=true', scale({ replicas: 2 }));
        const { json } = await t.quietly({ method: 'GET', path: `${path}/a` });
        t.note('who owns what', json.metadata.managedFields);
      }
    },
  },
  {
    says: 'the Scale of a custom resource is applied, and owned where its definition counts',
    steps: async t => {
      const path = await sizedOf(t);
      await applied(t, `${path}/scale`, 'scaler', scale({ replicas: 3 }));
      await applied(t, `${path}/scale`, 'scaler&force=true', scale({ replicas: 3 }));
      await t.get(path);
      const yaml = 'apiVersion: autoscaling/v1\nkind: Scale\nmetadata: {name: a}\nspec:\n  replicas: 3\n';
      await applied(t, `${path}/scale`, 'scaler', yaml);
      await applied(t, `${path}/scale`, 'other', scale({ replicas: 4 }));
      await applied(t, `${path}/scale`, 'other', scale({ replicas: 3 }));
      await applied(t, `${path}/scale`, 'scaler', scale({}));
      await t.get(path);
    },
  },
  {
    says: 'a write of a Scale as it is writes down anew who owns the replicas',
    steps: async t => {
      const path = await deploymentOf(t);
      await t.patch(`${path}/scale?fieldManager=m`, 'merge-patch+json', { spec: { replicas: 1 } });
      await t.get(path);
      await t.patch(`${path}/scale?fieldManager=m`, 'merge-patch+json', { spec: { replicas: 2 } });
      await t.patch(`${path}/scale?fieldManager=m`, 'merge-patch+json', {});
      await t.get(path);
      await applied(t, `${path}/scale`, 'n', scale({ replicas: 2 }));
      await t.get(path);
    },
  },
  {
    says: 'a write of the Scale of a custom resource as it is writes down anew who owns the replicas',
    steps: async t => {
      const path = await sizedOf(t);
      await t.patch(`${path}/scale?fieldManager=m`, 'merge-patch+json', { spec: { replicas: 1 } });
      await t.get(path);
      await applied(t, `${path}/scale`, 'n', scale({ replicas: 1 }));
      await t.get(path);
    },
  },
  {
    says: 'the uid in a Scale is that of what it scales',
    steps: async t => {
      for (const path of [await deploymentOf(t), await sizedOf(t)]) {
        await t.put(`${path}/scale`, scale({ replicas: 2 }, { uid: 'other' }));
        await t.patch(`${path}/scale`, 'merge-patch+json', { metadata: { uid: 'other' }, spec: { replicas: 3 } });
        await applied(t, `${path}/scale`, 'm&force=true', scale({ replicas: 4 }, { uid: 'other' }));
      }
    },
  },
  {
    says: 'an apply of a custom resource and one of its Scale conflict over what it counts',
    steps: async t => {
      const path = await sizedOf(t);
      await applied(t, `${path}/scale`, 'scaler&force=true', scale({ replicas: 3 }));
      const apiVersion = `${t.ns}.example.com/v1`;
      const thing = { apiVersion, kind: 'Thing', metadata: { name: 'a' }, spec: { size: 4 } };
      await applied(t, path, 'owner', thing);
      await applied(t, path, 'owner&force=true', thing);
      await applied(t, `${path}/scale`, 'scaler', scale({ replicas: 5 }));
      await applied(t, `${path}/scale`, 'scaler&force=true', scale({ replicas: -5 }));
      await t.patch(`${path}/scale?fieldManager=scaler`, 'merge-patch+json', { spec: { replicas: 6 } });
      await t.get(path);
    },
  },
];
