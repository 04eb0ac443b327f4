// NodeRestriction as a table (safe-18): what a node writes about itself passes, everything else is 403.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Attributes, Json, JsonObject } from '../parts.ts';
import { nodeRestriction } from './node-restriction.ts';
import type { AdmissionCall, Admitted } from './operation.ts';
import { asking, StoredObjects } from './stored-double.ts';

const mac0 = { name: 'system:node:mac-0', groups: ['system:nodes'] };
const resource: AdmissionCall['resource'] = {
  group: '',
  version: 'v1',
  kind: 'Any',
  listKind: 'AnyList',
  plural: 'any',
  singular: 'any',
  namespaced: true,
  shortNames: [],
  categories: [],
  subresources: [],
  verbs: [],
  storageName: 'any',
  schema: {},
  origin: 'builtin',
};

const pod = (name: string, nodeName: string, more: JsonObject = {}): JsonObject => ({
  kind: 'Pod',
  metadata: { namespace: 'ci', name, uid: `${name}-uid` },
  spec: { nodeName },
  ...more,
});

const wanting = (audience: string): JsonObject => ({
  volumes: [{ projected: { sources: [{ serviceAccountToken: { audience } }] } }],
});

const stored = new StoredObjects()
  .put('pods', pod('own', 'mac-0', { spec: { nodeName: 'mac-0', ...wanting('runners') } }), pod('foreign', 'mac-1'))
  .put('nodes', { kind: 'Node', metadata: { name: 'mac-0', uid: 'node-uid' } });

const admit = nodeRestriction({
  stored,
  authorize: attributes =>
    attributes.verb === 'request-serviceaccounts-token-audience' && attributes.resource === 'granted'
      ? { allowed: true }
      : { allowed: false, reason: '' },
  requests: {
    readRequest: pem => (pem === 'nonsense' ? undefined : { ...emptyRequest, commonName: pem }),
  },
});

const emptyRequest = {
  organizations: [],
  dnsNames: [],
  ipAddresses: [],
  emailAddresses: [],
  uris: [],
  publicKeyPem: '',
  isSelfSigned: true,
};

interface Write {
  readonly where?: Partial<Attributes>;
  readonly object?: JsonObject;
  readonly old?: JsonObject;
}

function write(verb: string, what: string, { where, object, old }: Write): Admitted {
  return admit({ attributes: asking(mac0, verb, what, where), resource, object, old, dryRun: false });
}

const refusal = (admitted: Admitted): string =>
  'refused' in admitted ? `${admitted.refused.code} ${admitted.refused.message}` : 'admitted';

const node = (more: JsonObject, labels: JsonObject = {}): JsonObject => ({
  kind: 'Node',
  metadata: { name: 'mac-0', labels },
  ...more,
});
const lease = (name: string): JsonObject => ({ metadata: { namespace: 'kube-node-lease', name } });
const csr = (commonName: string, signer: string): JsonObject => ({
  metadata: { name: 'csr' },
  spec: { signerName: `kubernetes.io/${signer}`, request: Buffer.from(commonName).toString('base64') },
});
const token = (ref: Json, ...audiences: readonly string[]): JsonObject => ({
  spec: { boundObjectRef: ref, audiences: [...audiences] },
});
const ownPod = { apiVersion: 'v1', kind: 'Pod', name: 'own', uid: 'own-uid' };

const selfOwner = { apiVersion: 'v1', kind: 'Node', name: 'mac-0', uid: 'node-uid', controller: true };
function mirror(owner: Json = selfOwner, spec: JsonObject = {}): JsonObject {
  return {
    metadata: {
      name: 'static',
      annotations: { 'kubernetes.io/config.mirror': 'x' },
      ownerReferences: owner === null ? [] : [owner],
    },
    spec: { nodeName: 'mac-0', ...spec },
  };
}

const inCi = (name: string): Partial<Attributes> => ({ namespace: 'ci', name });
const leases = 'leases.coordination.k8s.io';
const csrs = 'certificatesigningrequests.certificates.k8s.io';
const inLeases = (name: string): Partial<Attributes> => ({ namespace: 'kube-node-lease', name });

