// The Node authorizer as a table (safe-18): a node's own things, and 403 for everybody else's.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Attributes, JsonObject } from '../parts.ts';
import { authorization } from './authorizers.ts';
import { bootstrapObjects } from './policy/bootstrap.ts';
import { asking, type StoredObjects, storedRbac } from './stored.testing.ts';

const mac0 = { name: 'system:node:mac-0', groups: ['system:nodes', 'system:authenticated'] };

function pod(name: string, nodeName: string, spec: JsonObject = {}): JsonObject {
  return { kind: 'Pod', metadata: { namespace: 'ci', name }, spec: { nodeName, containers: [], ...spec } };
}

function aFleet(): StoredObjects {
  return storedRbac(bootstrapObjects())
    .put(
      'pods',
      pod('own', 'mac-0', {
        serviceAccountName: 'runner',
        imagePullSecrets: [{ name: 'pull' }],
        containers: [
          {
            env: [{ valueFrom: { secretKeyRef: { name: 'env-secret' } } }],
            envFrom: [{ configMapRef: { name: 'env-map' } }],
          },
        ],
        volumes: [
          { secret: { secretName: 'volume-secret' } },
          {
            projected: {
              sources: [{ secret: { name: 'projected-secret' } }, { configMap: { name: 'projected-map' } }],
            },
          },
          { persistentVolumeClaim: { claimName: 'disk' } },
          { name: 'scratch', ephemeral: { volumeClaimTemplate: {} } },
        ],
      }),
      pod('foreign', 'mac-1', {
        serviceAccountName: 'other',
        containers: [{ env: [{ valueFrom: { secretKeyRef: { name: 'foreign-secret' } } }] }],
      }),
      {
        ...pod('mirror', 'mac-0', { imagePullSecrets: [{ name: 'mirror-secret' }] }),
        metadata: { namespace: 'ci', name: 'mirror', annotations: { 'kubernetes.io/config.mirror': 'x' } },
      },
    )
    .put(
      'persistentvolumes',
      { metadata: { name: 'pv-own' }, spec: { claimRef: { namespace: 'ci', name: 'disk' } } },
      { metadata: { name: 'pv-foreign' }, spec: { claimRef: { namespace: 'ci', name: 'elsewhere' } } },
    );
}

type Row = readonly [verb: string, what: string, where: Partial<Attributes>, answer: 'yes' | 'no'];
const ci = (name: string): Partial<Attributes> => ({ namespace: 'ci', name });
const lease = (name: string): Partial<Attributes> => ({ namespace: 'kube-node-lease', name });

