// Creating: what is filled in, what is overlooked, and what is refused.

import type { Case } from '../frame/case.ts';
import { aPod, podsIn, widgets } from '../frame/prepared.ts';

export const creating: readonly Case[] = [
  {
    says: 'a create answers 201 with uid, creationTimestamp and resourceVersion',
    steps: async t => {
      const maps = await t.in('configmaps');
      await t.post(maps, { metadata: { name: 'a' }, data: { key: 'value' } });
      await t.get(`${maps}/a`);
    },
  },
  {
    says: 'a create of a name that exists answers 409 AlreadyExists',
    steps: async t => {
      const maps = await t.in('configmaps');
      await t.post(maps, { metadata: { name: 'a' } });
      await t.post(maps, { metadata: { name: 'a' } });
    },
  },
  {
    says: 'a create of a name that is being deleted says so',
    steps: async t => {
      const maps = await t.in('configmaps');
      await t.quietly({ method: 'POST', path: maps, body: { metadata: { name: 'a', finalizers: ['example.com/a'] } } });
      await t.quietly({ method: 'DELETE', path: `${maps}/a` });
      await t.post(maps, { metadata: { name: 'a' } });
      await t.patch(`${maps}/a`, 'merge-patch+json', { metadata: { finalizers: null } });
    },
  },
  {
    says: 'generateName makes a name of five more characters',
    steps: async t => {
      const maps = await t.in('configmaps');
      const { json } = await t.post(maps, { metadata: { generateName: 'made-' } });
      t.note('characters', json.metadata.name.length);
    },
  },
  {
    says: 'generateName is cut to 58 characters before five are added',
    steps: async t => {
      const maps = await t.in('configmaps');
      const { json } = await t.quietly({
        method: 'POST',
        path: maps,
        body: { metadata: { generateName: 'x'.repeat(80) } },
      });
      t.note('characters', json.metadata.name.length);
      t.note('base', json.metadata.generateName.length);
    },
  },
  {
    says: 'a name wins over generateName, which is kept',
    steps: async t => {
      const maps = await t.in('configmaps');
      await t.post(maps, { metadata: { name: 'a', generateName: 'made-' } });
    },
  },
  {
    says: 'a generateName that makes a bad name is refused with the name that was made',
    steps: async t => {
      const maps = await t.in('configmaps');
      const { json } = await t.quietly({ method: 'POST', path: maps, body: { metadata: { generateName: 'Made_' } } });
      t.note('refusal', { ...json, message: '', details: { ...json.details, name: '', causes: [] } });
      t.note('cause', json.details.causes[0].message.replace(/"Made_[^"]*"/, ''));
      t.note('field', json.details.causes[0].field);
    },
  },
  {
    says: 'a create without name and generateName is refused',
    steps: async t => {
      await t.post(await t.in('configmaps'), { data: { a: 'b' } });
      await t.post(await t.in('configmaps'), { metadata: { name: '' } });
    },
  },
  {
    says: 'what only the server sets is overlooked in a create',
    steps: async t => {
      const maps = await t.in('configmaps');
      await t.post(maps, {
        metadata: {
          name: 'a',
          uid: '11111111-2222-3333-4444-555555555555',
          creationTimestamp: '2001-01-01T00:00:00Z',
          deletionTimestamp: '2001-01-01T00:00:00Z',
          deletionGracePeriodSeconds: 5,
          generation: 7,
          selfLink: '/a',
        },
      });
    },
  },
  {
    says: 'a create that names a resourceVersion is refused',
    steps: async t => {
      const maps = await t.in('configmaps');
      await t.post(maps, { metadata: { name: 'a', resourceVersion: '5' } });
      await t.post(maps, { metadata: { name: 'b', resourceVersion: '0' } });
    },
  },
  {
    says: 'a create in a Namespace that does not exist is refused',
    steps: async t => {
      await t.post(`/api/v1/namespaces/${t.own('none')}/configmaps`, { metadata: { name: 'a' } });
    },
  },
  {
    says: 'a create whose body names another Namespace is refused',
    steps: async t => {
      await t.post(await t.in('configmaps'), { metadata: { name: 'a', namespace: 'other' } });
    },
  },
  {
    says: 'a create of an object of a Namespace at the collection of all Namespaces is not allowed',
    steps: async t => {
      await t.post('/api/v1/configmaps', { metadata: { name: 'a', namespace: 'default' } });
    },
  },
  {
    says: 'a create at the path of one object is not allowed',
    steps: async t => {
      await t.post(await t.in('configmaps/a'), { metadata: { name: 'a' } });
    },
  },
  {
    says: 'a Namespace that a cluster-scoped object names is overlooked',
    steps: async t => {
      const body = { metadata: { name: t.own('role'), namespace: 'default' }, rules: [] };
      await t.post('/apis/rbac.authorization.k8s.io/v1/clusterroles', body);
      await t.post('/api/v1/namespaces', { metadata: { name: t.own('ns'), namespace: 'default' } });
      t.after(() => t.quietly({ method: 'DELETE', path: `/api/v1/namespaces/${t.own('ns')}` }));
    },
  },
  {
    says: 'a created Deployment begins at generation 1 without the status that was sent',
    steps: async t => {
      const path = await t.in('deployments', '/apis/apps/v1');
      await t.post(path, {
        metadata: { name: 'a', generation: 9 },
        spec: {
          selector: { matchLabels: { app: 'a' } },
          template: { metadata: { labels: { app: 'a' } }, spec: { containers: [{ name: 'c', image: 'i' }] } },
        },
        status: { replicas: 5 },
      });
    },
  },
  {
    says: 'a created Pod begins Pending, whatever status was sent',
    steps: async t => {
      const pods = await podsIn(t);
      await t.post(pods, { ...aPod('a'), status: { phase: 'Running', podIP: '10.1.2.3' } });
    },
  },
  {
    says: 'a created custom object begins at generation 1 without the status that was sent',
    steps: async t => {
      const { path, api } = await widgets(t, { subresources: { status: {} } });
      const body = { apiVersion: api, kind: 'Widget', metadata: { name: 'a' }, spec: { size: 1 }, status: { is: 1 } };
      await t.post(path, body);
    },
  },
  {
    says: 'status of a custom object whose kind has no status subresource is data like any other',
    steps: async t => {
      const { path, api } = await widgets(t, {});
      const body = { apiVersion: api, kind: 'Widget', metadata: { name: 'a' }, status: { is: 1 } };
      const { json } = await t.post(path, body);
      await t.put(`${path}/a`, { ...json, status: { is: 2 } });
      await t.put(`${path}/a/status`, json);
    },
  },
  {
    says: 'a create answers the field manager that the query or the user agent names',
    steps: async t => {
      const maps = await t.in('configmaps');
      const body = { data: { key: 'value' } };
      await t.post(`${maps}?fieldManager=me`, { ...body, metadata: { name: 'a' } });
      await t.post(maps, { ...body, metadata: { name: 'b' } }, { headers: { 'user-agent': 'agent/1.2 (linux)' } });
      await t.post(`${maps}?fieldManager=${'m'.repeat(129)}`, { ...body, metadata: { name: 'c' } });
      await t.post(`${maps}?fieldManager=bad%01name`, { ...body, metadata: { name: 'd' } });
    },
  },
  {
    says: 'managedFields of nobody in a create are replaced, and bad ones are refused',
    steps: async t => {
      const maps = await t.in('configmaps');
      await t.post(maps, { metadata: { name: 'a', managedFields: [] }, data: { key: 'value' } });
      const bad = [{ manager: 'me', operation: 'Eat', apiVersion: 'v1', fieldsType: 'FieldsV1', fieldsV1: {} }];
      await t.post(maps, { metadata: { name: 'b', managedFields: bad } });
      const untyped = [{ manager: 'me', operation: 'Update', apiVersion: 'v1', fieldsV1: {} }];
      await t.post(maps, { metadata: { name: 'c', managedFields: untyped } });
    },
  },
];