const passes: readonly (readonly [string, string, string, Write])[] = [
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
    'report on its own Pod',
    'patch',
    'pods/status',
    { where: inCi('own'), object: pod('own', 'mac-0'), old: pod('own', 'mac-0') },
  ],
  [
    'put finalizer and stamp on its own Pod',
    'patch',
    'pods/status',
    {
      where: inCi('own'),
      object: { ...pod('own', 'mac-0'), metadata: { finalizers: ['a/b'], annotations: { 'pippin.dev/host-id': 'x' } } },
      old: pod('own', 'mac-0'),
    },
  ],
  ['delete its own Pod', 'delete', 'pods', { where: inCi('own') }],
  ['evict its own Pod', 'create', 'pods/eviction', { where: inCi('own'), object: {} }],
  ['mirror a static Pod', 'create', 'pods', { where: { namespace: 'ci' }, object: mirror() }],
  [
    'ask for a token that its Pod mounts',
    'create',
    'serviceaccounts/token',
    { where: inCi('runner'), object: token(ownPod, 'runners') },
  ],
  [
    'ask for a token whose audience a role grants',
    'create',
    'serviceaccounts/token',
    { where: inCi('runner'), object: token(ownPod, 'granted') },
  ],
  [
    'ask for its own certificate',
    'create',
    csrs,
    { object: csr('system:node:mac-0', 'kube-apiserver-client-kubelet') },
  ],
  ['ask another signer for any certificate', 'create', csrs, { object: csr('somebody', 'kube-apiserver-client') }],
  ['emit events', 'create', 'events', { where: { namespace: 'ci' }, object: {} }],
];

for (const [what, verb, resourceName, call] of passes) {
  test(`A node may ${what}`, () => {
    assert.equal(refusal(write(verb, resourceName, call)), 'admitted');
  });
}

