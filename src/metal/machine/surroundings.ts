// The gates before a machine gets a host: its Machine, a Cluster whose infrastructure is ready, and bootstrap data.

import { seconds } from '../../base/clock.ts';
import { Cluster } from '../../kinds/generated/cluster.generated.ts';
import { Machine } from '../../kinds/generated/machine.generated.ts';
import { Metal3Cluster } from '../../kinds/generated/metal3-cluster.generated.ts';
import type { Metal3Machine } from '../../kinds/generated/metal3-machine.generated.ts';
import { isTrue } from '../../kube/conditions.ts';
import type { KubeWorld } from '../../kube/controller.ts';
import { type Wait, wait } from '../../kube/outcome.ts';
import { ownersOf } from '../../kube/owners.ts';
import { isProvisionedMachine, metal3ClusterOf, ownerMachine } from './machines.ts';

export const RECHECK_MS = seconds(30);

export interface Surroundings {
  readonly machine: Machine;
  readonly cluster: Cluster;
  readonly metal3Cluster: Metal3Cluster;
}

/** All that a machine stands on, or a wait for what is missing. Deletion never asks for it (metal-G12). */
export function surroundingsOf(machine: Metal3Machine, world: Pick<KubeWorld, 'caches'>): Surroundings | Wait {
  const { namespace = '' } = machine.metadata;
  const owner = ownerMachine(machine, world);
  if (owner === undefined) return noOwner(machine);
  const clusterKey = { namespace, name: owner.spec.clusterName };
  const cluster = world.caches.of(Cluster).get(clusterKey);
  const on = { kind: Cluster, ...clusterKey };
  const infrastructure = 'WaitingForClusterInfrastructureReady';
  if (cluster === undefined) return wait(on, `Cluster ${clusterKey.name}`, RECHECK_MS, { reason: infrastructure });
  // The pause may have come after this pass had begun, as it does where objects of a move arrive (metal-7.13).
  if (cluster.spec?.paused === true) return wait(on, `Cluster ${clusterKey.name} not to be paused`, RECHECK_MS);
  if (!isInfrastructureReady(cluster)) {
    const what = `the infrastructure of Cluster ${clusterKey.name} to be ready`;
    return wait(on, what, RECHECK_MS, { reason: infrastructure });
  }
  const metal3Cluster = metal3ClusterOf(cluster, world);
  if (metal3Cluster === undefined) return noMetal3Cluster(cluster);
  return isProvisionedMachine(machine) || hasBootstrapData(owner)
    ? { machine: owner, cluster, metal3Cluster }
    : noBootstrapData(owner);
}

export const isMissing = (around: Surroundings | Wait): around is Wait => 'kind' in around;

function noOwner(machine: Metal3Machine): Wait {
  const { namespace = '', name } = machine.metadata;
  const [owner] = ownersOf(machine, Machine);
  const what = owner === undefined ? 'a Machine to own this object' : `Machine ${owner.name}, which owns this object`;
  const on = { kind: Machine, namespace, name: owner?.name ?? name };
  return wait(on, what, RECHECK_MS, { reason: 'WaitingForMetal3MachineOwnerRef' });
}

function noMetal3Cluster({ metadata: { namespace = '', name }, spec }: Cluster): Wait {
  const on = { kind: Metal3Cluster, namespace, name: spec?.infrastructureRef?.name ?? name };
  return wait(on, `Metal3Cluster ${on.name}`, RECHECK_MS, { reason: 'WaitingforMetal3Cluster' });
}

function noBootstrapData({ metadata: { namespace = '', name } }: Machine): Wait {
  const what = `the bootstrap data of Machine ${name}`;
  return wait({ kind: Machine, namespace, name }, what, RECHECK_MS, { reason: 'WaitingForBootstrapData' });
}

/** Cluster API's core says it in one of three spellings, by its version. */
function isInfrastructureReady(cluster: Cluster): boolean {
  const { initialization, infrastructureReady } = cluster.status ?? {};
  return (
    initialization?.infrastructureProvisioned === true ||
    infrastructureReady === true ||
    isTrue(cluster, 'InfrastructureReady')
  );
}

/** An empty name is an answer too: nobody has any data for this machine. */
function hasBootstrapData(machine: Machine): boolean {
  const { configRef, dataSecretName } = machine.spec.bootstrap;
  if (configRef === undefined) return dataSecretName !== undefined;
  return (
    (dataSecretName ?? '') !== '' ||
    machine.status?.initialization?.bootstrapDataSecretCreated === true ||
    isTrue(machine, 'BootstrapConfigReady') ||
    isTrue(machine, 'BootstrapReady')
  );
}
