// Takes a Cluster apart: workers first, then the control plane, then what they shared. Each waits for the one before.

import { type Stage, stages } from '../../../deletion/stages.ts';
import type { Cluster } from '../../../kinds/generated/cluster.generated.ts';
import { Machine } from '../../../kinds/generated/machine.generated.ts';
import { MachineDeployment } from '../../../kinds/generated/machine-deployment.generated.ts';
import { MachineSet } from '../../../kinds/generated/machine-set.generated.ts';
import { refTo } from '../../../kube/api.ts';
import type { Deletion, KubeWorld } from '../../../kube/controller.ts';
import type { Kind } from '../../../kube/kind.ts';
import { isDeleting, type KubeObject, labelOf } from '../../../kube/object.ts';
import { done, type Outcome, wait } from '../../../kube/outcome.ts';
import { deleteThis } from '../../overtaken.ts';
import { CLUSTER_FINALIZER, CONTROL_PLANE_LABEL } from '../names.ts';
import { deleteProviderObject } from '../provider/removal.ts';
import type { ClusterOptions } from './controller.ts';

interface OfCluster extends KubeObject {
  readonly spec: { readonly clusterName: string };
}

export function clusterDeletion(options: ClusterOptions): Deletion<Cluster, KubeWorld> {
  const all =
    <T extends OfCluster>(kind: Kind<T>, isMeant: (object: T) => boolean = () => true) =>
    async (cluster: Cluster, world: KubeWorld): Promise<Outcome> =>
      deleteAll({ kind, isMeant }, cluster, { world, options });
  const isControlPlane = (machine: Machine): boolean => labelOf(machine, CONTROL_PLANE_LABEL) !== undefined;

  const order: readonly Stage<Cluster, KubeWorld>[] = [
    ['WaitingForMachineDeploymentDeletion', all<MachineDeployment>(MachineDeployment)],
    ['WaitingForMachineSetDeletion', all<MachineSet>(MachineSet)],
    ['WaitingForWorkersDeletion', all<Machine>(Machine, machine => !isControlPlane(machine))],
    ['WaitingForControlPlaneDeletion', (cluster, world) => referenced(cluster, 'controlPlaneRef', { world, options })],
    ['WaitingForControlPlaneMachinesDeletion', all<Machine>(Machine, isControlPlane)],
    [
      'WaitingForInfrastructureDeletion',
      (cluster, world) => referenced(cluster, 'infrastructureRef', { world, options }),
    ],
  ];
  return { finalizer: CLUSTER_FINALIZER, run: stages(order) };
}

interface On {
  readonly world: KubeWorld;
  readonly options: ClusterOptions;
}

/** Read live and whole: what the cache does not have yet would outlive its Cluster. */
async function deleteAll<T extends OfCluster>(
  what: { readonly kind: Kind<T>; readonly isMeant: (object: T) => boolean },
  cluster: Cluster,
  { world, options }: On,
): Promise<Outcome> {
  const { namespace = '', name } = cluster.metadata;
  const { items } = await world.api.list(what.kind, { namespace });
  const own = items.filter(object => object.spec.clusterName === name && what.isMeant(object));
  for (const object of own.filter(candidate => !isDeleting(candidate))) await deleteThis(what.kind, object, world.api);
  const [first] = own;
  if (first === undefined) return done();
  const names = own.slice(0, 5).map(object => object.metadata.name);
  return wait(
    refTo(what.kind, first),
    `${own.length} ${what.kind.plural} to go: ${names.join(', ')}`,
    options.recheckMs,
  );
}

async function referenced(cluster: Cluster, field: 'controlPlaneRef' | 'infrastructureRef', on: On): Promise<Outcome> {
  const reference = cluster.spec?.[field];
  if (reference === undefined) return done();
  return deleteProviderObject(cluster, reference, { world: on.world, ...on.options });
}