const table: readonly Row[] = [
  ['get', 'nodes', { name: 'mac-0' }, 'yes'],
  ['get', 'nodes', { name: 'mac-1' }, 'no'],
  ['list', 'nodes', {}, 'no'],
  ['watch', 'nodes', { fieldSelector: 'metadata.name=mac-0' }, 'yes'],
  ['watch', 'nodes', { fieldSelector: 'metadata.name=mac-1' }, 'no'],
  ['create', 'nodes', {}, 'yes'],
  ['update', 'nodes/status', { name: 'mac-0' }, 'yes'],
  ['patch', 'nodes/status', { name: 'mac-0' }, 'yes'],
  ['get', 'nodes/status', { name: 'mac-0' }, 'no'],
  ['get', 'nodes/proxy', { name: 'mac-0' }, 'no'],
  ['delete', 'nodes', { name: 'mac-0' }, 'no'],
  ['deletecollection', 'nodes', {}, 'no'],

  ['get', 'leases.coordination.k8s.io', lease('mac-0'), 'yes'],
  ['update', 'leases.coordination.k8s.io', lease('mac-0'), 'yes'],
  ['patch', 'leases.coordination.k8s.io', lease('mac-0'), 'yes'],
  ['delete', 'leases.coordination.k8s.io', lease('mac-0'), 'yes'],
  ['create', 'leases.coordination.k8s.io', lease(''), 'yes'],
  ['get', 'leases.coordination.k8s.io', lease('mac-1'), 'no'],
  ['update', 'leases.coordination.k8s.io', lease('mac-1'), 'no'],
  ['list', 'leases.coordination.k8s.io', lease(''), 'no'],
  ['get', 'leases.coordination.k8s.io', { namespace: 'kube-system', name: 'mac-0' }, 'no'],
  ['create', 'leases.coordination.k8s.io', { namespace: 'kube-system' }, 'no'],

  ['get', 'pods', ci('own'), 'yes'],
  ['get', 'pods', ci('foreign'), 'no'],
  ['get', 'pods', ci('absent'), 'no'],
  ['list', 'pods', {}, 'no'],
  ['list', 'pods', { fieldSelector: 'spec.nodeName=mac-0' }, 'yes'],
  ['watch', 'pods', { fieldSelector: 'status.phase=Running,spec.nodeName=mac-0' }, 'yes'],
  ['watch', 'pods', { fieldSelector: 'spec.nodeName=mac-1' }, 'no'],
  ['watch', 'pods', { fieldSelector: 'spec.nodeName!=mac-0' }, 'no'],
  ['watch', 'pods', { namespace: 'ci', fieldSelector: 'metadata.name=own' }, 'yes'],
  ['watch', 'pods', { namespace: 'ci', fieldSelector: 'metadata.name=foreign' }, 'no'],
  ['create', 'pods', ci(''), 'yes'],
  ['delete', 'pods', ci('own'), 'yes'],
  ['update', 'pods', ci('own'), 'no'],
  ['patch', 'pods', ci('own'), 'no'],
  ['deletecollection', 'pods', ci(''), 'no'],
  ['patch', 'pods/status', ci('own'), 'yes'],
  ['update', 'pods/status', ci('own'), 'yes'],
  ['get', 'pods/status', ci('own'), 'no'],
  ['get', 'pods/log', ci('own'), 'no'],
  ['create', 'pods/exec', ci('own'), 'no'],
  ['create', 'pods/binding', ci('own'), 'no'],
  ['create', 'pods/eviction', ci('own'), 'yes'],

  ['get', 'secrets', ci('pull'), 'yes'],
  ['get', 'secrets', ci('env-secret'), 'yes'],
  ['get', 'secrets', ci('volume-secret'), 'yes'],
  ['get', 'secrets', ci('projected-secret'), 'yes'],
  ['watch', 'secrets', { namespace: 'ci', fieldSelector: 'metadata.name=pull' }, 'yes'],
  ['get', 'secrets', ci('foreign-secret'), 'no'],
  ['get', 'secrets', ci('mirror-secret'), 'no'],
  ['get', 'secrets', ci('unnamed'), 'no'],
  ['get', 'secrets', { namespace: 'other', name: 'pull' }, 'no'],
  ['list', 'secrets', ci(''), 'no'],
  ['update', 'secrets', ci('pull'), 'no'],
  ['delete', 'secrets', ci('pull'), 'no'],
  ['get', 'configmaps', ci('env-map'), 'yes'],
  ['get', 'configmaps', ci('projected-map'), 'yes'],
  ['get', 'configmaps', ci('pull'), 'no'],
  ['create', 'configmaps', ci('env-map'), 'no'],

  ['get', 'persistentvolumeclaims', ci('disk'), 'yes'],
  ['get', 'persistentvolumeclaims', ci('own-scratch'), 'yes'],
  ['get', 'persistentvolumeclaims', ci('elsewhere'), 'no'],
  ['patch', 'persistentvolumeclaims/status', ci('disk'), 'yes'],
  ['patch', 'persistentvolumeclaims/status', ci('elsewhere'), 'no'],
  ['delete', 'persistentvolumeclaims', ci('disk'), 'no'],
  ['get', 'persistentvolumes', { name: 'pv-own' }, 'yes'],
  ['get', 'persistentvolumes', { name: 'pv-foreign' }, 'no'],

  ['create', 'serviceaccounts/token', ci('runner'), 'yes'],
  ['create', 'serviceaccounts/token', ci('other'), 'no'],
  ['create', 'serviceaccounts/token', ci(''), 'no'],
  ['get', 'serviceaccounts', ci('runner'), 'yes'],
  ['get', 'serviceaccounts', ci('other'), 'no'],
  ['create', 'serviceaccounts', ci(''), 'no'],

  ['create', 'events', { namespace: 'ci' }, 'yes'],
  ['patch', 'events.events.k8s.io', { namespace: 'ci' }, 'yes'],
  ['list', 'events', { namespace: 'ci' }, 'no'],
  ['create', 'certificatesigningrequests.certificates.k8s.io', {}, 'yes'],
  ['watch', 'certificatesigningrequests.certificates.k8s.io', {}, 'yes'],
  ['update', 'certificatesigningrequests.certificates.k8s.io/approval', { name: 'x' }, 'no'],
  ['approve', 'signers.certificates.k8s.io', {}, 'no'],
  ['create', 'subjectaccessreviews.authorization.k8s.io', {}, 'yes'],
  ['create', 'tokenreviews.authentication.k8s.io', {}, 'yes'],
  ['list', 'services', {}, 'yes'],
  ['get', 'csinodes.storage.k8s.io', { name: 'mac-0' }, 'yes'],
  ['get', 'csinodes.storage.k8s.io', { name: 'mac-1' }, 'no'],
  ['list', 'resourceslices.resource.k8s.io', {}, 'no'],
  ['get', 'namespaces', { name: 'ci' }, 'no'],
  ['list', 'machines.cluster.x-k8s.io', {}, 'no'],
  ['create', 'clusterrolebindings.rbac.authorization.k8s.io', {}, 'no'],
];

