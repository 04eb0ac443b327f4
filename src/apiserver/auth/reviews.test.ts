// The kinds that are asked, not stored: access reviews, rules reviews, token reviews, who am I.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Identity } from '../../kube/transport.ts';
import { statusOf } from '../answer/status.ts';
import type { JsonObject, Resource } from '../parts.ts';
import { tokenReader } from './authenticate.ts';
import { authorization } from './authorizers.ts';
import { valueAt } from './fields.ts';
import { bootstrapObjects } from './policy/bootstrap.ts';
import { reviews } from './reviews.ts';
import { storedRbac } from './stored.testing.ts';
import { tokenWorld } from './token-world.testing.ts';

const AUTHORIZATION = 'authorization.k8s.io';
const ann: Identity = { name: 'ann', groups: ['system:authenticated'] };

const rbac = storedRbac([
  ...bootstrapObjects(),
  {
    kind: 'RoleBinding',
    metadata: { namespace: 'team-a', name: 'ann' },
    roleRef: { kind: 'ClusterRole', name: 'view' },
    subjects: [{ kind: 'User', name: 'ann' }],
  },
]);

async function ask(
  plural: string,
  spec: JsonObject,
  more: { who?: Identity; namespace?: string } = {},
): Promise<JsonObject> {
  const tokens = await tokenWorld();
  const staticTokens = [{ token: 'known', user: 'admin', uid: '7', groups: ['system:masters'] }];
  const answers = reviews({
    ...authorization(rbac),
    readToken: tokenReader({ tokens, staticTokens }),
    audiences: tokens.audiences,
    clock: tokens.clock,
  });
  const [name = '', ...group] = plural.split('.');
  const resource: Resource = { ...shape, group: group.join('.'), kind: KINDS[name] ?? '', plural: name };
  const review = answers.get(plural);
  assert.ok(review);
  const object = { kind: resource.kind, apiVersion: `${resource.group}/v1`, metadata: {}, spec };
  return review({ resource, object, namespace: more.namespace ?? '', identity: more.who ?? ann });
}

const KINDS: Readonly<Record<string, string>> = {
  selfsubjectaccessreviews: 'SelfSubjectAccessReview',
  subjectaccessreviews: 'SubjectAccessReview',
  localsubjectaccessreviews: 'LocalSubjectAccessReview',
};

const shape: Resource = {
  group: '',
  version: 'v1',
  kind: '',
  listKind: '',
  plural: '',
  singular: '',
  namespaced: false,
  shortNames: [],
  categories: [],
  subresources: [],
  verbs: ['create'],
  storageName: '',
  schema: {},
  origin: 'builtin',
};

const status = async (...asked: Parameters<typeof ask>): Promise<unknown> => (await ask(...asked)).status;

async function refusal(...asked: Parameters<typeof ask>): Promise<string> {
  try {
    await ask(...asked);
    return 'answered';
  } catch (error) {
    const { code, message } = statusOf(error);
    return `${code} ${message}`;
  }
}

const getPods = { verb: 'get', resource: 'pods', namespace: 'team-a' };
const self = `selfsubjectaccessreviews.${AUTHORIZATION}`;
const other = `subjectaccessreviews.${AUTHORIZATION}`;
const local = `localsubjectaccessreviews.${AUTHORIZATION}`;

test('kubectl auth can-i is answered with the reason', async () => {
  assert.deepEqual(await status(self, { resourceAttributes: getPods }), {
    allowed: true,
    reason: 'RBAC: allowed by RoleBinding "ann/team-a" of ClusterRole "view" to User "ann"',
  });
  assert.deepEqual(await status(self, { resourceAttributes: { ...getPods, namespace: 'team-b' } }), { allowed: false });
  assert.deepEqual(await status(self, { nonResourceAttributes: { verb: 'get', path: '/healthz' } }), {
    allowed: true,
    reason:
      'RBAC: allowed by ClusterRoleBinding "system:discovery" of ClusterRole "system:discovery" to Group "system:authenticated"',
  });
});

test('An access review of somebody else asks for that user and those groups', async () => {
  const resourceAttributes = { ...getPods, verb: 'delete', namespace: '' };

  assert.deepEqual(await status(other, { user: 'bob', resourceAttributes }), { allowed: false });
  assert.deepEqual(await status(other, { user: 'bob', groups: ['system:masters'], resourceAttributes }), {
    allowed: true,
  });
});

