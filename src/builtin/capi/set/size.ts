// Keeps as many Machines as a set asks for: makes what is missing, lets go of what is too many or unhealthy.

import { Cluster } from '../../../kinds/generated/cluster.generated.ts';
import { Machine } from '../../../kinds/generated/machine.generated.ts';
import { MachineSet } from '../../../kinds/generated/machine-set.generated.ts';
import { refTo } from '../../../kube/api.ts';
import { conditionOf } from '../../../kube/conditions.ts';
import type { KubeWorld, Step } from '../../../kube/controller.ts';
import { annotationOf, controllerOf, isDeleting } from '../../../kube/object.ts';
import { done, type Outcome, wait } from '../../../kube/outcome.ts';
import { deleteThis } from '../../overtaken.ts';
import { machinesControlledBy } from '../machine/machines.ts';
import { DISABLE_MACHINE_CREATE, OWNER_REMEDIATED } from '../names.ts';
import { clusterOf } from '../pause.ts';
import { deleteOrderOf } from '../spelling.ts';
import { createMachine } from './clone.ts';
import { firstToGo } from './priority.ts';

/** How many Machines one pass makes at most: the next pass goes on. */
const MADE_AT_ONCE = 20;

export interface SetOptions {
  readonly recheckMs: number;
}

export function size(options: SetOptions): Step<MachineSet, KubeWorld> {
  return {
    condition: 'Resized',
    run: async (set, world) => {
      await replaceUnhealthy(set, world);
      const machines = machinesControlledBy(set.metadata.uid ?? '', world);
      const kept = machines.filter(machine => !isDeleting(machine));
      const missing = replicasOf(set) - kept.length;
      if (missing > 0 && annotationOf(set, DISABLE_MACHINE_CREATE) !== undefined) return done();
      if (missing > 0) return grow(set, world, options);
      if (missing < 0) return shrink(set, { kept, surplus: -missing, options }, world);
      return done();
    },
  };
}

export const replicasOf = (set: MachineSet): number => set.spec.replicas ?? 1;

/** Counted again by a live list first: a Machine whose creation was answered too late would be made twice. */
async function grow(set: MachineSet, world: KubeWorld, options: SetOptions): Promise<Outcome> {
  const { namespace = '' } = set.metadata;
  const cluster = clusterOf(set, world);
  if (cluster === undefined || isDeleting(cluster)) {
    const why = cluster === undefined ? 'to exist' : 'to stop being deleted: a going Cluster gets no new Machines';
    const on = { kind: Cluster, namespace, name: set.spec.clusterName };
    return wait(on, `its Cluster ${set.spec.clusterName} ${why}`, options.recheckMs);
  }
  const { items } = await world.api.list(Machine, { namespace });
  const own = items.filter(machine => controllerOf(machine)?.uid === set.metadata.uid && !isDeleting(machine));
  const missing = Math.min(MADE_AT_ONCE, replicasOf(set) - own.length);
  for (let made = 0; made < missing; made++) await createMachine(set, world);
  const what = `${replicasOf(set)} Machines; there were ${own.length}`;
  return wait(refTo(MachineSet, set), what, options.recheckMs, { reason: 'ScalingUp' });
}

async function shrink(
  set: MachineSet,
  on: { readonly kept: readonly Machine[]; readonly surplus: number; readonly options: SetOptions },
  world: KubeWorld,
): Promise<Outcome> {
  const going = firstToGo(on.kept, on.surplus, deleteOrderOf(set.spec));
  for (const machine of going) await deleteMachine(set, machine, world);
  const what = `${going.length} of ${on.kept.length} Machines to go`;
  return wait(refTo(MachineSet, set), what, on.options.recheckMs, { reason: 'ScalingDown' });
}

/** A health check asks the owner to act: deleting the Machine is how a set does, a new one follows. */
async function replaceUnhealthy(set: MachineSet, world: KubeWorld): Promise<void> {
  const machines = machinesControlledBy(set.metadata.uid ?? '', world);
  const condemned = machines.filter(
    machine => !isDeleting(machine) && conditionOf(machine, OWNER_REMEDIATED)?.status === 'False',
  );
  for (const machine of condemned) await deleteMachine(set, machine, world);
}

export async function deleteMachine(set: MachineSet, machine: Machine, world: KubeWorld): Promise<void> {
  const isAccepted = await deleteThis(Machine, machine, world.api);
  if (isAccepted) world.events.normal(set, 'SuccessfulDelete', `Deleted Machine ${machine.metadata.name}`);
}
