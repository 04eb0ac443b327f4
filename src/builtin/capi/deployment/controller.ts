// MachineDeployments: machines that follow a template as it changes, by MachineSets.

import { Cluster } from '../../../kinds/generated/cluster.generated.ts';
import { Machine } from '../../../kinds/generated/machine.generated.ts';
import { MachineDeployment } from '../../../kinds/generated/machine-deployment.generated.ts';
import { MachineSet } from '../../../kinds/generated/machine-set.generated.ts';
import { CLUSTER_NAME_LABEL } from '../../../kinds/wire.ts';
import { refTo } from '../../../kube/api.ts';
import type { Deletion, KubeWorld, Step, StepController } from '../../../kube/controller.ts';
import { controllerOf, isDeleting, keyOf, labelOf, type ObjectKey } from '../../../kube/object.ts';
import { type Change, done, type Outcome, wait } from '../../../kube/outcome.ts';
import { selectorText } from '../../selectors.ts';
import { DEPLOYMENT_NAME_LABEL, MACHINE_DEPLOYMENT_FINALIZER } from '../names.ts';
import { ensureBelongs, ownerReference } from '../ownership.ts';
import { clusterOf, isPaused } from '../pause.ts';
import { strategyOf } from '../spelling.ts';
import { availabilityOf, countsOf, phaseOf } from './counts.ts';
import { planOf, type SetSize } from './rollout.ts';
import { createSet, deleteSet, deploymentLabels, followDeployment, keptMachinesOf, resizeSet, setsOf } from './sets.ts';
import { currentSet } from './template.ts';

export interface MachineDeploymentOptions {
  readonly recheckMs: number;
}

export function machineDeploymentController(
  options: MachineDeploymentOptions,
): StepController<MachineDeployment, KubeWorld> {
  return {
    name: 'machinedeployment',
    kind: MachineDeployment,
    wokenBy: [
      { kind: MachineSet, keysFor: set => deploymentOf(set as MachineSet) },
      { kind: Machine, keysFor: machine => labelled(machine as Machine) },
      { kind: Cluster, keysFor: (cluster, world) => deploymentsOf(cluster as Cluster, world) },
    ],
    reads: [MachineSet, Machine, Cluster],
    always: [rollout(options), available(options)],
    deletion: deletion(options),
    paused: (deployment, world) => deployment.spec.paused === true || isPaused(deployment, world),
    pausesDeletion: isPaused,
  };
}

function deploymentOf(set: MachineSet): readonly ObjectKey[] {
  const owner = controllerOf(set);
  if (owner?.kind !== MachineDeployment.kind) return [];
  return [{ namespace: set.metadata.namespace ?? '', name: owner.name }];
}

function labelled(machine: Machine): readonly ObjectKey[] {
  const name = labelOf(machine, DEPLOYMENT_NAME_LABEL);
  return name === undefined ? [] : [{ namespace: machine.metadata.namespace ?? '', name }];
}

const deploymentsOf = ({ metadata }: Cluster, world: KubeWorld): readonly ObjectKey[] =>
  world.caches
    .of(MachineDeployment)
    .list(metadata.namespace)
    .filter(deployment => deployment.spec.clusterName === metadata.name)
    .map(keyOf);

function rollout(options: MachineDeploymentOptions): Step<MachineDeployment, KubeWorld> {
  return {
    condition: 'MachineSetReady',
    run: async (deployment, world) => {
      await belong(deployment, world);
      const sets = setsOf(deployment, world).filter(set => !isDeleting(set));
      const current = currentSet(deployment, sets);
      if (current === undefined) {
        await createSet(deployment, world);
        return wait(refTo(MachineDeployment, deployment), 'the MachineSet of this template', options.recheckMs);
      }
      for (const set of sets) await followDeployment(set, deployment, world);
      const old = sets.filter(set => set !== current);
      await resize(deployment, { current, old }, world);
      return settled(deployment, { current, old, options });
    },
  };
}

interface Sets {
  readonly current: MachineSet;
  readonly old: readonly MachineSet[];
}

async function resize(deployment: MachineDeployment, { current, old }: Sets, world: KubeWorld): Promise<void> {
  const plan = planOf({
    replicas: deployment.spec.replicas ?? 1,
    strategy: strategyOf(deployment.spec),
    current: sizeOf(current, world),
    old: old.map(set => sizeOf(set, world)),
  });
  await resizeSet(current, plan.current, world);
  for (const set of old) {
    await resizeSet(set, plan.old.get(set.metadata.name) ?? set.spec.replicas ?? 0, world);
    if (set.spec.replicas === 0 && set.status?.replicas === 0) await deleteSet(set, world);
  }
}

function sizeOf(set: MachineSet, world: KubeWorld): SetSize {
  return {
    name: set.metadata.name,
    wanted: set.spec.replicas ?? 1,
    available: set.status?.availableReplicas ?? 0,
    kept: keptMachinesOf(set, world),
  };
}

function settled(deployment: MachineDeployment, on: Sets & { readonly options: MachineDeploymentOptions }): Outcome {
  const replicas = deployment.spec.replicas ?? 1;
  const left = on.old.reduce((total, set) => total + (set.spec.replicas ?? 0), 0);
  const isOnDelete = strategyOf(deployment.spec).type === 'OnDelete';
  if (on.current.spec.replicas === replicas || (isOnDelete && left > 0)) return done();
  const what = `MachineSet ${on.current.metadata.name} to have ${replicas} Machines; ${left} are of earlier templates`;
  return wait(refTo(MachineSet, on.current), what, on.options.recheckMs, { reason: 'RollingOut' });
}

async function belong(deployment: MachineDeployment, world: KubeWorld): Promise<void> {
  const cluster = clusterOf(deployment, world);
  if (cluster === undefined) return;
  const labels = { [CLUSTER_NAME_LABEL]: deployment.spec.clusterName };
  await ensureBelongs(
    MachineDeployment,
    deployment,
    { owner: ownerReference(Cluster, cluster, 'owner'), labels },
    world,
  );
}

/** The counts over all sets, and whether enough machines are there. */
function available(options: MachineDeploymentOptions): Step<MachineDeployment, KubeWorld> {
  return {
    condition: 'Available',
    run: async (deployment, world) => {
      const sets = setsOf(deployment, world);
      const counts = countsOf(sets, currentSet(deployment, sets));
      const selector = selectorText(deployment.spec.selector ?? { matchLabels: deploymentLabels(deployment) });
      const observedGeneration = deployment.metadata.generation;
      const change: Change = {
        status: { ...counts, selector, observedGeneration, phase: phaseOf(deployment, counts) },
      };
      const held = availabilityOf(deployment, counts);
      if (held === undefined) return done(change);
      return wait(refTo(MachineDeployment, deployment), held, options.recheckMs, { reason: 'NotAvailable', change });
    },
  };
}

/** The sets go first, and with them their machines. */
function deletion(options: MachineDeploymentOptions): Deletion<MachineDeployment, KubeWorld> {
  return {
    finalizer: MACHINE_DEPLOYMENT_FINALIZER,
    run: async (deployment, world): Promise<Outcome> => {
      const { namespace = '', uid } = deployment.metadata;
      const { items } = await world.api.list(MachineSet, { namespace });
      const own = items.filter(set => controllerOf(set)?.uid === uid);
      for (const set of own.filter(candidate => !isDeleting(candidate))) await deleteSet(set, world);
      const [first] = own;
      if (first === undefined) return done();
      return wait(refTo(MachineSet, first), `MachineSet ${first.metadata.name} to go`, options.recheckMs);
    },
  };
}
