// Leases of a Data that stays: each bears its finalizer, and those of a lost Data that it stands in for become its own.

import { Metal3Data } from '../../kinds/generated/metal3-data.generated.ts';
import { makersOf } from '../../kinds/made-for.ts';
import { METAL3_DATA_FINALIZER } from '../../kinds/metal-wire.ts';
import { clusterOf, isBeingMoved, pausedBy } from '../../kinds/pause.ts';
import type { KubeWorld } from '../../kube/controller.ts';
import { isGone } from '../../kube/departed.ts';
import { patchMetadata, putOn } from '../../kube/finalizers.ts';
import type { Kind } from '../../kube/kind.ts';
import { hasFinalizer, isDeleting, type KubeObject, keyOf } from '../../kube/object.ts';
import { ownerReferenceTo } from '../../kube/owners.ts';
import { isSuccessor } from './in-use.ts';
import { leasesOfDataName, ownerUidOf } from './leases.ts';

/** One that was robbed of it gets it back: without it an ordinary deletion would free what a host uses (metal-h1). */
export async function holdLeases(data: Metal3Data, world: KubeWorld): Promise<void> {
  const own = leasesOfDataName(keyOf(data), world).filter(lease => ownerUidOf(lease) === data.metadata.uid);
  for (const { kind, object } of own) {
    if (isDeleting(object) || isLeftAlone(object, world)) continue;
    await putOn(world.api, kind, object, METAL3_DATA_FINALIZER);
  }
}

/**
 * The lease as this Data's own, where it was made for one of this name that is gone, and which the machine still runs
 * with: its addresses stay (metal-S11). One that was let go of is nobody's, and one of another machine is that one's.
 */
export async function inherited<T extends KubeObject>(
  kind: Kind<T>,
  lease: T,
  data: Metal3Data,
  world: KubeWorld,
): Promise<T | undefined> {
  const [owner] = makersOf(lease);
  if (owner === undefined || !hasFinalizer(lease, METAL3_DATA_FINALIZER) || isLeftAlone(lease, world)) return undefined;
  if (owner.name !== data.metadata.name || !isSuccessor(data, world)) return undefined;
  const key = { ...keyOf(data), uid: owner.uid };
  if (!(await isGone({ kind: Metal3Data, ...key }, world))) return undefined;
  return patchMetadata(world.api, kind, lease, { ownerReferences: [ownerReferenceTo(Metal3Data, data, 'controller')] });
}

const isLeftAlone = (lease: KubeObject, world: KubeWorld): boolean =>
  isBeingMoved(lease) || pausedBy(lease, clusterOf(lease, world)) !== undefined;
