// MachineSets: so many Machines from one template, each with the provider's objects that it needs.

import { Cluster } from '../../../kinds/generated/cluster.generated.ts';
import { Machine } from '../../../kinds/generated/machine.generated.ts';
import { MachineSet } from '../../../kinds/generated/machine-set.generated.ts';
import { CLUSTER_NAME_LABEL } from '../../../kinds/wire.ts';
import { refTo } from '../../../kube/api.ts';
import { conditionOf } from '../../../kube/conditions.ts';
import type { Deletion, KubeWorld, Step, StepController } from '../../../kube/controller.ts';
import { CustomResourceDefinition } from '../../../kube/core/other.ts';
import type { Kind } from '../../../kube/kind.ts';
import { controllerOf, isDeleting, keyOf } from '../../../kube/object.ts';
import { done, type Outcome, wait } from '../../../kube/outcome.ts';
import { selectorText, selects } from '../../selectors.ts';
import { machinesControlledBy, machinesOfCluster } from '../machine/machines.ts';
import { MACHINE_SET_FINALIZER } from '../names.ts';
import { ensureBelongs, ownerReference } from '../ownership.ts';
import { clusterOf, isPaused } from '../pause.ts';
import { lookUp } from '../provider/lookup.ts';
import { cloneFor, equipmentOf, machineLabels } from './clone.ts';
import { followTemplate } from './in-place.ts';
import { deleteMachine, replicasOf, type SetOptions, size } from './size.ts';

export interface MachineSetOptions extends SetOptions {
  /** Kinds of providers' objects whose caches are kept. */
  readonly watched: readonly Kind[];
}

export function machineSetController(options: MachineSetOptions): StepController<MachineSet, KubeWorld> {
  return {
    name: 'machineset',
    kind: MachineSet,
    wokenBy: [
      { kind: Machine, keysFor: (machine, world) => setsOf(machine as Machine, world) },
      { kind: Cluster, keysFor: (cluster, world) => setsOfCluster(cluster as Cluster, world) },
      { kind: CustomResourceDefinition, keysFor: (_crd, world) => world.caches.of(MachineSet).list().map(keyOf) },
    ],
    reads: [Machine, Cluster, CustomResourceDefinition, ...options.watched],
    always: [size(options), equipment(options), readiness(options)],
    deletion: deletion(options),
    paused: isPaused,
    pausesDeletion: isPaused,
  };
}

function setsOf(machine: Machine, world: KubeWorld) {
  const owner = controllerOf(machine);
  const { namespace = '' } = machine.metadata;
  if (owner !== undefined) return owner.kind === MachineSet.kind ? [{ namespace, name: owner.name }] : [];
  return world.caches
    .of(MachineSet)
    .list(namespace)
    .filter(set => adopts(set, machine))
    .map(keyOf);
}

const setsOfCluster = ({ metadata }: Cluster, world: KubeWorld) =>
  world.caches
    .of(MachineSet)
    .list(metadata.namespace)
    .filter(set => set.spec.clusterName === metadata.name)
    .map(keyOf);

/** A Machine that nobody acts for and that the selector names. */
function adopts(set: MachineSet, machine: Machine): boolean {
  const { selector } = set.spec;
  if (selector === undefined || Object.keys(selector.matchLabels ?? {}).length === 0) return false;
  if (machine.spec.clusterName !== set.spec.clusterName || controllerOf(machine) !== undefined) return false;
  return selects(selector, machine.metadata.labels ?? {});
}

/** Every Machine has what its templates say: the provider's objects, and the fields that follow the template. */
function equipment(options: MachineSetOptions): Step<MachineSet, KubeWorld> {
  return {
    condition: 'MachinesCreated',
    run: async (set, world) => {
      await belong(set, world);
      const machines = machinesControlledBy(set.metadata.uid ?? '', world).filter(machine => !isDeleting(machine));
      const held: string[] = [];
      for (const machine of machines) {
        await followTemplate(machine, set, world);
        held.push(...(await cloneMissing(set, machine, { world, options })));
      }
      if (held.length === 0) return done();
      return wait(refTo(MachineSet, set), [...new Set(held)].join(', '), options.recheckMs, {
        reason: 'CloningFailed',
      });
    },
  };
}

