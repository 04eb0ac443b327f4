// A Claim that is made again for its machine takes up the Data that stands: same index, same addresses, same secrets (metal-S9).

import { Metal3Data } from '../../kinds/generated/metal3-data.generated.ts';
import { Metal3DataClaim } from '../../kinds/generated/metal3-data-claim.generated.ts';
import { Metal3Machine } from '../../kinds/generated/metal3-machine.generated.ts';
import { METAL3_DATA_CLAIM_FINALIZER } from '../../kinds/metal-wire.ts';
import { isBeingMoved, pausedBy } from '../../kinds/pause.ts';
import type { KubeWorld } from '../../kube/controller.ts';
import { isGone } from '../../kube/departed.ts';
import { patchMetadata } from '../../kube/finalizers.ts';
import { hasFinalizer, isDeleting, keyOf } from '../../kube/object.ts';
import { ownerReferenceTo, ownersOf } from '../../kube/owners.ts';
import { datasNamingClaim } from '../data/datas.ts';
import { whileUsed } from '../data/in-use.ts';
import { machineOwnerOf } from './claims.ts';

/** Only of the very machine, by UID, only when every Claim before is proved gone, and only what is held for its sake. */
export async function takenUp(claim: Metal3DataClaim, world: KubeWorld): Promise<Metal3Data | undefined> {
  for (const data of datasNamingClaim(keyOf(claim), world)) {
    if (await isStranded(data, claim, world)) return adopt(data, claim, world);
  }
  return undefined;
}

async function isStranded(data: Metal3Data, claim: Metal3DataClaim, world: KubeWorld): Promise<boolean> {
  const machine = machineOwnerOf(claim)?.uid;
  if (machine === undefined || !ownersOf(data, Metal3Machine).some(({ uid }) => uid === machine)) return false;
  if (isBeingMoved(data) || pausedBy(data, undefined) !== undefined) return false;
  if (whileUsed(data, world) === undefined) return false;
  const { namespace = '' } = data.metadata;
  for (const { name, uid } of ownersOf(data, Metal3DataClaim)) {
    if (!(await isGone({ kind: Metal3DataClaim, namespace, name, uid }, world))) return false;
  }
  return true;
}

/** One that is being deleted gets no finalizer any more: what holds it is that its Claim is there. */
function adopt(data: Metal3Data, claim: Metal3DataClaim, world: KubeWorld): Promise<Metal3Data> {
  const before = ownersOf(data, Metal3DataClaim);
  const others = (data.metadata.ownerReferences ?? []).filter(owner => !before.includes(owner));
  const demoted = others.map(({ controller: _was, blockOwnerDeletion: _had, ...owner }) => owner);
  const isHeld = isDeleting(data) || hasFinalizer(data, METAL3_DATA_CLAIM_FINALIZER);
  return patchMetadata(world.api, Metal3Data, data, {
    ownerReferences: [...demoted, ownerReferenceTo(Metal3DataClaim, claim, 'controller')],
    ...(isHeld ? {} : { finalizers: [...(data.metadata.finalizers ?? []), METAL3_DATA_CLAIM_FINALIZER] }),
  });
}
