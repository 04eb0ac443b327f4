// Reviews that are asked badly: selectors that are none, attributes of the wrong type, names, unknown fields, other formats.

import { enveloped, message } from '../formats/prepared.ts';
import type { Case } from '../frame/case.ts';
import type { Trial } from '../frame/trial.ts';
import { grantedHere, someone } from './people.ts';

const AUTHORIZATION = '/apis/authorization.k8s.io/v1';
const AUTHENTICATION = '/apis/authentication.k8s.io/v1';
const OTHERS = `${AUTHORIZATION}/subjectaccessreviews`;
const OWN = `${AUTHORIZATION}/selfsubjectaccessreviews`;
const RULES = `${AUTHORIZATION}/selfsubjectrulesreviews`;
const SELF = `${AUTHENTICATION}/selfsubjectreviews`;
const TOKENS = `${AUTHENTICATION}/tokenreviews`;

const listing = (more: object): object => ({ resource: 'pods', verb: 'list', ...more });
const required = (key: string, operator: string, values?: readonly string[]): object => ({
  requirements: [{ key, operator, ...(values === undefined ? {} : { values }) }],
});

/** Each selector of that kind, in a review of somebody's access. */
const selecting = (kind: 'fieldSelector' | 'labelSelector', selectors: readonly object[]) => async (t: Trial) => {
  for (const selector of selectors) {
    const resourceAttributes = listing({ [kind]: selector });
    await t.post(OTHERS, { spec: { user: 'x', resourceAttributes } });
  }
};

const SHAPES: readonly object[] = [
  {},
  { rawSelector: '' },
  { requirements: [] },
  { requirements: null },
  { rawSelector: 'a=b', requirements: [{ key: 'a', operator: 'Exists' }] },
  { rawSelector: 'a=b' },
  { rawSelector: 'a in (b' },
];
const VALUES: readonly object[] = [
  required('', 'In', ['a']),
  required('a', 'In'),
  required('a', 'NotIn', []),
  required('a', 'Exists', ['b']),
  required('a', 'DoesNotExist', ['b']),
  required('a b!', 'In', ['c']),
  required('a', 'In', ['b c']),
  { requirements: [{}] },
];
const OPERATORS: readonly object[] = [
  required('a', 'Like', ['b']),
  required('a', ''),
  required('a', 'exists'),
  required('a', 'Exists'),
  required('a', 'In', ['a', 'b']),
  required('a', 'NotIn', ['a']),
  {
    requirements: [
      { key: 'a', operator: 'In', values: ['x'] },
      { key: 'b', operator: 'New' },
    ],
  },
];

