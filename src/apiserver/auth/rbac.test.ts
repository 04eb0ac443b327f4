// RBAC as a table: verb x resource x subject, allowed and denied.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '../parts.ts';
import { authorization } from './authorizers.ts';
import { bootstrapObjects } from './policy/bootstrap.ts';
import { asking, storedRbac } from './stored.testing.ts';

const role = (kind: string, name: string, rules: readonly JsonObject[], namespace?: string): JsonObject => ({
  kind,
  metadata: { name, ...(namespace === undefined ? {} : { namespace }) },
  rules,
});

/** `name` is `namespace/name` for a RoleBinding. */
function binding(name: string, roleRef: JsonObject, ...subjects: readonly JsonObject[]): JsonObject {
  const slash = name.indexOf('/');
  const namespace = slash < 0 ? {} : { namespace: name.slice(0, slash) };
  return {
    kind: slash < 0 ? 'ClusterRoleBinding' : 'RoleBinding',
    metadata: { name: name.slice(slash + 1), ...namespace },
    roleRef,
    subjects,
  };
}

const user = (name: string): JsonObject => ({ kind: 'User', name });
const group = (name: string): JsonObject => ({ kind: 'Group', name });
const roleRef = (name: string): JsonObject => ({ kind: 'Role', name });
const clusterRef = (name: string): JsonObject => ({ kind: 'ClusterRole', name, apiGroup: 'rbac.authorization.k8s.io' });

function aCluster() {
  return storedRbac([
    ...bootstrapObjects(),
    role('ClusterRole', 'node-reader', [
      { verbs: ['get'], apiGroups: [''], resources: ['nodes'], resourceNames: ['mac-0'] },
      { verbs: ['get'], apiGroups: [''], resources: ['*/status'] },
      { verbs: ['get'], nonResourceURLs: ['/metrics', '/debug/*'] },
    ]),
    role(
      'Role',
      'leases',
      [{ verbs: ['*'], apiGroups: ['coordination.k8s.io'], resources: ['leases'] }],
      'kube-system',
    ),
    binding('ann-reads', clusterRef('node-reader'), user('ann')),
    binding('team-a/ann-edits', clusterRef('edit'), user('ann')),
    binding('team-a/admins', clusterRef('admin'), group('leads')),
    binding('team-a/viewers', clusterRef('view'), group('all')),
    binding('kube-system/bot', roleRef('leases'), { kind: 'ServiceAccount', name: 'bot' }),
    binding('kube-system/other-bot', roleRef('leases'), { kind: 'ServiceAccount', name: 'bot', namespace: 'team-a' }),
    binding('team-a/broken', roleRef('nothing'), user('carl')),
  ]);
}

const ann = { name: 'ann', groups: ['system:authenticated'] };
const lead = { name: 'lea', groups: ['leads', 'system:authenticated'] };
const viewer = { name: 'vic', groups: ['all', 'system:authenticated'] };
const anonymous = { name: 'system:anonymous', groups: ['system:unauthenticated'] };
const root = { name: 'root', groups: ['system:masters'] };
const bot = { name: 'system:serviceaccount:kube-system:bot', groups: ['system:serviceaccounts'] };
const otherBot = { name: 'system:serviceaccount:team-a:bot', groups: ['system:serviceaccounts'] };
const stranger = { name: 'system:serviceaccount:team-b:bot', groups: ['system:serviceaccounts'] };

type Row = readonly [
  who: { readonly name: string; readonly groups: string[] },
  verb: string,
  what: string,
  where: string,
  answer: 'yes' | 'no',
];

