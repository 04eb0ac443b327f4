// The subset of Cluster API core that a worker fleet needs, as controllers ready to be started.

import type { KubeWorld } from '../../kube/controller.ts';
import type { Kind } from '../../kube/kind.ts';
import { controller, type Runnable } from '../../kube/run.ts';
import { type Timing, timingOf } from '../timing.ts';
import { clusterController } from './cluster/controller.ts';
import { machineDeploymentController } from './deployment/controller.ts';
import { machineHealthCheckController } from './health/controller.ts';
import { machineController } from './machine/controller.ts';
import type { NodesElsewhere } from './machine/node-source.ts';
import { machineSetController } from './set/controller.ts';

export interface CapiOptions {
  /** Kinds of providers' machines and bootstrap configurations, and of their clusters and control planes. */
  readonly machineKinds: readonly Kind[];
  readonly clusterKinds: readonly Kind[];
  readonly timing?: Partial<Timing>;
  /** Clusters whose Nodes are in clusters of their own. */
  readonly nodesElsewhere?: NodesElsewhere;
}

/** Kinds that are not named here work too: they are then looked at on a timer and not on each change. */
export function capiControllers(options: CapiOptions): readonly Runnable<KubeWorld>[] {
  const { recheckMs, quietStartMs } = timingOf(options.timing);
  const elsewhere = options.nodesElsewhere === undefined ? {} : { nodesElsewhere: options.nodesElsewhere };
  return [
    controller(clusterController({ watched: options.clusterKinds, recheckMs })),
    controller(machineDeploymentController({ recheckMs })),
    controller(machineSetController({ watched: options.machineKinds, recheckMs })),
    controller(machineController({ watched: options.machineKinds, recheckMs, ...elsewhere })),
    controller(machineHealthCheckController({ quietStartMs, recheckMs, ...elsewhere })),
  ];
}