export const oddReviews: readonly Case[] = [
  { says: 'a review with a field selector says it in one of two ways', steps: selecting('fieldSelector', SHAPES) },
  { says: 'a review with a label selector says it in one of two ways', steps: selecting('labelSelector', SHAPES) },
  { says: 'requirements on fields in a review have keys and values', steps: selecting('fieldSelector', VALUES) },
  { says: 'requirements on labels in a review have keys and values', steps: selecting('labelSelector', VALUES) },
  {
    says: 'requirements on fields that are not understood are left out of a review, which says so',
    steps: selecting('fieldSelector', OPERATORS),
  },
  {
    says: 'requirements on labels that are not understood are left out of a review, which says so',
    steps: selecting('labelSelector', OPERATORS),
  },
  {
    says: 'both selectors of a review are judged, in every kind of review',
    steps: async t => {
      const both = listing({ namespace: t.ns, fieldSelector: { rawSelector: '=' }, labelSelector: {} });
      const read = listing({
        namespace: t.ns,
        fieldSelector: { rawSelector: 'a' },
        labelSelector: required('a', 'New'),
      });
      const local = await t.in('localsubjectaccessreviews', AUTHORIZATION);
      for (const path of [OTHERS, OWN, local]) {
        for (const resourceAttributes of [both, read]) {
          const user = path === OWN ? {} : { user: 'x' };
          await t.post(path, { spec: { ...user, resourceAttributes } });
        }
      }
    },
  },
  {
    says: 'what a node may list is reviewed by its field selector',
    steps: async t => {
      const who = { user: 'system:node:a', groups: ['system:nodes'] };
      for (const fieldSelector of [
        { rawSelector: 'spec.nodeName=a' },
        { rawSelector: 'spec.nodeName=b' },
        required('spec.nodeName', 'In', ['a']),
        required('spec.nodeName', 'NotIn', ['a']),
        required('spec.nodeName', 'New', ['a']),
      ]) {
        await t.post(OTHERS, { spec: { ...who, resourceAttributes: listing({ fieldSelector }) } });
      }
    },
  },
  {
    says: 'a review of the wrong types is refused with the place',
    steps: async t => {
      const resourceAttributes = {};
      for (const spec of [
        { user: 5 },
        { user: 'x', groups: 'a', resourceAttributes },
        { user: 'x', extra: { a: 'b' }, resourceAttributes },
        { user: 'x', extra: [], resourceAttributes },
        { user: 'x', resourceAttributes: { namespace: 5 } },
        { user: 'x', resourceAttributes: [] },
        { user: 'x', resourceAttributes: { fieldSelector: 'a=b' } },
        { user: 'x', nonResourceAttributes: { path: ['/'] } },
        'text',
      ]) {
        await t.post(OTHERS, { spec });
      }
      await t.post(RULES, { spec: { namespace: 5 } });
      await t.post(TOKENS, { spec: { token: 5 } });
      await t.post(TOKENS, { spec: { token: 'x', audiences: 'a' } });
    },
  },
  {
    says: 'unknown fields of reviews are told of, refused or ignored',
    steps: async t => {
      const as = someone(t);
      const spec = { namespace: 'default', resourceAttributes: { verb: 'get', resource: 'pods', odd: 1 }, token: 'x' };
      for (const validation of ['', '?fieldValidation=Warn', '?fieldValidation=Strict', '?fieldValidation=Ignore']) {
        for (const path of [OWN, TOKENS])
          await t.post(`${path}${validation}`, { odd: true, spec }, { as: adminFor(path, as) });
        const told = await t.quietly({ method: 'POST', path: `${RULES}${validation}`, body: { odd: true, spec }, as });
        t.note(`rules ${validation}`, [told.status, told.headers.warning, told.json.message]);
      }
      await t.post(SELF, { odd: 1, metadata: { odd: 2 } }, { as });
      await t.post(SELF, '{"metadata":{},"metadata":{}}', { as });
    },
  },
  {
    says: 'a question has no name of its own, and what is empty is none',
    steps: async t => {
      const spec = { user: 'x', resourceAttributes: listing({}) };
      for (const metadata of [
        { name: 'a' },
        { namespace: 'a' },
        { generateName: 'a' },
        { labels: {}, annotations: {}, finalizers: [], ownerReferences: [] },
        { labels: { a: 'b' } },
        { finalizers: ['a.b/c'] },
        { resourceVersion: '5', uid: 'a' },
        { uid: 'a' },
        { generation: 0, creationTimestamp: null },
      ]) {
        const { status, json } = await t.quietly({ method: 'POST', path: OTHERS, body: { metadata, spec } });
        const why = /: (must be .*)$/.exec(json.message ?? '')?.[1];
        t.note(JSON.stringify(metadata), [status, why, /"managedFields".*/.test(json.message ?? '')]);
      }
      const local = await t.in('localsubjectaccessreviews', AUTHORIZATION);
      for (const metadata of [{ namespace: t.ns }, { namespace: 'other' }, { name: 'a' }]) {
        const body = { metadata, spec: { ...spec, resourceAttributes: listing({ namespace: t.ns }) } };
        const { status, json } = await t.quietly({ method: 'POST', path: local, body });
        t.note(JSON.stringify(metadata), [status, json.message?.replace(/Invalid value: .*\}:/, 'Invalid value:')]);
      }
    },
  },
  {
    says: 'a LocalSubjectAccessReview that is wrong in several ways tells all of them, in order',
    steps: async t => {
      const local = await t.in('localsubjectaccessreviews', AUTHORIZATION);
      await t.post(local, {});
      await t.post(local, { spec: {} });
      const both = {
        resourceAttributes: { namespace: 'other', labelSelector: {} },
        nonResourceAttributes: { path: '/<a>' },
      };
      await t.post(local, { spec: both });
      await t.post(`${AUTHORIZATION}/localsubjectaccessreviews`, { spec: { user: 'x' } });
    },
  },
  {
    says: 'who asks about paths and extra attributes of somebody is answered',
    steps: async t => {
      const groups = ['system:authenticated'];
      for (const path of ['/api', '/api/', '/api/*', 'api', '', '/nonsense', '*']) {
        await t.post(OTHERS, { spec: { user: 'x', groups, nonResourceAttributes: { path, verb: 'get' } } });
      }
      const extra = { a: ['b'], 'B.C': null, d: [] };
      await t.post(OTHERS, { spec: { user: 'x', uid: 'u', extra, resourceAttributes: listing({ version: 'v9' }) } });
      await t.post(OTHERS, { status: { allowed: true }, spec: { groups: ['system:masters'], resourceAttributes: {} } });
    },
  },
  {
    says: 'a SelfSubjectReview takes what it is given for nothing',
    steps: async t => {
      const as = someone(t);
      for (const body of [{ metadata: { name: 'a', namespace: 'b' } }, { status: { userInfo: { username: 'me' } } }]) {
        await t.post(SELF, body, { as });
      }
      await t.post(`${SELF}?dryRun=All`, {}, { as });
      await t.post(`${SELF}?dryRun=no`, {}, { as });
      await t.post(SELF, 'null', { as });
      await t.post(SELF, '', { as });
    },
  },
  {
    says: 'reviews in protobuf are judged as in JSON',
    steps: async t => {
      const headers = { 'content-type': 'application/vnd.kubernetes.protobuf' };
      const sent = (path: string, kind: string, raw: Buffer, api = 'authorization.k8s.io/v1'): Promise<unknown> =>
        t.send({ method: 'POST', path, body: enveloped(api, kind, raw), headers });
      // SubjectAccessReviewSpec: resource attributes (1) with a verb (2) and a resource (5), user (3).
      const attributes = message([2, 'list'], [5, 'pods']);
      await sent(OTHERS, 'SubjectAccessReview', message([2, message([1, attributes], [3, 'x'])]));
      await sent(OTHERS, 'SubjectAccessReview', message([2, message([3, 'x'])]));
      await sent(OTHERS, 'SubjectAccessReview', message([2, message([1, attributes])]));
      const selecting = message([2, 'list'], [5, 'pods'], [8, Buffer.alloc(0)]);
      await sent(OTHERS, 'SubjectAccessReview', message([2, message([1, selecting], [3, 'x'])]));
      await sent(OWN, 'SelfSubjectAccessReview', message([2, message([1, attributes])]));
      await sent(OWN, 'SelfSubjectAccessReview', Buffer.alloc(0));
      await sent(RULES, 'SelfSubjectRulesReview', Buffer.alloc(0));
      await sent(OTHERS, 'SelfSubjectAccessReview', Buffer.alloc(0));
      await sent(TOKENS, 'TokenReview', message([2, message([1, 'x'])]), 'authentication.k8s.io/v1');
    },
  },
  {
    says: 'rules of a Namespace that is none are those of everybody',
    steps: async t => {
      const as = await grantedHere(t, [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }]);
      for (const namespace of ['none', '*', 'BAD NAME']) {
        const { status, json } = await t.quietly({ method: 'POST', path: RULES, body: { spec: { namespace } }, as });
        t.note(namespace, [status, json.status.resourceRules.length, json.status.incomplete, json.spec]);
      }
      await t.post(RULES, {}, { as });
      await t.post(RULES, { spec: null }, { as });
    },
  },
];

/** Only an administrator may review tokens. */
const adminFor = (path: string, as: { readonly user: string }): { user: string; groups?: readonly string[] } =>
  path === TOKENS ? { user: 'admin', groups: ['system:masters'] } : as;