const pods = (name: string): string => `403 pods "${name}" is forbidden: `;
const nodes = '403 nodes "mac-0" is forbidden: ';
const tokens = '403 serviceaccounts "runner" is forbidden: ';
const refused: readonly (readonly [string, string, string, Write, string])[] = [
  [
    'register another node',
    'create',
    'nodes',
    { object: { metadata: { name: 'mac-1' } } },
    '403 nodes "mac-1" is forbidden: node "mac-0" is not allowed to modify node "mac-1"',
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
    'report on a foreign Pod',
    'patch',
    'pods/status',
    { where: inCi('foreign'), object: pod('foreign', 'mac-1'), old: pod('foreign', 'mac-1') },
    `${pods('foreign')}node "mac-0" can only update pod status for pods with spec.nodeName set to itself`,
  ],
  [
    'claim a foreign Pod through its status',
    'patch',
    'pods/status',
    { where: inCi('foreign'), object: pod('foreign', 'mac-0'), old: pod('foreign', 'mac-1') },
    `${pods('foreign')}node "mac-0" can only update pod status for pods with spec.nodeName set to itself`,
  ],
  [
    'relabel its own Pod',
    'patch',
    'pods/status',
    {
      where: inCi('own'),
      object: { ...pod('own', 'mac-0'), metadata: { labels: { a: 'b' } } },
      old: pod('own', 'mac-0'),
    },
    `${pods('own')}node "mac-0" cannot update labels through pod status`,
  ],
  [
    'delete a foreign Pod',
    'delete',
    'pods',
    { where: inCi('foreign') },
    `${pods('foreign')}node "mac-0" can only delete pods with spec.nodeName set to itself`,
  ],
  ['delete a Pod that is not there', 'delete', 'pods', { where: inCi('absent') }, '404 pods "absent" not found'],
  [
    'evict a foreign Pod',
    'create',
    'pods/eviction',
    { where: inCi('foreign'), object: {} },
    `${pods('foreign')}node mac-0 can only evict pods with spec.nodeName set to itself`,
  ],
  [
    'bind a Pod',
    'create',
    'pods/binding',
    { where: inCi('own'), object: {} },
    `${pods('own')}unexpected pod subresource "binding", only 'status' and 'eviction' are allowed`,
  ],
  [
    'create an ordinary Pod',
    'create',
    'pods',
    { where: { namespace: 'ci' }, object: pod('new', 'mac-0') },
    `${pods('new')}pod does not have "kubernetes.io/config.mirror" annotation, node "mac-0" can only create mirror pods`,
  ],
  [
    'mirror a Pod onto another node',
    'create',
    'pods',
    { where: { namespace: 'ci' }, object: mirror(selfOwner, { nodeName: 'mac-1' }) },
    `${pods('static')}node "mac-0" can only create pods with spec.nodeName set to itself`,
  ],
  [
    'mirror a Pod without an owner',
    'create',
    'pods',
    { where: { namespace: 'ci' }, object: mirror(null) },
    `${pods('static')}node "mac-0" can only create pods with an owner reference set to itself`,
  ],
  [
    'mirror a Pod of an older node',
    'create',
    'pods',
    { where: { namespace: 'ci' }, object: mirror({ ...selfOwner, uid: 'older' }) },
    `${pods('static')}node mac-0 UID mismatch: expected older got node-uid`,
  ],
  [
    'mirror a Pod that blocks its deletion',
    'create',
    'pods',
    { where: { namespace: 'ci' }, object: mirror({ ...selfOwner, blockOwnerDeletion: true }) },
    `${pods('static')}node "mac-0" must not set blockOwnerDeletion on an owner reference`,
  ],
  [
    'mirror a Pod that it does not control',
    'create',
    'pods',
    { where: { namespace: 'ci' }, object: mirror({ ...selfOwner, controller: false }) },
    `${pods('static')}node "mac-0" can only create pods with a controller owner reference set to itself`,
  ],
  [
    'mirror a Pod that opens a Secret',
    'create',
    'pods',
    { where: { namespace: 'ci' }, object: mirror(selfOwner, { imagePullSecrets: [{ name: 's' }] }) },
    `${pods('static')}node "mac-0" can not create pods that reference secrets`,
  ],
  [
    'mirror a Pod with an account',
    'create',
    'pods',
    { where: { namespace: 'ci' }, object: mirror(selfOwner, { serviceAccountName: 's' }) },
    `${pods('static')}node "mac-0" can not create pods that reference a service account`,
  ],
  [
    'ask for a free token',
    'create',
    'serviceaccounts/token',
    { where: inCi('runner'), object: token(null) },
    `${tokens}node requested token not bound to a pod`,
  ],
  [
    'ask for a token without the Pod uid',
    'create',
    'serviceaccounts/token',
    { where: inCi('runner'), object: token({ ...ownPod, uid: '' }) },
    `${tokens}node requested token with a pod binding without a uid`,
  ],
  [
    'ask for a token of an earlier Pod',
    'create',
    'serviceaccounts/token',
    { where: inCi('runner'), object: token({ ...ownPod, uid: 'older' }, 'runners') },
    `${tokens}the UID in the bound object reference (older) does not match the UID in record. The object might have been deleted and then recreated`,
  ],
  [
    'ask for a token of a foreign Pod',
    'create',
    'serviceaccounts/token',
    { where: inCi('runner'), object: token({ ...ownPod, name: 'foreign', uid: 'foreign-uid' }, 'runners') },
    `${tokens}node requested token bound to a pod scheduled on a different node`,
  ],
  [
    'ask for a token of an absent Pod',
    'create',
    'serviceaccounts/token',
    { where: inCi('runner'), object: token({ ...ownPod, name: 'absent' }) },
    '404 pods "absent" not found',
  ],
  [
    'ask for an audience that nobody wants',
    'create',
    'serviceaccounts/token',
    { where: inCi('runner'), object: token(ownPod, 'vault') },
    `${tokens}audience "vault" not found in pod spec volume, system:node:mac-0 is not authorized to request tokens for this audience`,
  ],
  [
    'ask for two audiences',
    'create',
    'serviceaccounts/token',
    { where: inCi('runner'), object: token(ownPod, 'runners', 'granted') },
    `${tokens}node may only request 0 or 1 audiences`,
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
