// Which addresses are a claim's own: by the UID of their owner, and by name alone only where they have no owner of that kind.

import { isDeleting, type KubeObject, keyOf } from '../../kube/object.ts';
import { ownersOf } from '../../kube/owners.ts';
import type { Books } from '../allocation/books.ts';
import type { Dialect } from './dialect.ts';

/** An earlier claim of that name may have left addresses: they are not this one's (metal-G14). */
export function ownAddresses(dialect: Dialect, claim: KubeObject, books: Books): readonly KubeObject[] {
  return books.addressesOfClaim(dialect, keyOf(claim)).filter(address => isOwn(dialect, claim, address));
}

export function isOwn(dialect: Dialect, claim: KubeObject, address: KubeObject): boolean {
  const held = dialect.heldBy(address);
  if (held?.claim !== claim.metadata.name || held.pool !== dialect.poolOf(claim)?.name) return false;
  const owners = ownersOf(address, dialect.claim);
  return owners.length === 0 || owners.some(({ uid }) => uid === claim.metadata.uid);
}

/** The one that the status names, else the first that stays, else one that is going. */
export function chosenOf(dialect: Dialect, claim: KubeObject, own: readonly KubeObject[]): KubeObject | undefined {
  const named = dialect.boundName(claim);
  const staying = own.filter(address => !isDeleting(address));
  return staying.find(({ metadata }) => metadata.name === named) ?? staying[0] ?? own[0];
}
