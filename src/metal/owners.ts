// Owner references among Metal3's objects: who is whose, by UID (metal-f).

export const METAL3_MACHINE = 'Metal3Machine';

export { isOwnedBy, ownerReferenceTo, ownersOf } from '../kube/owners.ts';
