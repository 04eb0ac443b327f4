// An address whose claim was removed by force: kept for a while for the claim that is made again, and then let go of.

import { kubeTime, millisOf, minutes } from '../../base/clock.ts';
import { CLAIM_LOST_ANNOTATION } from '../../kinds/metal-wire.ts';
import { isGone } from '../../kube/departed.ts';
import { letGo, patchMetadata } from '../../kube/finalizers.ts';
import { annotationOf, isDeleting, type KubeObject, keyOf } from '../../kube/object.ts';
import { done, type Outcome } from '../../kube/outcome.ts';
import { ownerReferenceTo, ownersOf } from '../../kube/owners.ts';
import { canonicalText } from '../addresses/address.ts';
import { books } from '../allocation/books.ts';
import type { Dialect } from '../claim/dialect.ts';
import type { IpamWorld } from '../world.ts';

/** Longer than a manager takes that has to start elsewhere: whoever uses the address makes its claim again at once. */
const KEPT_MS = minutes(2);

export const isMarkedLost = (address: KubeObject): boolean =>
  annotationOf(address, CLAIM_LOST_ANNOTATION) !== undefined;

/** Its claim is proved gone. A claim that goes in order lets go of its address first: this one did not. */
export async function keepForAWhile(dialect: Dialect, address: KubeObject, world: IpamWorld): Promise<Outcome> {
  const since = millisOf(annotationOf(address, CLAIM_LOST_ANNOTATION));
  if (!isMarkedLost(address)) {
    const annotations = { [CLAIM_LOST_ANNOTATION]: kubeTime(world.clock.now()) };
    await patchMetadata(world.api, dialect.address, address, { annotations });
    const name = dialect.heldBy(address)?.claim ?? '';
    const kept = `it is kept for ${KEPT_MS / 60_000} minutes, for a claim of that name which asks for it`;
    world.events.warning(address, 'ClaimLost', `${dialect.claim.kind} ${name} was removed by force: ${kept}`);
    return done(undefined, KEPT_MS);
  }
  const leftMs = since + KEPT_MS - world.clock.now();
  // A clock that went back keeps it no longer than it would have been kept.
  if (leftMs > 0 && leftMs <= KEPT_MS) return done(undefined, leftMs);
  await letGo(world.api, dialect.address, address, dialect.addressFinalizer);
  return done();
}

/** The address that a claim of the lost one's name asks for. Whether it is lost is to be seen yet. */
export function addressAsked(
  dialect: Dialect,
  claim: KubeObject,
  asked: { readonly text: string; readonly pool: string },
  world: IpamWorld,
): KubeObject | undefined {
  const text = canonicalText(asked.text);
  return books(world)
    .addressesOfClaim(dialect, keyOf(claim))
    .find(address => {
      const held = dialect.heldBy(address);
      return held?.pool === asked.pool && canonicalText(held.text) === text && !isDeleting(address);
    });
}

/** Every claim that owns it is proved gone. */
export async function isLost(dialect: Dialect, address: KubeObject, world: IpamWorld): Promise<boolean> {
  const { namespace = '' } = address.metadata;
  for (const { name, uid } of ownersOf(address, dialect.claim)) {
    if (!(await isGone({ kind: dialect.claim, namespace, name, uid }, world))) return false;
  }
  return true;
}

/** Owned by its claim again, and lost no more. */
export function claimed(
  dialect: Dialect,
  claim: KubeObject,
  address: KubeObject,
  world: IpamWorld,
): Promise<KubeObject> {
  const before = ownersOf(address, dialect.claim);
  const others = (address.metadata.ownerReferences ?? []).filter(owner => !before.includes(owner));
  return patchMetadata(world.api, dialect.address, address, {
    ownerReferences: [...others, ownerReferenceTo(dialect.claim, claim, 'owner')],
    annotations: { [CLAIM_LOST_ANNOTATION]: null },
  });
}