const resources: readonly Row[] = [
  [root, 'delete', 'nodes', '', 'yes'],
  [root, 'create', 'anything.example.org/sub', 'x', 'yes'],
  [ann, 'get', 'nodes', '', 'no'],
  [ann, 'get', 'nodes/status', '', 'yes'],
  [ann, 'update', 'nodes/status', '', 'no'],
  [ann, 'create', 'pods', 'team-a', 'yes'],
  [ann, 'create', 'pods', 'team-b', 'no'],
  [ann, 'list', 'pods', '', 'no'],
  [ann, 'create', 'pods/exec', 'team-a', 'yes'],
  [ann, 'update', 'pods/status', 'team-a', 'no'],
  [ann, 'get', 'pods/log', 'team-a', 'yes'],
  [ann, 'get', 'secrets', 'team-a', 'yes'],
  [ann, 'create', 'rolebindings.rbac.authorization.k8s.io', 'team-a', 'no'],
  [ann, 'create', 'selfsubjectaccessreviews.authorization.k8s.io', '', 'yes'],
  [lead, 'create', 'rolebindings.rbac.authorization.k8s.io', 'team-a', 'yes'],
  [lead, 'delete', 'deployments.apps', 'team-a', 'yes'],
  [lead, 'get', 'secrets', 'team-a', 'yes'],
  [lead, 'get', 'secrets', 'team-b', 'no'],
  [viewer, 'get', 'pods', 'team-a', 'yes'],
  [viewer, 'get', 'secrets', 'team-a', 'no'],
  [viewer, 'delete', 'pods', 'team-a', 'no'],
  [anonymous, 'get', 'pods', 'team-a', 'no'],
  [anonymous, 'create', 'selfsubjectaccessreviews.authorization.k8s.io', '', 'no'],
  [bot, 'deletecollection', 'leases.coordination.k8s.io', 'kube-system', 'yes'],
  [bot, 'get', 'leases', 'kube-system', 'no'],
  [bot, 'get', 'leases.coordination.k8s.io', 'team-a', 'no'],
  [otherBot, 'get', 'leases.coordination.k8s.io', 'kube-system', 'yes'],
  [stranger, 'get', 'leases.coordination.k8s.io', 'kube-system', 'no'],
];

for (const [who, verb, what, where, answer] of resources) {
  test(`${who.name} ${answer === 'yes' ? 'may' : 'may not'} ${verb} ${what}${where === '' ? '' : ` in ${where}`}`, () => {
    const { authorize } = authorization(aCluster());

    const verdict = authorize(asking(who, verb, what, { namespace: where }));

    assert.equal(verdict.allowed, answer === 'yes');
  });
}

const paths: readonly (readonly [typeof ann, string, string, 'yes' | 'no'])[] = [
  [ann, 'get', '/metrics', 'yes'],
  [ann, 'get', '/metrics/slis', 'no'],
  [ann, 'get', '/debug/pprof', 'yes'],
  [ann, 'post', '/metrics', 'no'],
  [ann, 'get', '/apis/apps', 'yes'],
  [anonymous, 'get', '/healthz', 'yes'],
  [anonymous, 'get', '/version', 'yes'],
  [anonymous, 'get', '/apis', 'no'],
  [anonymous, 'get', '/metrics', 'no'],
];

for (const [who, verb, path, answer] of paths) {
  test(`${who.name} ${answer === 'yes' ? 'may' : 'may not'} ${verb} ${path}`, () => {
    const { authorize } = authorization(aCluster());

    const verdict = authorize({ ...asking(who, verb, ''), path });

    assert.equal(verdict.allowed, answer === 'yes');
  });
}

test('A rule with resource names allows these names only, also where a list selects one of them', () => {
  const { authorize } = authorization(aCluster());
  const allowed = (more: object): boolean => authorize(asking(ann, 'get', 'nodes', more)).allowed;

  assert.equal(allowed({ name: 'mac-0' }), true);
  assert.equal(allowed({ name: 'mac-1' }), false);
  assert.equal(allowed({ fieldSelector: 'metadata.name=mac-0' }), true);
  assert.equal(allowed({ fieldSelector: 'metadata.name!=mac-0' }), false);
});

