// The Cluster that a Metal3Cluster belongs to: by its owner reference, which Cluster API sets, else by its label.

import { Cluster } from '../../kinds/generated/cluster.generated.ts';
import type { Metal3Cluster } from '../../kinds/generated/metal3-cluster.generated.ts';
import { CLUSTER_NAME_LABEL } from '../../kinds/wire.ts';
import type { KubeWorld } from '../../kube/controller.ts';
import { labelOf, type OwnerReference } from '../../kube/object.ts';

const ownerOf = ({ metadata }: Metal3Cluster): OwnerReference | undefined =>
  metadata.ownerReferences?.find(
    ({ kind, apiVersion }) => kind === Cluster.kind && apiVersion.startsWith(`${Cluster.group}/`),
  );

/** The name is known although the Cluster itself may be gone (metal-i). */
export const clusterNameOf = (metal3Cluster: Metal3Cluster): string | undefined =>
  ownerOf(metal3Cluster)?.name ?? labelOf(metal3Cluster, CLUSTER_NAME_LABEL);

/** The owner as the cache has it; one of that name with another UID is not the owner. */
export function clusterOwning(
  metal3Cluster: Metal3Cluster,
  { caches }: Pick<KubeWorld, 'caches'>,
): Cluster | undefined {
  const owner = ownerOf(metal3Cluster);
  const { namespace = '' } = metal3Cluster.metadata;
  const cluster = owner === undefined ? undefined : caches.of(Cluster).get({ namespace, name: owner.name });
  return cluster?.metadata.uid === owner?.uid ? cluster : undefined;
}
