// A pool that names its Cluster: labelled and owned by it, so that it moves, pauses and goes with it.

import { Cluster } from '../../kinds/generated/cluster.generated.ts';
import { IPPool } from '../../kinds/generated/ip-pool.generated.ts';
import { clusterOf as clusterOfLabel } from '../../kinds/pause.ts';
import { CLUSTER_NAME_LABEL } from '../../kinds/wire.ts';
import type { KubeWorld } from '../../kube/controller.ts';
import { patchMetadata } from '../../kube/finalizers.ts';
import { same } from '../../kube/merge-patch.ts';
import { labelOf } from '../../kube/object.ts';
import { ownerReferenceTo, ownersOf } from '../../kube/owners.ts';

/** The Cluster that a pool belongs to, as the cache has it. */
export function clusterOfPool(pool: IPPool, world: Pick<KubeWorld, 'caches'>): Cluster | undefined {
  const name = pool.spec?.clusterName;
  if (name === undefined || name === '') return clusterOfLabel(pool, world);
  return world.caches.of(Cluster).get({ namespace: pool.metadata.namespace ?? '', name });
}

/** Answers the pool with the label and the reference. An earlier Cluster of that name owns nothing any more. */
export async function joinCluster(pool: IPPool, cluster: Cluster | undefined, { api }: KubeWorld): Promise<IPPool> {
  const name = pool.spec?.clusterName ?? '';
  if (name === '') return pool;
  const { ownerReferences = [] } = pool.metadata;
  const stale = new Set(ownersOf(pool, Cluster).filter(owner => owner.name === name));
  const others = ownerReferences.filter(owner => !stale.has(owner));
  const wanted = cluster === undefined ? ownerReferences : [...others, ownerReferenceTo(Cluster, cluster, 'owner')];
  const isOwned = same(uidsOf(wanted), uidsOf(ownerReferences));
  if (isOwned && labelOf(pool, CLUSTER_NAME_LABEL) === name) return pool;
  return patchMetadata(api, IPPool, pool, {
    labels: { [CLUSTER_NAME_LABEL]: name },
    ...(isOwned ? {} : { ownerReferences: wanted }),
  });
}

const uidsOf = (owners: readonly { readonly uid: string }[]): readonly string[] =>
  owners.map(({ uid }) => uid).toSorted();
