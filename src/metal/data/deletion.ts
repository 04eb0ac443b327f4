// A Data that is deleted stays while its Claim is there, then lets go of leases and secrets, and goes (metal-G1 to G4).

import { held, type Subject, soon } from '../../deletion/quiet-controller.ts';
import { Metal3Data } from '../../kinds/generated/metal3-data.generated.ts';
import { Metal3DataClaim } from '../../kinds/generated/metal3-data-claim.generated.ts';
import { METAL3_DATA_CLAIM_FINALIZER, METAL3_DATA_FINALIZER } from '../../kinds/metal-wire.ts';
import type { Ref } from '../../kube/api.ts';
import type { KubeWorld } from '../../kube/controller.ts';
import { isGone } from '../../kube/departed.ts';
import { takeOff, usersOf } from '../../kube/finalizers.ts';
import { hasFinalizer, isDeleting } from '../../kube/object.ts';
import { done, type Outcome, type Wait } from '../../kube/outcome.ts';
import { ownersOf } from '../../kube/owners.ts';
import { renderedNameOf } from '../claim/own-datas.ts';
import { whileUsed } from './in-use.ts';
import { releaseAllOf } from './release.ts';

const OURS: readonly string[] = [METAL3_DATA_FINALIZER, METAL3_DATA_CLAIM_FINALIZER];

export async function dataDeletion({ object }: Subject<Metal3Data>, world: KubeWorld): Promise<Outcome> {
  if (!OURS.some(finalizer => hasFinalizer(object, finalizer))) return done();
  const claims = claimsOf(object);
  for (const claim of claims) {
    const wait = await whileInUse(object, claim, world);
    if (wait !== undefined) return wait;
  }
  const used = claims.some(claim => usesAnother(object, claim, world)) ? undefined : whileUsed(object, world);
  if (used !== undefined) return used;
  const outcome = await releaseAllOf(object, world);
  if (outcome.kind === 'wait') return outcome;
  // Both in one write: with its Claim gone there is nobody else to take the Claim's off (metal-G3).
  await takeOff(world.api, Metal3Data, object, ...OURS);
  return done();
}

/** By the UID of the owner; by name only where no Claim owns it. The namespace of the reference is not read (metal-G13). */
function claimsOf(data: Metal3Data): readonly Ref[] {
  const { namespace = '' } = data.metadata;
  const owners = ownersOf(data, Metal3DataClaim);
  if (owners.length > 0) return owners.map(({ name, uid }) => ({ kind: Metal3DataClaim, namespace, name, uid }));
  const name = data.spec?.claim?.name ?? '';
  return name === '' ? [] : [{ kind: Metal3DataClaim, namespace, name }];
}

/** Its Claim is served by another Data: this one is too many (metal-G11). */
function usesAnother(data: Metal3Data, { uid, ...key }: Ref, { caches }: KubeWorld): boolean {
  const claim = caches.of(Metal3DataClaim).get(key);
  const used =
    claim === undefined || claim.metadata.uid !== (uid ?? claim.metadata.uid) ? undefined : renderedNameOf(claim);
  return used !== undefined && used !== data.metadata.name;
}

async function whileInUse(data: Metal3Data, on: Ref, world: KubeWorld): Promise<Wait | undefined> {
  if (await isGone(on, world)) return undefined;
  const claim = world.caches.of(Metal3DataClaim).get(on);
  if (usesAnother(data, on, world)) return undefined;
  // Deleted in the foreground it waits for this Data: each would wait for the other.
  if (claim !== undefined && isDeleting(claim) && usersOf(claim).length === 0) return undefined;
  const what = `Metal3DataClaim ${on.name}, whose data this is, to go`;
  // One that has left the cache meanwhile is about to be known to be gone.
  return claim === undefined || isDeleting(claim) ? soon(on, what) : held(on, 'InUse', what);
}