for (const [verb, what, where, answer] of table) {
  const target = `${where.namespace ?? ''}/${where.name ?? ''} ${where.fieldSelector ?? ''}`.trim();
  test(`A node ${answer === 'yes' ? 'may' : 'may not'} ${verb} ${what} ${target}`, () => {
    const { authorize } = authorization(aFleet());

    assert.equal(authorize(asking(mac0, verb, what, where)).allowed, answer === 'yes');
  });
}

test('A denied node reads why: nothing relates it to that object', () => {
  const { authorize } = authorization(aFleet());

  const verdict = authorize(asking(mac0, 'get', 'secrets', ci('foreign-secret')));

  assert.deepEqual(verdict, {
    allowed: false,
    reason: "no relationship found between node 'mac-0' and this object",
  });
});

test('The right to a Secret ends with the Pod that named it', () => {
  const stored = aFleet();
  const { authorize } = authorization(stored);
  const may = (): boolean => authorize(asking(mac0, 'get', 'secrets', ci('pull'))).allowed;
  const before = may();

  stored.remove('pods', 'ci', 'own');

  assert.equal(before, true);
  assert.equal(may(), false);
});

test('A node name without the nodes group, and the group without a name, open nothing', () => {
  const { authorize } = authorization(aFleet());
  const noGroup = { name: 'system:node:mac-0', groups: ['system:authenticated'] };
  const noName = { name: 'system:node:', groups: ['system:nodes'] };
  const noPrefix = { name: 'mac-0', groups: ['system:nodes'] };

  assert.equal(authorize(asking(noGroup, 'get', 'nodes', { name: 'mac-0' })).allowed, false);
  assert.deepEqual(authorize(asking(noName, 'create', 'events', ci(''))), {
    allowed: false,
    reason: 'unknown node for user "system:node:"',
  });
  assert.equal(authorize(asking(noPrefix, 'get', 'nodes', { name: 'mac-0' })).allowed, false);
});
