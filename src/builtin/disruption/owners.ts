// How many Pods the owners of some Pods want in all: of a ReplicaSet that belongs to a Deployment, what the set says.

import type { Caches } from '../../kube/cache.ts';
import type { Pod } from '../../kube/core/pod.ts';
import { kindOf } from '../../kube/kind.ts';
import type { KubeObject, OwnerReference } from '../../kube/object.ts';

interface Scaled extends KubeObject {
  readonly spec?: { readonly replicas?: number };
}
export const ReplicaSet = kindOf<Scaled>('apps/v1', 'ReplicaSet', 'replicasets', 'Namespaced');
export const Deployment = kindOf<Scaled>('apps/v1', 'Deployment', 'deployments', 'Namespaced');
export const StatefulSet = kindOf<Scaled>('apps/v1', 'StatefulSet', 'statefulsets', 'Namespaced');
export const ReplicationController = kindOf<Scaled>(
  'v1',
  'ReplicationController',
  'replicationcontrollers',
  'Namespaced',
);

/** Pods of nobody, and of kinds that have no number, want nothing. */
export function wantedOf(pods: readonly Pod[], caches: Caches): number {
  const owners = new Map<string, number>();
  for (const pod of pods) {
    const owner = (pod.metadata.ownerReferences ?? []).find(reference => reference.controller === true);
    const scale = owner === undefined ? undefined : scaleOf(owner, pod.metadata.namespace, caches);
    if (scale !== undefined) owners.set(scale.uid, scale.replicas);
  }
  return [...owners.values()].reduce((sum, replicas) => sum + replicas, 0);
}

interface Scale {
  readonly uid: string;
  readonly replicas: number;
}

function scaleOf(owner: OwnerReference, namespace: string | undefined, caches: Caches): Scale | undefined {
  const found = foundAs(owner, namespace, caches);
  if (found === undefined) return undefined;
  const above = (found.metadata.ownerReferences ?? []).find(({ controller }) => controller === true);
  const deployment = above?.kind === 'Deployment' ? foundAs(above, namespace, caches) : undefined;
  const { metadata, spec } = deployment ?? found;
  return { uid: metadata.uid ?? '', replicas: spec?.replicas ?? 1 };
}

/** The very object that the reference means. */
function foundAs(
  { kind, name, uid }: OwnerReference,
  namespace: string | undefined,
  caches: Caches,
): Scaled | undefined {
  const kinds = [ReplicaSet, Deployment, StatefulSet, ReplicationController];
  const known = kinds.find(each => each.kind === kind);
  if (known === undefined) return undefined;
  const key = namespace === undefined ? { name } : { namespace, name };
  const object = caches.of(known).get(key);
  return object?.metadata.uid === uid ? object : undefined;
}
