// Simulated workload clusters: each an API of its own with a kubeconfig Secret in the management cluster, and what can be wrong with the way to it.

import type { Clock } from '../../src/base/clock.ts';
import { CLUSTER_NAME_LABEL } from '../../src/kinds/wire.ts';
import type { Api } from '../../src/kube/api.ts';
import { client } from '../../src/kube/client.ts';
import type { ClusterAccess } from '../../src/kube/cluster-access.ts';
import { Secret } from '../../src/kube/core/other.ts';
import { Unavailable } from '../../src/kube/errors.ts';
import { keyText, type ObjectKey } from '../../src/kube/object.ts';
import type { ApiResponse, EventStream, Transport } from '../../src/kube/transport.ts';

/** What makes the API of one cluster: an embedded one, in this process or served. */
export interface WorkloadApi {
  /** As its administrator. */
  readonly transport: Transport;
  /** The kubeconfig as others are to reach it; left out: one that leads to `dial`. */
  readonly kubeconfig?: string;
  close(): Promise<void>;
}

export interface WorkloadsOptions {
  readonly clock: Clock;
  /** The management cluster, where the Secrets are. */
  readonly management: Api;
  readonly open: (cluster: ObjectKey) => Promise<WorkloadApi>;
}

/** `dead`: nothing answers. `refuses`: every credential is refused. */
export type WorkloadTrouble = 'dead' | 'refuses' | undefined;

interface Workload extends WorkloadApi {
  readonly api: Api;
  readonly token: string;
  readonly streams: Set<EventStream>;
  trouble: WorkloadTrouble;
}

export class SimulatedWorkloads {
  readonly #options: WorkloadsOptions;
  readonly #clusters = new Map<string, Workload>();
  #made = 0;

  constructor(options: WorkloadsOptions) {
    this.#options = options;
  }

  /** A new cluster for this Cluster, with its kubeconfig Secret. */
  async open(cluster: ObjectKey): Promise<Api> {
    const opened = await this.#options.open(cluster);
    const { clock, management } = this.#options;
    const api = client(opened.transport, { clock });
    const token = `token-${++this.#made}`;
    this.#clusters.set(hostOf(cluster), { ...opened, api, token, streams: new Set(), trouble: undefined });
    const text = opened.kubeconfig ?? kubeconfigOf(hostOf(cluster), token);
    await management.patch(Secret, secretKey(cluster), secretOf(cluster, text), APPLY);
    return api;
  }

  /** As its administrator; undefined: there is no such cluster. */
  of(cluster: ObjectKey): Api | undefined {
    const known = this.#clusters.get(hostOf(cluster));
    return known === undefined || known.trouble === 'dead' ? undefined : known.api;
  }

  /** From now on the way to this cluster is like this; open watches break. */
  trouble(cluster: ObjectKey, trouble: WorkloadTrouble): void {
    const known = this.#clusters.get(hostOf(cluster));
    if (known === undefined) throw new Error(`there is no workload cluster ${keyText(cluster)}`);
    known.trouble = trouble;
    for (const stream of known.streams) stream.close('the connection broke');
    known.streams.clear();
  }

  /** How controllers in this process reach a cluster: by what its kubeconfig says. */
  dial(access: ClusterAccess): Transport {
    const host = new URL(access.server).hostname;
    return async request => {
      const known = this.#clusters.get(host);
      if (known === undefined || known.trouble === 'dead')
        throw new Unavailable(request.path, `no answer from ${host}`);
      const token = (await access.token?.()) ?? '';
      if (known.trouble === 'refuses' || token !== known.token) return UNAUTHORIZED;
      const answer = await known.transport(request);
      if (answer.stream !== undefined) known.streams.add(answer.stream);
      return answer;
    };
  }

  async close(): Promise<void> {
    await Promise.all([...this.#clusters.values()].map(each => each.close()));
    this.#clusters.clear();
  }
}

const UNAUTHORIZED: ApiResponse = { status: 401, headers: {}, body: new Uint8Array() };

const APPLY = { type: 'apply', fieldManager: 'simulated-workload', force: true } as const;

/** No name of any real host. */
const hostOf = ({ namespace, name }: ObjectKey): string => `${name}.${namespace}.workload.invalid`;

const secretKey = ({ namespace, name }: ObjectKey) => ({
  ...(namespace === undefined ? {} : { namespace }),
  name: `${name}-kubeconfig`,
});

function secretOf(cluster: ObjectKey, text: string): Secret {
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { ...secretKey(cluster), labels: { [CLUSTER_NAME_LABEL]: cluster.name } },
    type: 'cluster.x-k8s.io/secret',
    data: { value: Buffer.from(text).toString('base64') },
  };
}

function kubeconfigOf(host: string, token: string): string {
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'workload',
    contexts: [{ name: 'workload', context: { cluster: 'workload', user: 'admin' } }],
    clusters: [{ name: 'workload', cluster: { server: `https://${host}:6443` } }],
    users: [{ name: 'admin', user: { token } }],
  });
}
