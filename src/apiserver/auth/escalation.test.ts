// Nobody grants more than they hold.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '../parts.ts';
import { authorization } from './authorizers.ts';
import { noEscalation } from './escalation.ts';
import type { AdmissionCall, Admitted } from './operation.ts';
import { bootstrapObjects } from './policy/bootstrap.ts';
import { asking, storedRbac } from './stored.testing.ts';

const RBAC = 'rbac.authorization.k8s.io';
const ref = (name: string, kind = 'ClusterRole'): JsonObject => ({ apiGroup: RBAC, kind, name });
const pods = (...verbs: readonly string[]): JsonObject => ({ verbs, apiGroups: [''], resources: ['pods'] });

/** `lea` is admin of team-a; `ned` may get one Pod there; `eve` may escalate roles, `bob` may bind `edit`, both in team-a only. */
function world() {
  const bind = (name: string, role: JsonObject, user: string): JsonObject => ({
    kind: 'RoleBinding',
    metadata: { namespace: 'team-a', name },
    roleRef: role,
    subjects: [{ kind: 'User', name: user }],
  });
  const manage = { verbs: ['*'], apiGroups: [RBAC], resources: ['roles', 'rolebindings'] };
  const role = (name: string, ...rules: readonly JsonObject[]): JsonObject => ({
    kind: 'Role',
    metadata: { namespace: 'team-a', name },
    rules,
  });
  const stored = storedRbac([
    ...bootstrapObjects(),
    role('escalating', manage, { verbs: ['escalate'], apiGroups: [RBAC], resources: ['roles'] }),
    role('binding', { verbs: ['bind'], apiGroups: [RBAC], resources: ['clusterroles'], resourceNames: ['edit'] }),
    role('one-pod', { ...pods('get'), resourceNames: ['db-0'] }),
    bind('lea', ref('admin'), 'lea'),
    bind('ned', ref('one-pod', 'Role'), 'ned'),
    bind('eve', ref('escalating', 'Role'), 'eve'),
    bind('bob', ref('binding', 'Role'), 'bob'),
  ]);
  return noEscalation(authorization(stored));
}

interface Written {
  readonly who: string;
  readonly groups?: readonly string[];
  readonly what: 'roles' | 'rolebindings' | 'clusterroles' | 'clusterrolebindings';
  readonly object: JsonObject;
  readonly old?: JsonObject;
}

function write({ who, groups, what, object, old }: Written): Admitted {
  const namespace = what.startsWith('cluster') ? '' : 'team-a';
  const identity = { name: who, groups: groups ?? ['system:authenticated'] };
  const attributes = asking(identity, old === undefined ? 'create' : 'update', `${what}.${RBAC}`, { namespace });
  const call: Omit<AdmissionCall, 'resource'> = { attributes, object, old, dryRun: false };
  const resource = { group: RBAC, version: 'v1', kind: 'X', listKind: 'XList', plural: what, singular: '', schema: {} };
  const shape = { namespaced: true, shortNames: [], categories: [], subresources: [], verbs: [], storageName: '' };
  return world()({ ...call, resource: { ...resource, ...shape, origin: 'builtin' } });
}

const refusal = (admitted: Admitted): string | undefined =>
  'refused' in admitted ? `${admitted.refused.code} ${admitted.refused.message}` : undefined;

const role = (...rules: readonly JsonObject[]): JsonObject => ({ metadata: { name: 'new' }, rules });
const binding = (name: string): JsonObject => ({ metadata: { name: 'new' }, roleRef: ref(name), subjects: [] });

test('Who holds a permission may grant it', () => {
  assert.equal(refusal(write({ who: 'lea', what: 'roles', object: role(pods('get', 'create')) })), undefined);
  assert.equal(refusal(write({ who: 'lea', what: 'rolebindings', object: binding('view') })), undefined);
  assert.equal(refusal(write({ who: 'lea', what: 'rolebindings', object: binding('admin') })), undefined);
});

