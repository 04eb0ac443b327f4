// How an owner stands to its dependent: from the caches when it is there, and by a live read before it counts as absent.

import type { Api } from '../../kube/api.ts';
import type { KubeObject, OwnerReference } from '../../kube/object.ts';
import type { Content, Found } from '../served/content.ts';
import { isDeletingDependents, type Owner, type Standing } from './owners.ts';

/** The standings of all owners of an object. A read that fails throws: it is no absence (safe-1). */
export function ownersOf(found: Found, content: Content, api: Api): Promise<readonly Owner[]> {
  const references = found.object.metadata.ownerReferences ?? [];
  return Promise.all(
    references.map(async reference => ({ reference, standing: await standingOf(found, reference, { content, api }) })),
  );
}

async function standingOf(
  dependent: Found,
  reference: OwnerReference,
  world: { readonly content: Content; readonly api: Api },
): Promise<Standing> {
  const cached = world.content.withUid(reference.uid);
  if (cached !== undefined && isNamed(reference, cached) && isInScope(dependent.object, cached.object)) {
    return standingOfObject(cached.object);
  }

  const kind = world.content.kindOf(groupOf(reference), reference.kind);
  if (kind === undefined) return 'unresolved';
  const namespace = dependent.object.metadata.namespace;
  // A cluster-scoped object cannot have an owner in a namespace: nobody can say which one is meant.
  if (kind.namespaced && namespace === undefined) return 'unresolved';

  const key =
    kind.namespaced && namespace !== undefined ? { namespace, name: reference.name } : { name: reference.name };
  const live = await world.api.find(kind, key);
  if (live === undefined || live.metadata.uid !== reference.uid) return 'absent';
  return standingOfObject(live);
}

/** Whether the reference names what bears its UID: its kind and name must be right too. */
export const isNamed = (reference: OwnerReference, { kind, object }: Found): boolean =>
  reference.kind === kind.kind && groupOf(reference) === kind.group && reference.name === object.metadata.name;

/** An owner in another namespace is no owner: Kubernetes treats such a reference as one to nothing. */
function isInScope(dependent: KubeObject, owner: KubeObject): boolean {
  return owner.metadata.namespace === undefined || owner.metadata.namespace === dependent.metadata.namespace;
}

function standingOfObject(owner: KubeObject): Standing {
  return isDeletingDependents(owner) ? 'waiting' : 'solid';
}

function groupOf(reference: OwnerReference): string {
  const slash = reference.apiVersion.indexOf('/');
  return slash < 0 ? '' : reference.apiVersion.slice(0, slash);
}
