// Acting as somebody else: `kubectl --as` and `--as-group`.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { authorization } from './authorizers.ts';
import { impersonate } from './impersonation.ts';
import { bootstrapObjects } from './policy/bootstrap.ts';
import { storedRbac } from './stored.testing.ts';

const root = { name: 'root', groups: ['system:masters'] };
const helper = { name: 'helper', groups: ['system:authenticated'] };

/** `helper` may impersonate the user ann, the group leads, and accounts of team-a. */
const { authorize } = authorization(
  storedRbac([
    ...bootstrapObjects(),
    {
      kind: 'ClusterRole',
      metadata: { name: 'as-ann' },
      rules: [
        { verbs: ['impersonate'], apiGroups: [''], resources: ['users'], resourceNames: ['ann'] },
        { verbs: ['impersonate'], apiGroups: [''], resources: ['groups'], resourceNames: ['leads'] },
        { verbs: ['impersonate'], apiGroups: ['authentication.k8s.io'], resources: ['userextras/scopes'] },
      ],
    },
    {
      kind: 'ClusterRoleBinding',
      metadata: { name: 'as-ann' },
      roleRef: { kind: 'ClusterRole', name: 'as-ann' },
      subjects: [{ kind: 'User', name: 'helper' }],
    },
    {
      kind: 'RoleBinding',
      metadata: { namespace: 'team-a', name: 'accounts' },
      roleRef: { kind: 'ClusterRole', name: 'edit' },
      subjects: [{ kind: 'User', name: 'helper' }],
    },
  ]),
);

function as(caller: typeof root, headers: Readonly<Record<string, string>>): unknown {
  const answer = impersonate(caller, headers, authorize);
  return 'identity' in answer ? answer.identity : `${answer.refused.code} ${answer.refused.message}`;
}

test('Without impersonation headers the caller is itself', () => {
  assert.deepEqual(as(helper, { accept: 'x' }), helper);
});

test('An impersonated user is authenticated and has the groups that were asked for', () => {
  assert.deepEqual(as(helper, { 'impersonate-user': 'ann', 'impersonate-group': 'leads' }), {
    name: 'ann',
    groups: ['leads', 'system:authenticated'],
  });
});

test('A service account brings its own groups, unless groups are asked for', () => {
  const name = 'system:serviceaccount:team-a:bot';

  assert.deepEqual(as(helper, { 'impersonate-user': name }), {
    name,
    groups: ['system:serviceaccounts', 'system:serviceaccounts:team-a', 'system:authenticated'],
  });
  assert.deepEqual(as(helper, { 'impersonate-user': name, 'impersonate-group': 'leads' }), {
    name,
    groups: ['leads', 'system:authenticated'],
  });
});

test('The anonymous user is not authenticated', () => {
  assert.deepEqual(as(root, { 'impersonate-user': 'system:anonymous' }), {
    name: 'system:anonymous',
    groups: ['system:unauthenticated'],
  });
});

const refusals: readonly (readonly [string, Readonly<Record<string, string>>, RegExp])[] = [
  [
    'another user',
    { 'impersonate-user': 'bob' },
    /^403 users "bob" is forbidden: User "helper" cannot impersonate resource "users" in API group "" at the cluster scope$/,
  ],
  [
    'a group beside the user',
    { 'impersonate-user': 'ann', 'impersonate-group': 'leads\nsystem:masters' },
    /^403 groups "system:masters"/,
  ],
  [
    'a group whose name begins with that of another',
    { 'impersonate-user': 'ann', 'impersonate-group': 'leads,system:masters' },
    /^403 groups "leads,system:masters"/,
  ],
  [
    'an account elsewhere',
    { 'impersonate-user': 'system:serviceaccount:team-b:bot' },
    /^403 serviceaccounts "bot" .*in the namespace "team-b"$/,
  ],
  ['a uid', { 'impersonate-user': 'ann', 'impersonate-uid': 'u' }, /^403 uids.authentication.k8s.io "u"/],
  ['an extra value', { 'impersonate-user': 'ann', 'impersonate-extra-other': 'v' }, /resource "userextras\/other"/],
  [
    'a group without a user',
    { 'impersonate-group': 'leads' },
    /^400 requested &user\.DefaultInfo\{Name:"", UID:"", Groups:\[\]string\{"leads"\}, Extra:map\[string\]\[\]string\(nil\)\} without impersonating a user name$/,
  ],
];

for (const [what, headers, message] of refusals) {
  test(`Impersonating ${what} is refused`, () => {
    assert.match(String(as(helper, headers)), message);
  });
}

test('Extra values that are granted arrive', () => {
  assert.deepEqual(as(helper, { 'impersonate-user': 'ann', 'impersonate-extra-scopes': 'view,edit\nall' }), {
    name: 'ann',
    groups: ['system:authenticated'],
    extra: { scopes: ['view,edit', 'all'] },
  });
});
