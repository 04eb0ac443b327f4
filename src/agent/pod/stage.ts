// What a guest reads at its start: environment and token, written anew before each start, 0600 and never in argv (safe-20).

import { ConfigMap, Secret, ServiceAccount } from '../../kube/core/other.ts';
import type { Container, Pod } from '../../kube/core/pod.ts';
import type { KubeObject } from '../../kube/object.ts';
import type { StagedFile } from '../host.ts';
import type { Share } from '../vm-runtime.ts';
import type { AgentWorld } from '../world.ts';
import { environmentFile, type ReadData, resolveEnvironment } from './environment.ts';

/** Longer than any job, and for this Pod and this audience alone (agent-28). */
const TOKEN_SECONDS = 28_800;
const TOKEN_AUDIENCE = 'tuist-runners-dispatch';

export async function stageFiles(
  pod: Pod,
  container: Container,
  vm: string,
  world: AgentWorld,
): Promise<readonly Share[]> {
  const environment = await resolveEnvironment(pod, container, reader(pod, world));
  const files: StagedFile[] = [{ name: 'tuist.env', content: environmentFile(environment) }];
  if (pod.spec.automountServiceAccountToken === true) {
    files.push({ name: 'sa_token', content: await tokenFor(pod, world) });
  }
  const { env, status } = await world.host.stage(vm, files);
  return [
    { name: 'env', path: env, access: 'read-only' },
    { name: 'status', path: status, access: 'read-write' },
  ];
}

function reader(pod: Pod, { api }: AgentWorld): ReadData {
  const { namespace = 'default' } = pod.metadata;
  return async (kind, name) => {
    if (kind === 'ConfigMap') return (await api.find(ConfigMap, { namespace, name }))?.data;
    const secret = await api.find(Secret, { namespace, name });
    if (secret === undefined) return undefined;
    const decoded = (value: string): string => Buffer.from(value, 'base64').toString('utf8');
    return Object.fromEntries(Object.entries(secret.data ?? {}).map(([key, value]) => [key, decoded(value)]));
  };
}

interface TokenRequest extends KubeObject {
  readonly status?: { readonly token?: string };
}

async function tokenFor(pod: Pod, { api }: AgentWorld): Promise<string> {
  const { name, namespace = 'default', uid } = pod.metadata;
  const key = { namespace, name: pod.spec.serviceAccountName ?? 'default' };
  const answer = await api.createSub<TokenRequest>(ServiceAccount, key, 'token', {
    apiVersion: 'authentication.k8s.io/v1',
    kind: 'TokenRequest',
    spec: {
      audiences: [TOKEN_AUDIENCE],
      expirationSeconds: TOKEN_SECONDS,
      boundObjectRef: { apiVersion: 'v1', kind: 'Pod', name, uid },
    },
  });
  return answer.status?.token ?? '';
}