test('Field selectors of a review reach the Node authorizer', async () => {
  const asNode = { user: 'system:node:mac-0', groups: ['system:nodes'] };
  const own = { requirements: [{ key: 'spec.nodeName', operator: 'In', values: ['mac-0'] }] };
  const list = { verb: 'list', resource: 'pods' };

  assert.deepEqual(await status(other, { ...asNode, resourceAttributes: { ...list, fieldSelector: own } }), {
    allowed: true,
  });
  assert.deepEqual(
    await status(other, {
      ...asNode,
      resourceAttributes: { ...list, fieldSelector: { rawSelector: 'spec.nodeName=mac-0' } },
    }),
    { allowed: true },
  );
  assert.deepEqual(await status(other, { ...asNode, resourceAttributes: list }), {
    allowed: false,
    reason: 'can only list/watch pods with spec.nodeName field selector',
  });
});

test('Reviews that ask nothing, too much or for nobody are invalid', async () => {
  const nonResourceAttributes = { verb: 'get', path: '/' };

  assert.equal(
    await refusal(self, {}),
    '422 .authorization.k8s.io "" is invalid: spec.resourceAttributes: Invalid value: null: exactly one of nonResourceAttributes or resourceAttributes must be specified',
  );
  assert.match(
    await refusal(self, { resourceAttributes: getPods, nonResourceAttributes }),
    /cannot be specified in combination/,
  );
  assert.match(
    await refusal(other, { resourceAttributes: getPods }),
    /spec.user: Invalid value: "": at least one of user or group must be specified/,
  );
  assert.match(
    await refusal(local, { user: 'ann', resourceAttributes: getPods }, { namespace: 'team-b' }),
    /spec.resourceAttributes.namespace: Invalid value: "team-a": must match metadata.namespace/,
  );
  assert.match(
    await refusal(local, { user: 'ann', nonResourceAttributes }, { namespace: 'team-a' }),
    /disallowed on this kind of request/,
  );
  assert.equal(await refusal(local, { user: 'ann', resourceAttributes: getPods }, { namespace: 'team-a' }), 'answered');
});

test('kubectl auth can-i --list lists the rules that apply in the namespace', async () => {
  const answer = await ask(`selfsubjectrulesreviews.${AUTHORIZATION}`, { namespace: 'team-a' });
  const elsewhere = await ask(`selfsubjectrulesreviews.${AUTHORIZATION}`, { namespace: 'team-b' });

  const rules = valueAt(answer, 'status', 'resourceRules');
  assert.ok(Array.isArray(rules));
  assert.ok(
    rules.some(rule => valueAt(rule, 'resources', '0') === undefined && JSON.stringify(rule).includes('"pods"')),
  );
  assert.ok(!JSON.stringify(valueAt(elsewhere, 'status', 'resourceRules')).includes('"pods"'));
  assert.ok(JSON.stringify(valueAt(answer, 'status', 'nonResourceRules')).includes('"/healthz"'));
  assert.equal(valueAt(answer, 'status', 'incomplete'), false);
});

test("A node's rules cannot be listed completely, and the answer says so", async () => {
  const who = { name: 'system:node:mac-0', groups: ['system:nodes'] };

  const answer = await ask(`selfsubjectrulesreviews.${AUTHORIZATION}`, { namespace: 'x' }, { who });

  assert.equal(valueAt(answer, 'status', 'incomplete'), true);
  assert.equal(valueAt(answer, 'status', 'evaluationError'), 'node authorizer does not support user rule resolution');
});

test('A rules review needs a namespace', async () => {
  assert.equal(await refusal(`selfsubjectrulesreviews.${AUTHORIZATION}`, {}), '400 no namespace on request');
});

test('kubectl auth whoami is answered with all that is known of the caller', async () => {
  const who = { ...ann, uid: '42', extra: { scopes: ['view'] } };

  const answer = await ask('selfsubjectreviews.authentication.k8s.io', {}, { who });

  assert.deepEqual(answer.status, {
    userInfo: { username: 'ann', uid: '42', groups: ['system:authenticated'], extra: { scopes: ['view'] } },
  });
  assert.deepEqual(answer.metadata, { creationTimestamp: '2026-01-01T00:00:00Z' });
});

test('TokenReview says whose a token is, and of an unknown one only that it is invalid', async () => {
  const review = 'tokenreviews.authentication.k8s.io';

  assert.deepEqual(await status(review, { token: 'known' }), {
    authenticated: true,
    user: { username: 'admin', uid: '7', groups: ['system:masters', 'system:authenticated'] },
    audiences: ['https://kubernetes.default.svc.cluster.local'],
  });
  assert.deepEqual(await status(review, { token: 'other' }), { user: {}, error: 'invalid bearer token' });
  assert.deepEqual(await status(review, { token: 'known', audiences: ['x'] }), {
    user: {},
    error:
      '[invalid bearer token, token audiences ["https://kubernetes.default.svc.cluster.local"] is invalid for the target audiences ["x"]]',
  });
  assert.equal(await refusal(review, {}), '400 token is required for TokenReview in authentication');
});
