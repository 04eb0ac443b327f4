// What the controllers that a bare API needs ask for: garbage, namespaces, Pods of lost Nodes, accounts, certificates.

import { seededKeys } from '../../../sim/keys/seeded-keys.ts';
import { seededRandom } from '../../../sim/time/random.ts';
import { minutes, seconds } from '../../../src/base/clock.ts';
import { Budget } from '../../../src/builtin/disruption/budget.ts';
import {
  CertificateSigningRequest,
  ClusterRole,
  ConfigMap,
  Namespace,
  Secret,
  ServiceAccount,
} from '../../../src/kube/core/other.ts';
import type { KubeObject, ObjectMeta } from '../../../src/kube/object.ts';
import { must } from '../../stories/stranded-pods/act.ts';
import { createHeldPod, createLinuxNode, createPod } from '../../world/acts.ts';
import type { VirtualFleet } from '../../world/fleet.ts';
import { NS } from '../../world/names.ts';
import type { Run } from '../runs.ts';

const map = (name: string, more: Partial<ObjectMeta> = {}): ConfigMap => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace: NS, ...more },
});

const ownedBy = ({ metadata }: KubeObject): Partial<ObjectMeta> => ({
  ownerReferences: [
    { apiVersion: 'v1', kind: 'ConfigMap', name: metadata.name, uid: metadata.uid ?? '', blockOwnerDeletion: true },
  ],
});

async function ownedPair({ api }: VirtualFleet, owner: string, child: string): Promise<void> {
  await api.create(ConfigMap, map(child, ownedBy(await api.create(ConfigMap, map(owner)))));
}

async function approvedRequest({ api }: VirtualFleet, signerName: string, usage: string): Promise<void> {
  const keys = seededKeys(seededRandom(1));
  const request = btoa(await keys.signingRequest(await keys.pair(), 'someone', ['some']));
  const name = usage.replace(' ', '-');
  await api.create(CertificateSigningRequest, {
    apiVersion: 'certificates.k8s.io/v1',
    kind: 'CertificateSigningRequest',
    metadata: { name },
    spec: { request, signerName, usages: [usage, 'digital signature'] },
  });
  const conditions = [{ type: 'Approved', status: 'True', reason: 'ByHand' }];
  await api.patch(CertificateSigningRequest, { name }, { status: { conditions } }, { subresource: 'approval' });
}

export const kubernetesRuns: readonly Run[] = [
  {
    name: 'owners deleted in the background, in the foreground, and as orphans',
    play: async fleet => {
      for (const propagation of ['Background', 'Foreground', 'Orphan'] as const) {
        await ownedPair(fleet, 'owner', `child-${propagation.toLowerCase()}`);
        await fleet.pass(seconds(5));
        await fleet.api.delete(ConfigMap, { namespace: NS, name: 'owner' }, { propagation });
        await fleet.pass(minutes(2));
      }
    },
  },
  {
    name: 'a namespace with content, deleted',
    play: async fleet => {
      const metadata = { name: 'short-lived' };
      await fleet.api.create(Namespace, { apiVersion: 'v1', kind: 'Namespace', metadata });
      await fleet.api.create(ConfigMap, map('content', { namespace: metadata.name }));
      await fleet.pass(minutes(1));
      await fleet.api.patch(
        ConfigMap,
        { namespace: metadata.name, name: 'kube-root-ca.crt' },
        { data: { 'ca.crt': '' } },
      );
      await fleet.pass(minutes(1));
      await fleet.api.delete(Namespace, metadata);
      await fleet.pass(minutes(1));
    },
  },
  {
    name: 'a budget whose Pods are counted',
    play: async fleet => {
      await fleet.api.create(Budget, {
        apiVersion: 'policy/v1',
        kind: 'PodDisruptionBudget',
        metadata: { namespace: NS, name: 'budget' },
        spec: { minAvailable: 1, selector: { matchLabels: { app: 'a' } } },
      });
      await fleet.pass(seconds(10));
    },
  },
  {
    name: 'Pods that fit nowhere, and Pods of a Node that is gone',
    play: async fleet => {
      await createPod(fleet.api, 'nowhere');
      await createLinuxNode(fleet.api, 'linux-0');
      await createHeldPod(fleet.api, 'lost', { nodeName: 'gone' });
      await must(
        fleet,
        'Pod GC has deleted it',
        () => fleet.view.pod('lost')?.metadata.deletionTimestamp !== undefined,
      );
      await fleet.pass(minutes(1));
    },
  },
  {
    name: 'a token of an account that goes, and a role that collects others',
    play: async fleet => {
      const account = { namespace: NS, name: 'somebody' };
      const annotations = { 'kubernetes.io/service-account.name': account.name };
      await fleet.api.create(ServiceAccount, { apiVersion: 'v1', kind: 'ServiceAccount', metadata: account });
      await fleet.api.create(Secret, {
        apiVersion: 'v1',
        kind: 'Secret',
        metadata: { ...account, annotations },
        type: 'kubernetes.io/service-account-token',
      });
      await fleet.pass(seconds(10));
      await fleet.api.delete(ServiceAccount, account);
      await fleet.api.create(ClusterRole, {
        apiVersion: 'rbac.authorization.k8s.io/v1',
        kind: 'ClusterRole',
        metadata: { name: 'collecting' },
        aggregationRule: {
          clusterRoleSelectors: [{ matchLabels: { 'cluster.x-k8s.io/aggregate-to-manager': 'true' } }],
        },
      });
      await fleet.pass(minutes(1));
    },
  },
  {
    name: 'requests for certificates that somebody approves',
    play: async fleet => {
      await approvedRequest(fleet, 'kubernetes.io/kube-apiserver-client', 'client auth');
      await approvedRequest(fleet, 'kubernetes.io/kubelet-serving', 'server auth');
      await fleet.pass(minutes(1));
    },
  },
];
