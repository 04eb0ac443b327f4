// What is left alone: objects that are paused, by themselves or through their Cluster, and the source copies of a move.

import type { Verdict } from '../kube/conditions.ts';
import type { KubeWorld, StepController } from '../kube/controller.ts';
import { annotationOf, type KubeObject, labelOf } from '../kube/object.ts';
import { Cluster } from './generated/cluster.generated.ts';
import { CLUSTER_NAME_LABEL, DELETE_FOR_MOVE, PAUSED_ANNOTATION } from './wire.ts';

const PAUSED = 'Paused';

/** The Cluster that an object's label names, as the cache has it. */
export function clusterOf(object: KubeObject, { caches }: Pick<KubeWorld, 'caches'>): Cluster | undefined {
  const name = labelOf(object, CLUSTER_NAME_LABEL);
  const { namespace = '' } = object.metadata;
  return name === undefined ? undefined : caches.of(Cluster).get({ namespace, name });
}

/** clusterctl deletes this copy and takes its finalizers itself: nothing is written to it, or for its sake (safe-17). */
export const isBeingMoved = (object: KubeObject): boolean => annotationOf(object, DELETE_FOR_MOVE) !== undefined;

/** Why an object is left alone; undefined when it is not. */
export function pausedBy(object: KubeObject, cluster: Cluster | undefined): string | undefined {
  if (annotationOf(object, PAUSED_ANNOTATION) !== undefined) return `it has the annotation ${PAUSED_ANNOTATION}`;
  return cluster?.spec?.paused === true ? `its Cluster ${cluster.metadata.name} has spec.paused` : undefined;
}

/** How an object says whether it is paused. */
export const pauseVerdict = (why: string | undefined): Verdict =>
  why === undefined
    ? { type: PAUSED, status: 'False', reason: 'NotPaused', message: '' }
    : { type: PAUSED, status: 'True', reason: PAUSED, message: `Nothing is written for it: ${why}` };

type PauseRules<T extends KubeObject, W> = Pick<StepController<T, W>, 'paused' | 'pausesDeletion' | 'pauseShown'>;

/** The rules of a controller whose objects' pause is theirs or their Cluster's: upstream's, deletion included. */
export function pauseRules<T extends KubeObject, W extends KubeWorld>(
  ofCluster: (object: T, world: W) => Cluster | undefined = clusterOf,
): PauseRules<T, W> {
  const why = (object: T, world: W): string | undefined => pausedBy(object, ofCluster(object, world));
  const isLeftAlone = (object: T, world: W): boolean => isBeingMoved(object) || why(object, world) !== undefined;
  return {
    paused: isLeftAlone,
    pausesDeletion: isLeftAlone,
    pauseShown: (object, world) => (isBeingMoved(object) ? undefined : pauseVerdict(why(object, world))),
  };
}
