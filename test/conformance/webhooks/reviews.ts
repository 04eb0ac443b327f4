// What a webhook is told: the AdmissionReview of each kind of request.

import type { Case } from '../frame/case.ts';
import { Hook, ruleFor } from '../frame/webhook.ts';

const ALL = ['CREATE', 'UPDATE', 'DELETE'];
/** Named, so that the reviews of both servers have the same user. */
export const ANN = { as: { user: 'ann', groups: ['system:masters', 'system:authenticated'] } };

const POD = {
  metadata: { name: 'a' },
  spec: { automountServiceAccountToken: false, containers: [{ name: 'c', image: 'i' }] },
};

export const reviews: readonly Case[] = [
  {
    says: 'a create is shown to a webhook whole: object, options, user, kinds, and no old object',
    steps: async t => {
      const hook = await Hook.open(t);
      await hook.install('validating', [{}]);
      const path = `${await t.in('configmaps')}?fieldManager=me&fieldValidation=Strict`;
      await t.post(path, { metadata: { name: 'a', labels: { x: 'y' } }, data: { key: 'value' } }, ANN);
      hook.told();
    },
  },
  {
    says: 'an update is shown to a webhook with the old object and the new one',
    steps: async t => {
      const hook = await Hook.open(t);
      const maps = await t.in('configmaps');
      const { json } = await t.post(maps, { metadata: { name: 'a' }, data: { key: 'value' } });
      await hook.install('validating', [{ rules: [ruleFor(ALL, ['configmaps'])] }]);
      await t.put(`${maps}/a`, { ...json, data: { key: 'other' } }, ANN);
      hook.told();
    },
  },
  {
    says: 'a merge patch is an UPDATE with UpdateOptions',
    steps: async t => {
      const hook = await Hook.open(t);
      const maps = await t.in('configmaps');
      await t.post(maps, { metadata: { name: 'a' }, data: { key: 'value' } });
      await hook.install('mutating', [{ rules: [ruleFor(ALL, ['configmaps'])] }]);
      await t.patch(`${maps}/a?fieldManager=unknown`, 'merge-patch+json', { data: { key: 'other' } }, ANN);
      hook.told();
    },
  },
  {
    says: 'an apply that makes the object is a CREATE, the next one an UPDATE',
    steps: async t => {
      const hook = await Hook.open(t);
      const maps = await t.in('configmaps');
      await hook.install('mutating', [{ rules: [ruleFor(ALL, ['configmaps'])] }]);
      const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, data: { key: 'value' } };
      await t.patch(`${maps}/a?fieldManager=me`, 'apply-patch+yaml', body, ANN);
      hook.told();
      const next = { ...body, data: { key: 'other' } };
      await t.patch(`${maps}/a?fieldManager=me&force=true`, 'apply-patch+yaml', next, ANN);
      hook.told();
    },
  },
  {
    says: 'a delete is shown with the old object and its options, and without an object',
    steps: async t => {
      const hook = await Hook.open(t);
      const maps = await t.in('configmaps');
      await t.post(maps, { metadata: { name: 'a' }, data: { key: 'value' } });
      const rules = [ruleFor(['DELETE'], ['configmaps'])];
      await hook.install('mutating', [{ rules, clientConfig: hook.clientConfig('/mutating') }], 'm');
      await hook.install('validating', [{ rules, clientConfig: hook.clientConfig('/validating') }], 'v');
      const options = {
        kind: 'DeleteOptions',
        apiVersion: 'v1',
        gracePeriodSeconds: 3,
        propagationPolicy: 'Background',
      };
      await t.delete(`${maps}/a`, options, ANN);
      hook.told();
    },
  },
  {
    says: 'a delete of a collection is shown once for each object, without its name',
    steps: async t => {
      const hook = await Hook.open(t);
      const maps = await t.in('configmaps');
      await t.post(maps, { metadata: { name: 'a', labels: { mine: 'yes' } } });
      await hook.install('validating', [{ rules: [ruleFor(['DELETE'], ['configmaps'])] }]);
      await t.delete(`${maps}?labelSelector=mine%3Dyes`, undefined, ANN);
      hook.told();
    },
  },
  {
    says: 'a dry run is shown as one',
    steps: async t => {
      const hook = await Hook.open(t);
      await hook.install('validating', [{ sideEffects: 'NoneOnDryRun' }]);
      const maps = await t.in('configmaps');
      await t.post(`${maps}?dryRun=All`, { metadata: { name: 'a' } }, ANN);
      hook.told();
      await t.get(`${maps}/a`);
    },
  },
  {
    says: 'a name that is made up is not known to a mutating webhook, and known to a validating one',
    steps: async t => {
      const hook = await Hook.open(t);
      await hook.install('mutating', [{ clientConfig: hook.clientConfig('/mutating') }], 'm');
      await hook.install('validating', [{ clientConfig: hook.clientConfig('/validating') }], 'v');
      await t.post(await t.in('configmaps'), { metadata: { generateName: 'made-' } }, ANN);
      hook.told();
    },
  },
  {
    says: 'a write of the status is matched by its subresource and shown with it',
    steps: async t => {
      const hook = await Hook.open(t);
      const pods = await t.in('pods');
      await t.quietly({ method: 'POST', path: pods, body: POD });
      await hook.install('validating', [
        { rules: [ruleFor(['UPDATE'], ['pods'])], clientConfig: hook.clientConfig('/object') },
        { rules: [ruleFor(['UPDATE'], ['pods/status'])], clientConfig: hook.clientConfig('/status') },
        { rules: [ruleFor(['UPDATE'], ['pods/*'])], clientConfig: hook.clientConfig('/parts') },
        { rules: [ruleFor(['UPDATE'], ['*/*'])], clientConfig: hook.clientConfig('/all') },
        { rules: [ruleFor(['UPDATE'], ['*'])], clientConfig: hook.clientConfig('/objects') },
        { rules: [ruleFor(['UPDATE'], ['*/status'])], clientConfig: hook.clientConfig('/statuses') },
      ]);
      await t.patch(`${pods}/a`, 'merge-patch+json', { metadata: { labels: { x: 'y' } } });
      hook.askedInAnyOrder();
      await t.patch(`${pods}/a/status`, 'merge-patch+json', { status: { message: 'm' } });
      hook.askedInAnyOrder();
    },
  },
  {
    says: 'a scale is shown as a Scale of the object that it scales',
    steps: async t => {
      const hook = await Hook.open(t);
      const deployments = await t.in('deployments', '/apis/apps/v1');
      const template = {
        metadata: { labels: { app: 'a' } },
        spec: { containers: [{ name: 'c', image: 'i' }] },
      };
      const spec = { replicas: 1, selector: { matchLabels: { app: 'a' } }, template };
      await t.post(deployments, { metadata: { name: 'a' }, spec });
      await hook.install('validating', [{ rules: [ruleFor(['UPDATE'], ['deployments/scale'], ['apps'])] }]);
      await t.patch(`${deployments}/a/scale`, 'merge-patch+json', { spec: { replicas: 2 } }, ANN);
      hook.told();
    },
  },
  {
    says: 'a binding is shown as a CREATE of a Binding, which a webhook may refuse',
    steps: async t => {
      const hook = await Hook.open(t);
      const pods = await t.in('pods');
      await t.quietly({ method: 'POST', path: pods, body: POD });
      hook.on('/0', review => ({
        body: {
          apiVersion: 'admission.k8s.io/v1',
          kind: 'AdmissionReview',
          response: { uid: review.request.uid, allowed: false, status: { message: 'not there' } },
        },
      }));
      await hook.install('validating', [{ rules: [ruleFor(['CREATE'], ['pods/binding'])] }]);
      const target = { apiVersion: 'v1', kind: 'Node', name: 'n' };
      await t.post(`${pods}/a/binding`, { apiVersion: 'v1', kind: 'Binding', metadata: { name: 'a' }, target }, ANN);
      hook.toldWithoutObject();
    },
  },
  {
    says: 'an eviction is shown as a CREATE of an Eviction, and then the delete of the Pod is not',
    steps: async t => {
      const hook = await Hook.open(t);
      const pods = await t.in('pods');
      await t.quietly({ method: 'POST', path: pods, body: POD });
      const rules = [ruleFor(['CREATE', 'DELETE'], ['pods', 'pods/eviction'])];
      await hook.install('validating', [{ rules }]);
      await t.post(`${pods}/a/eviction`, { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: 'a' } }, ANN);
      hook.told();
    },
  },
  {
    says: 'a webhook is asked as JSON by kube-apiserver-admission, with its timeout in the query',
    steps: async t => {
      const hook = await Hook.open(t);
      await hook.install('validating', [{ timeoutSeconds: 7 }]);
      await t.post(await t.in('configmaps'), { metadata: { name: 'a' } });
      hook.headers();
      await t.post(await t.in('configmaps'), { metadata: { name: 'b' } }, ANN);
      hook.told();
    },
  },
  {
    says: 'a token request is shown as the create of a TokenRequest',
    steps: async t => {
      const hook = await Hook.open(t);
      const accounts = await t.in('serviceaccounts');
      await t.post(accounts, { metadata: { name: 'a' } });
      await hook.install('validating', [{ rules: [ruleFor(['CREATE'], ['serviceaccounts/token'])] }]);
      const request = {
        apiVersion: 'authentication.k8s.io/v1',
        kind: 'TokenRequest',
        spec: { expirationSeconds: 600 },
      };
      const { status } = await t.quietly({ method: 'POST', path: `${accounts}/a/token`, body: request, ...ANN });
      t.note('status', status);
      hook.toldWithoutObject();
    },
  },
];
