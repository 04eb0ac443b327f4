// Which part of a cluster a manager looks after: one namespace, or the objects that bear its watch filter. Upstream's flags (metal-P3).

import type { KubeWorld } from '../kube/controller.ts';
import { labelOf } from '../kube/object.ts';

export interface Scope {
  /** `--namespace`: objects elsewhere are not even read. */
  readonly namespace?: string;
  /** `--watch-filter`: objects without this value in the label of that name are passed by. */
  readonly watchFilter?: string;
}

const WATCH_FILTER_LABEL = 'cluster.x-k8s.io/watch-filter';

export function scoped<W extends KubeWorld>(world: W, { namespace, watchFilter }: Scope): W {
  const { caches } = world;
  return {
    ...world,
    ...(watchFilter === undefined
      ? {}
      : { concerns: (object: Parameters<typeof labelOf>[0]) => labelOf(object, WATCH_FILTER_LABEL) === watchFilter }),
    ...(namespace === undefined
      ? {}
      : {
          caches: {
            of: (kind: Parameters<typeof caches.of>[0], selection = {}) =>
              caches.of(kind, kind.namespaced ? { ...selection, namespace } : selection),
          },
        }),
  };
}
