// Which Cluster a machine belongs to, whether it is ready for machines, and whether it is paused.

import { seconds } from '../../base/clock.ts';
import { Cluster } from '../../kinds/generated/cluster.generated.ts';
import { Machine } from '../../kinds/generated/machine.generated.ts';
import { CLUSTER_NAME_LABEL, PAUSED_ANNOTATION } from '../../kinds/wire.ts';
import type { Step } from '../../kube/controller.ts';
import { annotationOf, labelOf } from '../../kube/object.ts';
import { done, wait } from '../../kube/outcome.ts';
import type { MacWorld } from '../world.ts';
import { type MacMachine, namespaceOf } from './mac-machine.ts';

/** A machine without an owner and without a Cluster is kept all the same (mac-F2). */
export const clusterReadiness: Step<MacMachine, MacWorld> = {
  condition: 'ClusterReady',
  async run(machine, world) {
    const name = clusterNameOf(machine, world);
    if (name === undefined) return done();
    const on = { kind: Cluster, namespace: namespaceOf(machine), name };
    const cluster = world.caches.of(Cluster).get(on);
    if (cluster === undefined) return wait(on, `Cluster ${name}`, seconds(30), { reason: 'ClusterMissing' });
    if (isReadyForMachines(cluster)) return done();
    return wait(on, `the infrastructure of Cluster ${name}`, seconds(30), {
      reason: 'WaitingForClusterInfrastructure',
    });
  },
};

/** mac-F2: two signals, each by itself. Deletion looks at neither. */
export function isPaused(machine: MacMachine, world: MacWorld): boolean {
  if (annotationOf(machine, PAUSED_ANNOTATION) !== undefined) return true;
  const name = clusterNameOf(machine, world);
  const cluster =
    name === undefined ? undefined : world.caches.of(Cluster).get({ namespace: namespaceOf(machine), name });
  return cluster?.spec?.paused === true;
}

function clusterNameOf(machine: MacMachine, world: MacWorld): string | undefined {
  const owner = machine.metadata.ownerReferences?.find(each => each.kind === 'Machine');
  if (owner === undefined) return labelOf(machine, CLUSTER_NAME_LABEL);
  const owning = world.caches.of(Machine).get({ namespace: namespaceOf(machine), name: owner.name });
  return owning?.spec.clusterName ?? labelOf(machine, CLUSTER_NAME_LABEL);
}

function isReadyForMachines({ status }: Cluster): boolean {
  return status?.initialization?.infrastructureProvisioned === true || status?.infrastructureReady === true;
}