test('An allowed answer names the binding, a denied one the role that is missing', () => {
  const { authorize } = authorization(aCluster());

  const given = authorize(asking(bot, 'get', 'leases.coordination.k8s.io', { namespace: 'kube-system' }));
  const missing = authorize(asking({ name: 'carl' }, 'get', 'pods', { namespace: 'team-a' }));

  assert.deepEqual(given, {
    allowed: true,
    reason: 'RBAC: allowed by RoleBinding "bot/kube-system" of Role "leases" to ServiceAccount "bot/kube-system"',
  });
  assert.deepEqual(missing, { allowed: false, reason: 'RBAC: role.rbac.authorization.k8s.io "nothing" not found' });
});

test('A new binding counts at once, and unchanged ones are not indexed again', () => {
  const stored = aCluster();
  const { authorize } = authorization(stored);
  const may = (): boolean => authorize(asking({ name: 'dora' }, 'get', 'pods', { namespace: 'team-b' })).allowed;

  const before = [may(), may(), may()];
  const listsBefore = stored.lists.get('rolebindings.rbac.authorization.k8s.io');
  stored.put('rolebindings.rbac.authorization.k8s.io', binding('team-b/dora', clusterRef('view'), user('dora')));
  const after = may();
  stored.remove('rolebindings.rbac.authorization.k8s.io', 'team-b', 'dora');

  assert.deepEqual(before, [false, false, false]);
  assert.equal(listsBefore, 1);
  assert.equal(after, true);
  assert.equal(may(), false);
});

test('A role that is labelled into an aggregate widens everybody who holds the aggregate', () => {
  const stored = aCluster();
  const { authorize } = authorization(stored);
  const may = (): boolean => authorize(asking(viewer, 'get', 'macs.pippin.dev', { namespace: 'team-a' })).allowed;
  const before = may();

  stored.put('clusterroles.rbac.authorization.k8s.io', {
    kind: 'ClusterRole',
    metadata: { name: 'macs-view', labels: { 'rbac.authorization.k8s.io/aggregate-to-view': 'true' } },
    rules: [{ verbs: ['get'], apiGroups: ['pippin.dev'], resources: ['macs'] }],
  });

  assert.equal(before, false);
  assert.equal(may(), true);
});

test('An aggregate that chooses by NotIn takes roles without the label and with other values, and not the named ones', () => {
  const kind = 'ClusterRole';
  const reads = (name: string, resource: string, labels: JsonObject): JsonObject => ({
    ...role(kind, name, [{ verbs: ['get'], apiGroups: [''], resources: [resource] }]),
    metadata: { name, labels },
  });
  const stored = storedRbac([
    {
      kind,
      metadata: { name: 'all-but' },
      aggregationRule: {
        clusterRoleSelectors: [{ matchExpressions: [{ key: 'team', operator: 'NotIn', values: ['secret'] }] }],
      },
    },
    reads('unlabelled', 'pods', {}),
    reads('other', 'services', { team: 'open' }),
    reads('named', 'secrets', { team: 'secret' }),
    binding('b', clusterRef('all-but'), user('ann')),
  ]);

  const may = (resource: string): boolean => authorization(stored).authorize(asking(ann, 'get', resource)).allowed;

  assert.deepEqual(['pods', 'services', 'secrets'].map(may), [true, true, false]);
});

test('Aggregates that choose each other end, with the rules of both', () => {
  const aggregate = (name: string, label: string, chooses: string): JsonObject => ({
    kind: 'ClusterRole',
    metadata: { name, labels: { [label]: 'true' } },
    aggregationRule: { clusterRoleSelectors: [{ matchLabels: { [chooses]: 'true' } }] },
  });
  const stored = storedRbac([
    aggregate('one', 'in-two', 'in-one'),
    aggregate('two', 'in-one', 'in-two'),
    {
      ...role('ClusterRole', 'leaf', [{ verbs: ['get'], apiGroups: [''], resources: ['pods'] }]),
      metadata: { name: 'leaf', labels: { 'in-two': 'true' } },
    },
    binding('b', clusterRef('one'), user('ann')),
  ]);

  const verdict = authorization(stored).authorize(asking(ann, 'get', 'pods'));

  assert.equal(verdict.allowed, true);
});
