// All workload clusters that somebody asked for: connected at the first question, closed with their Cluster (metal-W2).

import { Cluster } from '../../kinds/generated/cluster.generated.ts';
import { CLUSTER_NAME_LABEL } from '../../kinds/wire.ts';
import type { Caches, Informer } from '../../kube/cache.ts';
import type { Node } from '../../kube/core/node.ts';
import { Secret } from '../../kube/core/other.ts';
import { metadataOf } from '../../kube/kind.ts';
import { keyOf, keyText, type ObjectKey } from '../../kube/object.ts';
import { kubeconfigSecretOf } from './kubeconfig.ts';
import { type ClusterSeams, OneCluster } from './one-cluster.ts';
import type { WorkloadClusters, WorkloadListener, WorkloadView } from './port.ts';

export interface WorkloadSeams extends ClusterSeams {
  /** The management cluster's. */
  readonly caches: Caches;
}

/** Workload clusters with connections that run until they are closed. */
export interface OpenWorkloadClusters extends WorkloadClusters {
  close(): void;
}

export function workloadClusters(seams: WorkloadSeams): OpenWorkloadClusters {
  return new Connected(seams);
}

const SUFFIX = kubeconfigSecretOf('');

/** How Cluster API labels the Secrets of a cluster; others are found by the timer alone. */
const OF_CLUSTERS = { labels: CLUSTER_NAME_LABEL };

class Connected implements OpenWorkloadClusters {
  private readonly seams: WorkloadSeams;
  private readonly asked = new Map<string, OneCluster>();
  private readonly listeners = new Set<WorkloadListener>();
  private following: { readonly clusters: Informer<Cluster>; readonly stop: () => void } | undefined;

  constructor(seams: WorkloadSeams) {
    this.seams = seams;
  }

  of(cluster: ObjectKey): WorkloadView {
    this.following ??= this.follow();
    if (this.following.clusters.get(cluster) === undefined) {
      return { known: false, reason: 'ClusterNotFound', why: `there is no Cluster ${keyText(cluster)}` };
    }
    const key = keyText(cluster);
    const known = this.asked.get(key) ?? this.begin(cluster);
    this.asked.set(key, known);
    return known.view();
  }

  onChange(listener: WorkloadListener): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  close(): void {
    this.following?.stop();
    this.following = undefined;
    for (const cluster of this.asked.values()) cluster.close();
    this.asked.clear();
    this.listeners.clear();
  }

  /** From the first question on: where Clusters are not served nobody asks, and nothing is to be read in vain. */
  private follow(): { readonly clusters: Informer<Cluster>; readonly stop: () => void } {
    const { caches } = this.seams;
    const clusters = caches.of(Cluster);
    const ends = [
      clusters.onChange(({ type, object }) => {
        if (type === 'deleted') this.end(keyOf(object));
      }),
      caches.of(metadataOf(Secret), OF_CLUSTERS).onChange(({ object: { metadata } }) => {
        if (!metadata.name.endsWith(SUFFIX)) return;
        const name = metadata.name.slice(0, -SUFFIX.length);
        this.asked.get(keyText({ namespace: metadata.namespace ?? '', name }))?.lookAgain();
      }),
    ];
    const stop = (): void => {
      for (const end of ends) end();
    };
    return { clusters, stop };
  }

  private begin(cluster: ObjectKey): OneCluster {
    const { seams } = this;
    const random = seams.random.stream(`workload ${keyText(cluster)}`);
    return new OneCluster(cluster, { ...seams, random }, node => this.tell(cluster, node));
  }

  private end(cluster: ObjectKey): void {
    const key = keyText(cluster);
    this.asked.get(key)?.close();
    if (this.asked.delete(key)) this.tell(cluster, undefined);
  }

  private tell(cluster: ObjectKey, node: Node | undefined): void {
    for (const listener of this.listeners) listener(cluster, node);
  }
}
