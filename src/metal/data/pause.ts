// Whether a Data is paused: by itself, or by its Cluster, however that is known.

import { Cluster } from '../../kinds/generated/cluster.generated.ts';
import { Machine } from '../../kinds/generated/machine.generated.ts';
import type { Metal3Data } from '../../kinds/generated/metal3-data.generated.ts';
import { Metal3Machine } from '../../kinds/generated/metal3-machine.generated.ts';
import { clusterOf, pausedBy } from '../../kinds/pause.ts';
import type { KubeWorld } from '../../kube/controller.ts';
import { ownersOf } from '../../kube/owners.ts';

export const pauseOfData = (data: Metal3Data, world: KubeWorld): string | undefined =>
  pausedBy(data, clusterOf(data, world) ?? clusterOfMachines(data, world));

/** Objects of before bear no label: their machines know the Cluster (metal-G15). */
function clusterOfMachines(data: Metal3Data, { caches }: Pick<KubeWorld, 'caches'>): Cluster | undefined {
  const { namespace = '' } = data.metadata;
  const [owner] = ownersOf(data, Metal3Machine);
  const metal3Machine = owner === undefined ? undefined : caches.of(Metal3Machine).get({ namespace, name: owner.name });
  if (metal3Machine === undefined) return undefined;
  const labelled = clusterOf(metal3Machine, { caches });
  const [machineOwner] = ownersOf(metal3Machine, Machine);
  if (labelled !== undefined || machineOwner === undefined) return labelled;
  const machine = caches.of(Machine).get({ namespace, name: machineOwner.name });
  return machine === undefined ? undefined : caches.of(Cluster).get({ namespace, name: machine.spec.clusterName });
}
