// What is left alone: objects that are paused, by themselves or through their Cluster, and sources of a move.

import { Cluster } from '../../kinds/generated/cluster.generated.ts';
import { DELETE_FOR_MOVE, PAUSED_ANNOTATION } from '../../kinds/wire.ts';
import type { KubeWorld } from '../../kube/controller.ts';
import { annotationOf, type KubeObject } from '../../kube/object.ts';

interface OfCluster extends KubeObject {
  readonly spec?: { readonly clusterName?: string };
}

/** Deletion waits too: clusterctl deletes paused objects during a move and takes the finalizers itself. */
export function isPaused(object: OfCluster, world: KubeWorld): boolean {
  if (annotationOf(object, PAUSED_ANNOTATION) !== undefined) return true;
  if (annotationOf(object, DELETE_FOR_MOVE) !== undefined) return true;
  return clusterOf(object, world)?.spec?.paused === true;
}

/** The Cluster that an object names, as the cache has it. */
export function clusterOf(object: OfCluster, world: KubeWorld): Cluster | undefined {
  const name = object.spec?.clusterName;
  const { namespace = '' } = object.metadata;
  return name === undefined ? undefined : world.caches.of(Cluster).get({ namespace, name });
}
