// What is not there: objects, kinds, groups, methods.

import type { Case } from '../frame/case.ts';

export const paths: readonly Case[] = [
  {
    says: 'every verb on an object that does not exist answers 404 with its name and kind',
    steps: async t => {
      const path = await t.in('configmaps/none');
      await t.get(path);
      await t.delete(path);
      await t.patch(path, 'merge-patch+json', {});
      await t.patch(path, 'strategic-merge-patch+json', {});
      await t.get(await t.in('deployments/none', '/apis/apps/v1'));
    },
  },
  {
    says: 'a kind that a served group does not have answers 404 without a name',
    steps: async t => {
      await t.get(await t.in('nonsenses'));
      await t.get('/apis/apps/v1/nonsenses/a');
      await t.post(await t.in('nonsenses'), { metadata: { name: 'a' } });
      await t.delete('/apis/apps/v1/namespaces/default/nonsenses');
    },
  },
  {
    says: 'a group or version that is not served answers the plain 404',
    steps: async t => {
      await t.get('/apis/none.example.com/v1/things');
      await t.get('/apis/apps/v9/deployments');
      await t.get('/api/v2/pods');
      await t.get('/nonsense');
    },
  },
  {
    says: 'a method that a resource does not take answers 405',
    steps: async t => {
      const maps = await t.in('configmaps');
      await t.put(maps, {});
      await t.patch(maps, 'merge-patch+json', {});
      await t.put('/api/v1/configmaps', {});
      await t.delete('/api/v1/configmaps');
      await t.delete('/api/v1/namespaces');
      await t.delete('/api/v1/pods');
    },
  },
  {
    says: 'methods that HTTP has and Kubernetes has not',
    steps: async t => {
      const maps = await t.in('configmaps');
      await t.send({ method: 'TRACE', path: maps });
      await t.send({ method: 'OPTIONS', path: maps });
    },
  },
  {
    says: 'an object of a Namespace has no path without one',
    steps: async t => {
      await t.get('/api/v1/configmaps/a');
      await t.put('/api/v1/configmaps/a', { metadata: { name: 'a' } });
      await t.delete('/api/v1/configmaps/a');
    },
  },
  {
    says: 'an object of the cluster has no path in a Namespace',
    steps: async t => {
      await t.get(await t.in('nodes'));
      await t.get(await t.in('nodes/a'));
      await t.post(await t.in('nodes'), { metadata: { name: 'a' } });
    },
  },
  {
    says: 'a list in a Namespace that does not exist is empty',
    steps: async t => {
      await t.get(`/api/v1/namespaces/${t.own('none')}/configmaps`);
      await t.get(`/api/v1/namespaces/${t.own('none')}/configmaps/a`);
      await t.delete(`/api/v1/namespaces/${t.own('none')}/configmaps`);
    },
  },
  {
    says: 'a kind that is only created cannot be read',
    steps: async t => {
      await t.get('/apis/authentication.k8s.io/v1/tokenreviews');
      await t.get('/apis/authorization.k8s.io/v1/subjectaccessreviews/a');
      await t.delete('/apis/authorization.k8s.io/v1/selfsubjectaccessreviews/a');
    },
  },
  {
    says: 'trailing and double slashes are not the path without them',
    steps: async t => {
      const maps = await t.in('configmaps');
      await t.quietly({ method: 'POST', path: maps, body: { metadata: { name: 'a' } } });
      await t.get(`${maps}/a/`);
      await t.get(`${maps}//a`);
      await t.get(`${maps}/a%2Fb`);
    },
  },
  {
    says: 'HEAD answers the head of a GET',
    steps: async t => {
      const maps = await t.in('configmaps');
      await t.quietly({ method: 'POST', path: maps, body: { metadata: { name: 'a' } } });
      await t.send({ method: 'HEAD', path: `${maps}/a` });
      await t.send({ method: 'HEAD', path: `${maps}/none` });
    },
  },
];
