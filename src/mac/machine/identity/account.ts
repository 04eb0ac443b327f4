// An agent's service account, for clusters that sign no node certificates: upstream's names, role and long life.

import { seconds } from '../../../base/clock.ts';
import { defineError } from '../../../base/errors.ts';
import { ClusterRoleBinding, Secret, ServiceAccount } from '../../../kube/core/other.ts';
import { isAlreadyExists, isNotFound } from '../../../kube/errors.ts';
import type { Kind } from '../../../kube/kind.ts';
import type { KubeObject, ObjectKey } from '../../../kube/object.ts';
import type { MacWorld } from '../../world.ts';
import { type MacMachine, namespaceOf, nodeName } from '../mac-machine.ts';
import { decoded } from '../secret-data.ts';
import type { AgentCredential } from './kubeconfig.ts';

const TOKEN_WITHIN_MS = seconds(30);
const POLL_MS = 500;

const tokenNotIssued = defineError('PIPPIN_E_AGENT_TOKEN', {
  retry: 'backoff',
  remedy:
    "Check that the cluster's token controller runs; it fills Secrets of type kubernetes.io/service-account-token",
  says: (name: string) => `Secret ${name} got no token within 30 s`,
});

/** Its rights are those of the role, for every Node: broad, hence only on request (safe-18). */
export async function agentAccount(machine: MacMachine, world: MacWorld): Promise<AgentCredential> {
  const { account, token, binding } = namesOf(machine);
  await ensure(ServiceAccount, { apiVersion: 'v1', kind: 'ServiceAccount', metadata: account }, world);
  await ensure(
    Secret,
    {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { ...token, annotations: { 'kubernetes.io/service-account.name': account.name } },
      type: 'kubernetes.io/service-account-token',
    },
    world,
  );
  await ensure(
    ClusterRoleBinding,
    {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRoleBinding',
      metadata: binding,
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: world.settings.accountRole },
      subjects: [{ kind: 'ServiceAccount', ...account }],
    },
    world,
  );
  return { kind: 'token', token: await issued(token, world) };
}

/** Removes what an agent may have got, the binding first: it is what a stolen token would still be good for (mac-F48). */
export async function revokeAccount(machine: MacMachine, world: MacWorld): Promise<void> {
  const { account, token, binding } = namesOf(machine);
  await remove(ClusterRoleBinding, binding, world);
  await remove(Secret, token, world);
  await remove(ServiceAccount, account, world);
}

function namesOf(machine: MacMachine) {
  const name = `tart-kubelet-${nodeName(machine)}`;
  const namespace = namespaceOf(machine);
  return { account: { namespace, name }, token: { namespace, name: `${name}-token` }, binding: { name } };
}

async function ensure<T extends KubeObject>(kind: Kind<T>, object: T, { api }: MacWorld): Promise<void> {
  try {
    await api.create(kind, object);
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
  }
}

async function remove(kind: Kind, key: ObjectKey, { api }: MacWorld): Promise<void> {
  try {
    await api.delete(kind, key);
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}

async function issued(key: ObjectKey, { api, clock }: MacWorld): Promise<string> {
  const untilMs = clock.monotonic() + TOKEN_WITHIN_MS;
  for (;;) {
    // A Secret that is not there a moment after it was made is one that this read does not see yet (mac-F49).
    const token = decoded((await api.find(Secret, key))?.data?.token);
    if (token !== '') return token;
    if (clock.monotonic() >= untilMs) throw tokenNotIssued(key.name);
    await clock.sleep(POLL_MS);
  }
}
