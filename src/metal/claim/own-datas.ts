// Which Datas are a Claim's: those that it owns by UID, never those of an earlier Claim of its name (metal-f, metal-G14).

import { Metal3Data } from '../../kinds/generated/metal3-data.generated.ts';
import { Metal3DataClaim } from '../../kinds/generated/metal3-data-claim.generated.ts';
import type { KubeWorld } from '../../kube/controller.ts';
import { patchMetadata } from '../../kube/finalizers.ts';
import { controllerOf, isDeleting, type KubeObject, keyOf, type ObjectKey } from '../../kube/object.ts';
import { isOwnedBy, ownerReferenceTo, ownersOf } from '../../kube/owners.ts';
import { datasNamingClaim, datasOfClaimUid } from '../data/datas.ts';

/** Every Data of this Claim, the one in use first; the others are too many (metal-G11). */
export function ownDatas(claim: Metal3DataClaim, world: Pick<KubeWorld, 'caches'>): readonly Metal3Data[] {
  const owned = datasOfClaimUid(claim.metadata.uid ?? '', world);
  const unowned = datasNamingClaim(keyOf(claim), world).filter(data => ownersOf(data, Metal3DataClaim).length === 0);
  return [...owned, ...unowned].sort((one, other) => rank(one, claim) - rank(other, claim) || byIndex(one, other));
}

/** Whether a Data serves this Claim. One without any Claim for owner does when the Claim names it in turn. */
export const isServing = (data: Metal3Data, claim: Metal3DataClaim): boolean =>
  isOwnedBy(data, Metal3DataClaim, claim) ||
  (ownersOf(data, Metal3DataClaim).length === 0 && data.metadata.name === renderedNameOf(claim));

export const renderedNameOf = ({ status }: Metal3DataClaim): string | undefined => {
  const name = status?.renderedData?.name ?? '';
  return name === '' ? undefined : name;
};

/** Deleted before it was ready: nothing will be rendered in it any more, another has to serve. */
export const isSpent = (data: Metal3Data): boolean => isDeleting(data) && data.status?.ready !== true;

function rank(data: Metal3Data, claim: Metal3DataClaim): number {
  if (isSpent(data)) return 3;
  if (data.metadata.name === renderedNameOf(claim)) return 0;
  return isDeleting(data) ? 2 : 1;
}

const byIndex = (one: Metal3Data, other: Metal3Data): number => (one.spec?.index ?? 0) - (other.spec?.index ?? 0);

/**
 * The Claim is the Data's controller. Before CAPM3 1.12 the Template was: it becomes an owner among others in the very
 * write that makes the Claim the controller (C#3520), since no object may have two.
 */
export async function promoteClaim(data: Metal3Data, claim: Metal3DataClaim, world: KubeWorld): Promise<void> {
  if (isDeleting(data) || controllerOf(data)?.uid === claim.metadata.uid) return;
  const others = (data.metadata.ownerReferences ?? []).filter(({ uid }) => uid !== claim.metadata.uid);
  const demoted = others.map(({ controller: _was, blockOwnerDeletion: _had, ...owner }) => owner);
  const ownerReferences = [...demoted, ownerReferenceTo(Metal3DataClaim, claim, 'controller')];
  await patchMetadata(world.api, Metal3Data, data, { ownerReferences });
}

/**
 * The Claims that a change of a Data concerns: one that has it, and says so, does nothing about it while it stays, and one
 * that goes nothing more once its Data goes, too.
 */
export function claimsConcernedBy(data: KubeObject, { caches }: Pick<KubeWorld, 'caches'>): readonly ObjectKey[] {
  const now = caches.of(Metal3Data).get(keyOf(data));
  return claimsOf(data).filter(key => {
    const claim = caches.of(Metal3DataClaim).get(key);
    return claim !== undefined && !isSettled(claim, now);
  });
}

function isSettled(claim: Metal3DataClaim, data: Metal3Data | undefined): boolean {
  const isGoing = data === undefined || isDeleting(data);
  if (isDeleting(claim)) return isGoing;
  if (isGoing) return false;
  return controllerOf(data)?.uid === claim.metadata.uid && renderedNameOf(claim) === data.metadata.name;
}

function claimsOf(data: KubeObject): readonly ObjectKey[] {
  const { namespace = '' } = data.metadata;
  const named = (data as Metal3Data).spec?.claim?.name ?? '';
  const names = new Set([...ownersOf(data, Metal3DataClaim).map(({ name }) => name), named]);
  names.delete('');
  return [...names].map(name => ({ namespace, name }));
}
