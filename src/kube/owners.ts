// Owner references: who is whose, by UID and never by name alone.

import { apiVersionOf, type Kind } from './kind.ts';
import type { KubeObject, OwnerReference } from './object.ts';

/**
 * A reference to `owner`; the controller is the one that acts for the object. None blocks its owner's deletion: finalizers
 * hold what has to stay, and where OwnerReferencesPermissionEnforcement is on, that would take a right on each owner's
 * finalizers (https://kubernetes.io/docs/reference/access-authn-authz/admission-controllers/).
 */
export function ownerReferenceTo(kind: Kind, owner: KubeObject, role: 'controller' | 'owner'): OwnerReference {
  const { name, uid = '' } = owner.metadata;
  const reference = { apiVersion: apiVersionOf(kind), kind: kind.kind, name, uid };
  return role === 'controller' ? { ...reference, controller: true } : reference;
}

/** The owners of this kind that an object names. A kind's group may change its version, never its name. */
export function ownersOf(object: KubeObject, { group, kind }: Kind): readonly OwnerReference[] {
  return (object.metadata.ownerReferences ?? []).filter(
    owner => owner.kind === kind && owner.apiVersion.startsWith(`${group}/`),
  );
}

/** Whether `owner`, and not only one of its name, owns the object. */
export const isOwnedBy = (object: KubeObject, kind: Kind, owner: KubeObject): boolean =>
  owner.metadata.uid !== undefined && ownersOf(object, kind).some(({ uid }) => uid === owner.metadata.uid);
