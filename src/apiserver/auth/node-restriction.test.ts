// NodeRestriction as a table (safe-18): what a node writes about itself passes, everything else is 403.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  admit,
  csr,
  csrs,
  inCi,
  inLeases,
  lease,
  leases,
  node,
  type Pass,
  type Refused,
  refusal,
  resource,
  write,
} from './node-restriction.testing.ts';
import { asking } from './stored.testing.ts';

const csiNodes = 'csinodes.storage.k8s.io';

const passes: readonly Pass[] = [
  [
    'register itself',
    'create',
    'nodes',
    { object: node({}, { 'kubernetes.io/os': 'darwin', 'tuist.dev/fleet': 'a' }) },
  ],
  ['report its status', 'patch', 'nodes/status', { where: { name: 'mac-0' }, object: node({}), old: node({}) }],
  [
    'label itself outside kubernetes.io',
    'patch',
    'nodes',
    { where: { name: 'mac-0' }, object: node({}, { 'tuist.dev/golden-x': '1' }), old: node({}) },
  ],
  ['create its own lease', 'create', leases, { where: inLeases(''), object: lease('mac-0') }],
  ['renew its own lease', 'update', leases, { where: inLeases('mac-0'), object: lease('mac-0'), old: lease('mac-0') }],
  [
    'ask for its own certificate',
    'create',
    csrs,
    { object: csr('system:node:mac-0', 'kube-apiserver-client-kubelet') },
  ],
  ['ask another signer for any certificate', 'create', csrs, { object: csr('somebody', 'kube-apiserver-client') }],
  ['register its volume drivers', 'create', csiNodes, { object: { metadata: { name: 'mac-0' } } }],
  ['emit events', 'create', 'events', { where: { namespace: 'ci' }, object: {} }],
];

for (const [what, verb, resourceName, call] of passes) {
  test(`A node may ${what}`, () => {
    assert.equal(refusal(write(verb, resourceName, call)), 'admitted');
  });
}

const nodes = '403 nodes "mac-0" is forbidden: ';

const refused: readonly Refused[] = [
  [
    'register another node',
    'create',
    'nodes',
    { object: { metadata: { name: 'mac-1' } } },
    '403 nodes "mac-1" is forbidden: node "mac-0" is not allowed to modify node "mac-1"',
  ],
  [
    'register the volume drivers of another node',
    'create',
    csiNodes,
    { object: { metadata: { name: 'mac-1' } } },
    '403 csinodes.storage.k8s.io "mac-1" is forbidden: can only access CSINode with the same name as the requesting node',
  ],
  [
    'change the volume drivers of another node',
    'update',
    csiNodes,
    { where: { name: 'mac-1' }, object: {}, old: {} },
    '403 csinodes.storage.k8s.io "mac-1" is forbidden: can only access CSINode with the same name as the requesting node',
  ],
  [
    'write the status of another node',
    'update',
    'nodes/status',
    { where: { name: 'mac-1' }, object: {}, old: {} },
    '403 nodes "mac-1" is forbidden: node "mac-0" is not allowed to modify node "mac-1"',
  ],
  [
    'register with restricted labels',
    'create',
    'nodes',
    {
      object: node(
        {},
        {
          'node-restriction.kubernetes.io/team': 'a',
          'sub.node-restriction.kubernetes.io/x': 'y',
          'kubernetes.io/role': 'z',
        },
      ),
    },
    `${nodes}node "mac-0" is not allowed to set the following labels: kubernetes.io/role, node-restriction.kubernetes.io/team, sub.node-restriction.kubernetes.io/x`,
  ],
  [
    'change a restricted label',
    'patch',
    'nodes',
    { where: { name: 'mac-0' }, object: node({}, { 'x.k8s.io/a': 'b' }), old: node({}) },
    `${nodes}is not allowed to modify labels: x.k8s.io/a`,
  ],
  [
    'take a restricted label off',
    'patch',
    'nodes',
    { where: { name: 'mac-0' }, object: node({}), old: node({}, { 'node-restriction.kubernetes.io/a': 'b' }) },
    `${nodes}is not allowed to modify labels: node-restriction.kubernetes.io/a`,
  ],
  [
    'change its taints',
    'patch',
    'nodes',
    { where: { name: 'mac-0' }, object: node({ spec: {} }), old: node({ spec: { taints: [{ key: 'a' }] } }) },
    `${nodes}node "mac-0" is not allowed to modify taints`,
  ],
  [
    'change its owners',
    'patch',
    'nodes',
    { where: { name: 'mac-0' }, object: { metadata: { ownerReferences: [{ name: 'x' }] } }, old: node({}) },
    `${nodes}node "mac-0" is not allowed to modify ownerReferences`,
  ],
  [
    'create another lease',
    'create',
    leases,
    { where: inLeases(''), object: lease('mac-1') },
    '403 leases.coordination.k8s.io "mac-1" is forbidden: can only access node lease with the same name as the requesting node',
  ],
  [
    'write another lease',
    'update',
    leases,
    { where: inLeases('mac-1'), object: lease('mac-1'), old: lease('mac-1') },
    '403 leases.coordination.k8s.io "mac-1" is forbidden: can only access node lease with the same name as the requesting node',
  ],
  [
    'write a lease elsewhere',
    'update',
    leases,
    { where: { namespace: 'kube-system', name: 'mac-0' }, object: lease('mac-0'), old: lease('mac-0') },
    '403 leases.coordination.k8s.io "mac-0" is forbidden: can only access leases in the "kube-node-lease" system namespace',
  ],
  [
    'ask for the certificate of another node',
    'create',
    csrs,
    { object: csr('system:node:mac-1', 'kube-apiserver-client-kubelet') },
    '403 certificatesigningrequests.certificates.k8s.io "csr" is forbidden: can only create a node CSR with CN=system:node:mac-0',
  ],
  [
    'ask for a certificate with nonsense',
    'create',
    csrs,
    { object: csr('nonsense', 'kubelet-serving') },
    '403 certificatesigningrequests.certificates.k8s.io "csr" is forbidden: unable to parse csr: PEM block type must be CERTIFICATE REQUEST',
  ],
  [
    'change a claim',
    'patch',
    'persistentvolumeclaims/status',
    { where: inCi('disk'), object: { spec: { a: 1 } }, old: { spec: { a: 2 } } },
    '403 persistentvolumeclaims "disk" is forbidden: node "mac-0" is not allowed to update fields other than status.capacity and status.conditions',
  ],
];

for (const [what, verb, resourceName, call, message] of refused) {
  test(`A node may not ${what}`, () => {
    assert.equal(refusal(write(verb, resourceName, call)), message);
  });
}

test('Who is no node is left alone', () => {
  const attributes = asking({ name: 'ann' }, 'delete', 'pods', inCi('foreign'));

  assert.equal(refusal(admit({ attributes, resource, object: undefined, old: undefined, dryRun: false })), 'admitted');
});
