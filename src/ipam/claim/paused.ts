// Whether a claim or an address is left alone: by itself, by its Cluster, or with its pool, as upstream's pass per pool had it.

import { IPPool } from '../../kinds/generated/ip-pool.generated.ts';
import { clusterOf, isBeingMoved, pausedBy } from '../../kinds/pause.ts';
import type { KubeWorld } from '../../kube/controller.ts';
import type { KubeObject, ObjectKey } from '../../kube/object.ts';
import { clusterOfPool } from '../pool/membership.ts';

/** Why nothing is written for it; undefined when it is not paused. */
export function pauseOf(
  object: KubeObject,
  pool: ObjectKey | undefined,
  world: Pick<KubeWorld, 'caches'>,
): string | undefined {
  const own = pausedBy(object, clusterOf(object, world));
  if (own !== undefined || pool === undefined) return own;
  const found = world.caches.of(IPPool).get(pool);
  const why = found === undefined ? undefined : pauseOfPool(found, world);
  return why === undefined ? undefined : `its IPPool ${pool.name} is left alone: ${why}`;
}

function pauseOfPool(pool: IPPool, world: Pick<KubeWorld, 'caches'>): string | undefined {
  if (isBeingMoved(pool)) return 'it is being moved';
  return pausedBy(pool, clusterOfPool(pool, world));
}