/** What is held up, of the objects that this Machine lacks. A host that was there and is lost is not made again. */
async function cloneMissing(
  set: MachineSet,
  machine: Machine,
  on: { readonly world: KubeWorld; readonly options: MachineSetOptions },
): Promise<readonly string[]> {
  if (machine.status?.initialization?.infrastructureProvisioned === true) return [];
  const { namespace = '', name } = machine.metadata;
  const held: string[] = [];
  for (const { template, reference } of equipmentOf(set, machine)) {
    const sought = await lookUp(reference, { namespace, world: on.world, watched: on.options.watched });
    // Under another name it was not made by a set, so it is not a set's to make again.
    if (sought.kind === 'found' || reference.name !== name) continue;
    const cloned = await cloneFor(machine, template, on.world);
    if (cloned.kind === 'held') held.push(cloned.on);
  }
  return held;
}

async function belong(set: MachineSet, world: KubeWorld): Promise<void> {
  const cluster = clusterOf(set, world);
  if (cluster === undefined) return;
  const labels = { [CLUSTER_NAME_LABEL]: set.spec.clusterName };
  const owner = controllerOf(set) ?? ownerReference(Cluster, cluster, 'owner');
  await ensureBelongs(MachineSet, set, { owner, labels }, world);
  const { namespace = '', name } = cluster.metadata;
  const orphans = machinesOfCluster(namespace, name, world).filter(
    machine => adopts(set, machine) && !isDeleting(machine),
  );
  for (const machine of orphans) {
    await ensureBelongs(Machine, machine, { owner: ownerReference(MachineSet, set, 'controller') }, world);
  }
}

/** The counts, and whether all Machines are ready. */
function readiness(options: MachineSetOptions): Step<MachineSet, KubeWorld> {
  return {
    condition: 'MachinesReady',
    run: async (set, world) => {
      const machines = machinesControlledBy(set.metadata.uid ?? '', world);
      const ready = machines.filter(machine => conditionOf(machine, 'Ready')?.status === 'True');
      const available = machines.filter(machine => conditionOf(machine, 'Available')?.status === 'True');
      const status = {
        observedGeneration: set.metadata.generation,
        selector: selectorText(set.spec.selector ?? { matchLabels: machineLabels(set) }),
        replicas: machines.length,
        readyReplicas: ready.length,
        availableReplicas: available.length,
        upToDateReplicas: machines.filter(machine => !isDeleting(machine)).length,
      };
      if (ready.length >= replicasOf(set)) return done({ status });
      const late = machines.filter(machine => !ready.includes(machine)).map(machine => machine.metadata.name);
      const what = `${replicasOf(set) - ready.length} more Machines to be ready${late.length === 0 ? '' : `: ${late.slice(0, 5).join(', ')}`}`;
      return wait(refTo(MachineSet, set), what, options.recheckMs, { reason: 'NotReady', change: { status } });
    },
  };
}

/** The Machines go first, each in its own order; the set waits for the last. */
function deletion(options: MachineSetOptions): Deletion<MachineSet, KubeWorld> {
  return {
    finalizer: MACHINE_SET_FINALIZER,
    run: async (set, world): Promise<Outcome> => {
      const { namespace = '' } = set.metadata;
      // Live: a Machine that the cache does not have yet would outlive its set.
      const { items } = await world.api.list(Machine, { namespace });
      const own = items.filter(machine => controllerOf(machine)?.uid === set.metadata.uid);
      if (own.length === 0) return done();
      for (const machine of own.filter(candidate => !isDeleting(candidate))) await deleteMachine(set, machine, world);
      const [first] = own;
      const on = first === undefined ? refTo(MachineSet, set) : refTo(Machine, first);
      const names = own.slice(0, 5).map(machine => machine.metadata.name);
      return wait(on, `${own.length} Machines to go: ${names.join(', ')}`, options.recheckMs);
    },
  };
}
