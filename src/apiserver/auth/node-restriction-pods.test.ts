// NodeRestriction on Pods and their tokens as a table (safe-18): a node's own pass, everybody else's are 403.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  inCi,
  mirror,
  ownPod,
  type Pass,
  pod,
  type Refused,
  refusal,
  selfOwner,
  token,
  write,
} from './node-restriction.testing.ts';

const passes: readonly Pass[] = [
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
];

for (const [what, verb, resourceName, call] of passes) {
  test(`A node may ${what}`, () => {
    assert.equal(refusal(write(verb, resourceName, call)), 'admitted');
  });
}

const pods = (name: string): string => `403 pods "${name}" is forbidden: `;
const tokens = '403 serviceaccounts "runner" is forbidden: ';

const refused: readonly Refused[] = [
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
];

for (const [what, verb, resourceName, call, message] of refused) {
  test(`A node may not ${what}`, () => {
    assert.equal(refusal(write(verb, resourceName, call)), message);
  });
}