test('What is not held cannot be granted, and the answer lists it', () => {
  const answer = write({
    who: 'lea',
    what: 'roles',
    object: role(pods('get', 'approve', 'sign'), { verbs: ['get'], apiGroups: ['pippin.dev'], resources: ['macs'] }),
  });

  assert.equal(
    refusal(answer),
    '403 roles.rbac.authorization.k8s.io "new" is forbidden: user "lea" (groups=["system:authenticated"]) is attempting to grant RBAC permissions not currently held:\n' +
      '{APIGroups:[""], Resources:["pods"], Verbs:["approve" "sign"]}\n' +
      '{APIGroups:["pippin.dev"], Resources:["macs"], Verbs:["get"]}',
  );
});

test('Who holds one object by name may grant that one, and neither another nor all of them', () => {
  const granting = (...names: readonly string[]): string | undefined =>
    refusal(write({ who: 'ned', what: 'roles', object: role({ ...pods('get'), resourceNames: names }) }));

  assert.equal(granting('db-0'), undefined);
  assert.match(granting('db-0', 'db-1') ?? '', /ResourceNames:\["db-1"\], Verbs:\["get"\]\}$/);
  assert.match(granting() ?? '', /Resources:\["pods"\], Verbs:\["get"\]\}$/);
});

test('A wildcard is more than all that one holds', () => {
  assert.match(refusal(write({ who: 'lea', what: 'roles', object: role(pods('*')) })) ?? '', /Verbs:\["\*"\]/);
  assert.match(refusal(write({ who: 'lea', what: 'rolebindings', object: binding('cluster-admin') })) ?? '', /^403/);
});

test('What is held in one namespace cannot be granted for the whole cluster', () => {
  assert.match(refusal(write({ who: 'lea', what: 'clusterroles', object: role(pods('get')) })) ?? '', /^403/);
  assert.match(refusal(write({ who: 'lea', what: 'clusterrolebindings', object: binding('view') })) ?? '', /^403/);
});

test('The verb escalate frees roles, the verb bind frees bindings to the named role only', () => {
  assert.equal(refusal(write({ who: 'eve', what: 'roles', object: role(pods('*')) })), undefined);
  assert.match(refusal(write({ who: 'eve', what: 'rolebindings', object: binding('edit') })) ?? '', /^403/);
  assert.equal(refusal(write({ who: 'bob', what: 'rolebindings', object: binding('edit') })), undefined);
  assert.match(refusal(write({ who: 'bob', what: 'rolebindings', object: binding('admin') })) ?? '', /^403/);
});

test('A member of system:masters grants anything', () => {
  const groups = ['system:masters'];

  assert.equal(refusal(write({ who: 'root', groups, what: 'clusterroles', object: role(pods('*')) })), undefined);
});

test('A binding to a role that does not exist is 404 for who may not bind it', () => {
  assert.equal(
    refusal(write({ who: 'lea', what: 'rolebindings', object: binding('nothing') })),
    '404 rolebindings.rbac.authorization.k8s.io "nothing" not found',
  );
});

test('Only who may do everything may write an aggregation rule', () => {
  const aggregating = {
    metadata: { name: 'new' },
    rules: [],
    aggregationRule: { clusterRoleSelectors: [{ matchLabels: { a: 'b' } }] },
  };

  assert.equal(
    refusal(write({ who: 'lea', what: 'clusterroles', object: aggregating })),
    '403 clusterroles.rbac.authorization.k8s.io "new" is forbidden: must have cluster-admin privileges to use the aggregationRule',
  );
});

test('Only who may do everything may take an aggregation rule off a role', () => {
  const old = { metadata: { name: 'new' }, rules: [], aggregationRule: { clusterRoleSelectors: [{}] } };

  assert.match(
    refusal(write({ who: 'lea', what: 'clusterroles', object: role(), old })) ?? '',
    /^403 .* must have cluster-admin privileges to use the aggregationRule$/,
  );
});

test('The garbage collector may change owners and finalizers of a role that it could not grant', () => {
  const old = { ...role(pods('*')), metadata: { name: 'new', finalizers: ['a/b'] } };
  const object = { ...old, metadata: { name: 'new', ownerReferences: [] } };

  assert.equal(refusal(write({ who: 'gc', what: 'roles', object, old })), undefined);
  assert.match(
    refusal(write({ who: 'gc', what: 'roles', object: { ...object, rules: [] }, old: role() })) ?? 'ok',
    /ok/,
  );
  assert.match(refusal(write({ who: 'gc', what: 'roles', object: role(pods('get')), old })) ?? '', /^403/);
});
