// How agents reach the API: by flag, or as the cluster itself says in its public information.

import { parse as parseYaml } from 'yaml';
import { defineError } from '../base/errors.ts';
import type { Api } from '../kube/api.ts';
import type { ClusterAccess } from '../kube/cluster-access.ts';
import { ConfigMap } from '../kube/core/other.ts';

const agentApiUnknown = defineError('PIPPIN_E_AGENT_API_UNKNOWN', {
  retry: 'never',
  remedy: 'Give --api-server-url, an address of the API that Macs can reach, and a kubeconfig with its authority',
  says: (missing: string) => `It is not known how agents reach the API: ${missing}`,
});

export interface AgentApi {
  readonly url: string;
  readonly caPem: string;
}

/** As kubeadm publishes it. */
const CLUSTER_INFO = { namespace: 'kube-public', name: 'cluster-info' };

export async function agentApi(url: string | undefined, access: ClusterAccess, api: Api): Promise<AgentApi> {
  if (url !== undefined)
    return { url, caPem: access.caPem ?? (await published(api))?.caPem ?? missing('its authority') };
  return (await published(api)) ?? missing('the cluster has no ConfigMap kube-public/cluster-info');
}

function missing(what: string): never {
  throw agentApiUnknown(what);
}

interface PublicKubeconfig {
  readonly clusters?: readonly {
    readonly cluster?: { readonly server?: string; readonly 'certificate-authority-data'?: string };
  }[];
}

async function published(api: Api): Promise<AgentApi | undefined> {
  const found = await api.find(ConfigMap, CLUSTER_INFO);
  const text = found?.data?.kubeconfig;
  if (text === undefined) return undefined;
  const { clusters }: PublicKubeconfig = parseYaml(text) ?? {};
  const { server, 'certificate-authority-data': ca } = clusters?.[0]?.cluster ?? {};
  return server === undefined || ca === undefined
    ? undefined
    : { url: server, caPem: Buffer.from(ca, 'base64').toString('utf8') };
}
