// Asking what one may, and who one is.

import type { Case } from '../frame/case.ts';
import type { Trial } from '../frame/trial.ts';
import { grantedHere, someone } from './people.ts';

const AUTHORIZATION = '/apis/authorization.k8s.io/v1';
const AUTHENTICATION = '/apis/authentication.k8s.io/v1';

const review = (t: Trial, spec: object): Promise<unknown> => t.post(`${AUTHORIZATION}/subjectaccessreviews`, { spec });

export const reviews: readonly Case[] = [
  {
    says: 'a SubjectAccessReview says what allows, and denies without a reason',
    steps: async t => {
      const { user } = await grantedHere(t, [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }]);
      for (const verb of ['get', 'list', '*']) {
        await review(t, { user, resourceAttributes: { namespace: t.ns, resource: 'pods', verb } });
      }
      await review(t, {
        user,
        resourceAttributes: { namespace: t.ns, resource: 'pods', subresource: 'log', verb: 'get' },
      });
      await review(t, { user, resourceAttributes: { resource: 'pods', verb: 'get' } });
      await review(t, { user, nonResourceAttributes: { path: '/healthz', verb: 'get' } });
      await review(t, { user: 'x', groups: ['system:masters'], resourceAttributes: { resource: '*', verb: '*' } });
    },
  },
  {
    says: 'a SubjectAccessReview names a subject and exactly one kind of attributes',
    steps: async t => {
      const resourceAttributes = { resource: 'pods', verb: 'get' };
      await review(t, { resourceAttributes });
      await review(t, { user: 'x' });
      await review(t, { user: 'x', resourceAttributes, nonResourceAttributes: { path: '/', verb: 'get' } });
      await t.post(`${AUTHORIZATION}/subjectaccessreviews`, {
        metadata: { name: 'a' },
        spec: { user: 'x', resourceAttributes },
      });
      await t.post(`${AUTHORIZATION}/subjectaccessreviews`, {});
    },
  },
  {
    says: 'a SubjectAccessReview with selectors keeps them, and refuses those that are wrong',
    steps: async t => {
      const labelSelector = { requirements: [{ key: 'a', operator: 'In', values: ['b'] }] };
      const fieldSelector = { rawSelector: 'metadata.name=a' };
      await review(t, {
        user: 'x',
        resourceAttributes: { resource: 'pods', verb: 'list', labelSelector, fieldSelector },
      });
      const bad = { requirements: [{ key: '', operator: 'Like' }] };
      await review(t, { user: 'x', resourceAttributes: { resource: 'pods', verb: 'list', labelSelector: bad } });
    },
  },
  {
    says: 'a SelfSubjectAccessReview is about whoever asks, and anybody may',
    steps: async t => {
      const as = await grantedHere(t, [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }]);
      const path = `${AUTHORIZATION}/selfsubjectaccessreviews`;
      await t.post(path, { spec: { resourceAttributes: { namespace: t.ns, resource: 'pods', verb: 'get' } } }, { as });
      await t.post(path, { spec: { resourceAttributes: { namespace: t.ns, resource: 'pods', verb: 'list' } } }, { as });
      await t.post(path, { spec: {} }, { as });
      await t.get(path, { as });
    },
  },
  {
    says: 'a LocalSubjectAccessReview stays in its namespace',
    steps: async t => {
      const { user } = await grantedHere(t, [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }]);
      const path = await t.in('localsubjectaccessreviews', AUTHORIZATION);
      await t.post(path, { spec: { user, resourceAttributes: { namespace: t.ns, resource: 'pods', verb: 'get' } } });
      await t.post(path, { spec: { user, resourceAttributes: { resource: 'pods', verb: 'get' } } });
      await t.post(path, {
        spec: { user, resourceAttributes: { namespace: 'default', resource: 'pods', verb: 'get' } },
      });
      await t.post(path, { spec: { user, nonResourceAttributes: { path: '/', verb: 'get' } } });
    },
  },
  {
    says: 'a SelfSubjectRulesReview lists the rules of whoever asks',
    steps: async t => {
      const as = await grantedHere(t, [
        { apiGroups: [''], resources: ['pods', 'pods/log'], verbs: ['get', 'list'] },
        { apiGroups: ['apps'], resources: ['deployments'], resourceNames: ['a'], verbs: ['patch'] },
      ]);
      const path = `${AUTHORIZATION}/selfsubjectrulesreviews`;
      for (const namespace of [t.ns, 'default']) {
        const { json } = await t.quietly({ method: 'POST', path, body: { spec: { namespace } }, as });
        const { resourceRules, nonResourceRules, ...rest } = json.status;
        const sorted = (rules: readonly object[]): readonly string[] => rules.map(rule => JSON.stringify(rule)).sort();
        // The real server keeps bindings in a map: the order of rules is chance.
        t.note(`rules in ${namespace}`, { ...rest, resources: sorted(resourceRules), paths: sorted(nonResourceRules) });
      }
      await t.post(path, { spec: {} }, { as });
    },
  },
  {
    says: 'a SelfSubjectReview says who one is',
    steps: async t => {
      await t.post(`${AUTHENTICATION}/selfsubjectreviews`, {}, { as: someone(t) });
      await t.post(`${AUTHENTICATION}/selfsubjectreviews`, {}, { as: { user: t.own('x'), groups: ['b', 'a'] } });
    },
  },
  {
    says: 'who may not review others is refused',
    steps: async t => {
      const as = someone(t);
      await t.post(`${AUTHORIZATION}/subjectaccessreviews`, { spec: { user: 'x' } }, { as });
      await t.post(`${AUTHENTICATION}/tokenreviews`, { spec: { token: 'x' } }, { as });
      await t.post(await t.in('localsubjectaccessreviews', AUTHORIZATION), { spec: { user: 'x' } }, { as });
    },
  },
  {
    says: 'reviews are created and nothing else',
    steps: async t => {
      await t.get(`${AUTHORIZATION}/subjectaccessreviews`);
      await t.get(`${AUTHENTICATION}/tokenreviews/a`);
      await t.delete(`${AUTHORIZATION}/selfsubjectaccessreviews/a`);
    },
  },
  {
    says: 'a review under dryRun is answered all the same',
    steps: async t => {
      const spec = { user: 'x', resourceAttributes: { resource: 'pods', verb: 'get' } };
      await t.post(`${AUTHORIZATION}/subjectaccessreviews?dryRun=All`, { spec });
    },
  },
];
