// Who owns what: owner references and labels put on objects, each written only when it is missing.

import type { KubeWorld } from '../../kube/controller.ts';
import { isConflict } from '../../kube/errors.ts';
import { apiVersionOf, type Kind } from '../../kube/kind.ts';
import { type KubeObject, keyOf, type OwnerReference } from '../../kube/object.ts';

/**
 * A reference to `owner` as the one who acts for the dependent, or as one of several owners. As in Cluster API core the
 * former blocks its owner's deletion in the foreground: there a set stays until its machines are gone. Ours elsewhere
 * (kube/owners.ts) do not, their finalizers hold what has to stay.
 */
export function ownerReference(kind: Kind, owner: KubeObject, role: 'controller' | 'owner'): OwnerReference {
  const { name, uid = '' } = owner.metadata;
  const plain = { apiVersion: apiVersionOf(kind), kind: kind.kind, name, uid };
  return role === 'controller' ? { ...plain, controller: true, blockOwnerDeletion: true } : plain;
}

export interface Belongs {
  readonly owner: OwnerReference;
  readonly labels?: Readonly<Record<string, string>>;
}

/**
 * Makes the object belong, and returns it as it then is. A controller takes over from no other: the reference is
 * added only where there is none. On a conflict the object is returned as it was: another pass follows its change.
 */
export async function ensureBelongs<T extends KubeObject>(
  kind: Kind<T>,
  object: T,
  belongs: Belongs,
  world: KubeWorld,
): Promise<T> {
  const { ownerReferences = [], uid, resourceVersion } = object.metadata;
  const owned = ownerReferences.some(reference => reference.uid === belongs.owner.uid);
  const taken = belongs.owner.controller === true && ownerReferences.some(reference => reference.controller === true);
  const addsOwner = !owned && !taken;
  const addsLabels = Object.entries(belongs.labels ?? {}).some(
    ([key, value]) => object.metadata.labels?.[key] !== value,
  );
  if (!addsOwner && !addsLabels) return object;
  const metadata = {
    uid,
    resourceVersion,
    ...(addsOwner ? { ownerReferences: [...ownerReferences, belongs.owner] } : {}),
    ...(addsLabels ? { labels: belongs.labels } : {}),
  };
  try {
    return await world.api.patch(kind, keyOf(object), { metadata });
  } catch (error) {
    if (isConflict(error)) return object;
    throw error;
  }
}
