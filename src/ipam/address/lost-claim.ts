// An address whose claim was removed by force: kept while somebody uses it, and a while for the claim that is made again.

import { kubeTime, millisOf, minutes, seconds } from '../../base/clock.ts';
import { CLAIM_LOST_ANNOTATION } from '../../kinds/metal-wire.ts';
import { isGone } from '../../kube/departed.ts';
import { patchMetadata } from '../../kube/finalizers.ts';
import { annotationOf, type KubeObject, keyOf } from '../../kube/object.ts';
import { done, type Outcome } from '../../kube/outcome.ts';
import { ownerReferenceTo, ownersOf } from '../../kube/owners.ts';
import { canonicalText } from '../addresses/address.ts';
import { books } from '../allocation/books.ts';
import type { Dialect } from '../claim/dialect.ts';
import type { IpamWorld } from '../world.ts';
import { userOf } from './user.ts';

/** Longer than a manager takes that has to start elsewhere: whoever uses the address makes its claim again at once. */
const KEPT_MS = minutes(2);

export const isMarkedLost = (address: KubeObject): boolean =>
  annotationOf(address, CLAIM_LOST_ANNOTATION) !== undefined;

/** No event tells of the user: the kinds of hosts are not followed here, and this is rare. */
const USED_RECHECK_MS = seconds(30);

/**
 * Its claim is proved gone. A claim that goes in order lets go of its address first: this one did not. Whether it, or its
 * pool, is being deleted (the garbage collector sees to both) says nothing about who runs with it. Undefined: it may go.
 */
export async function keepLost(
  dialect: Dialect,
  address: KubeObject,
  { isServed }: { readonly isServed: boolean },
  world: IpamWorld,
): Promise<Outcome | undefined> {
  const { name, namespace = '' } = address.metadata;
  const successor = world.caches.of(dialect.claim).get({ namespace, name: dialect.heldBy(address)?.claim ?? '' });
  const bound = successor === undefined ? undefined : dialect.boundName(successor);
  const user = bound === undefined || bound === name ? await userOf(dialect, address, world) : undefined;
  if (user !== undefined) {
    await mark(dialect, address, world);
    tell(dialect, address, `it is kept as long as ${user} is there, or until a claim of that name asks for it`, world);
    return done(undefined, USED_RECHECK_MS);
  }
  return isServed ? keepForAWhile(dialect, address, world) : undefined;
}

async function keepForAWhile(dialect: Dialect, address: KubeObject, world: IpamWorld): Promise<Outcome | undefined> {
  if (!isMarkedLost(address)) {
    await mark(dialect, address, world);
    const kept = `it is kept for ${KEPT_MS / 60_000} minutes, for a claim of that name which asks for it`;
    tell(dialect, address, kept, world);
    return done(undefined, KEPT_MS);
  }
  const leftMs = millisOf(annotationOf(address, CLAIM_LOST_ANNOTATION)) + KEPT_MS - world.clock.now();
  // A time to come is that of another clock, or of this one before it went back: it proves no age (safe-21).
  if (leftMs > KEPT_MS) {
    await markAnew(dialect, address, world);
    return done(undefined, KEPT_MS);
  }
  return leftMs > 0 ? done(undefined, leftMs) : undefined;
}

async function mark(dialect: Dialect, address: KubeObject, world: IpamWorld): Promise<void> {
  if (!isMarkedLost(address)) await markAnew(dialect, address, world);
}

async function markAnew(dialect: Dialect, address: KubeObject, world: IpamWorld): Promise<void> {
  const annotations = { [CLAIM_LOST_ANNOTATION]: kubeTime(world.clock.now()) };
  await patchMetadata(world.api, dialect.address, address, { annotations });
}

function tell(dialect: Dialect, address: KubeObject, kept: string, { events }: IpamWorld): void {
  const name = dialect.heldBy(address)?.claim ?? '';
  events.warning(address, 'ClaimLost', `${dialect.claim.kind} ${name} was removed by force: ${kept}`);
}

/** The address that a claim of the lost one's name asks for, going or not. Whether it is lost is to be seen yet. */
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
      return held?.pool === asked.pool && canonicalText(held.text) === text;
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
