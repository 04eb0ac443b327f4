// Whether a remediation is left alone: by itself, by its Cluster, or because one of those that it would write to is.

import { Cluster } from '../../kinds/generated/cluster.generated.ts';
import { Machine } from '../../kinds/generated/machine.generated.ts';
import type { Metal3Remediation } from '../../kinds/generated/metal3-remediation.generated.ts';
import { clusterOf, isBeingMoved, pausedBy } from '../../kinds/pause.ts';
import type { KubeObject } from '../../kube/object.ts';
import { ownersOf } from '../../kube/owners.ts';
import { cachedHost, recordedHost } from '../host/hosts.ts';
import { cachedMachine } from '../machine/machines.ts';
import type { MetalWorld } from '../world.ts';

/** Reads caches only: what is not in them pauses nothing. */
export function pauseOf(remediation: Metal3Remediation, world: MetalWorld): string | undefined {
  const machine = machineOf(remediation, world);
  const cluster = clusterOf(remediation, world) ?? clusterOfMachine(machine, world);
  const own = pausedBy(remediation, cluster);
  if (own !== undefined) return own;
  for (const other of othersBehind(machine, world)) {
    const why = isBeingMoved(other) ? 'it is being moved' : pausedBy(other, undefined);
    if (why !== undefined) return `of ${other.kind} ${other.metadata.name}: ${why}`;
  }
  return undefined;
}

function machineOf(remediation: Metal3Remediation, { caches }: MetalWorld): Machine | undefined {
  const { namespace = '' } = remediation.metadata;
  const [owner] = ownersOf(remediation, Machine);
  const machine = owner === undefined ? undefined : caches.of(Machine).get({ namespace, name: owner.name });
  return machine?.metadata.uid === owner?.uid ? machine : undefined;
}

function clusterOfMachine(machine: Machine | undefined, { caches }: MetalWorld): Cluster | undefined {
  if (machine === undefined) return undefined;
  return caches.of(Cluster).get({ namespace: machine.metadata.namespace ?? '', name: machine.spec.clusterName });
}

function othersBehind(machine: Machine | undefined, world: MetalWorld): readonly KubeObject[] {
  if (machine === undefined) return [];
  const { namespace = '' } = machine.metadata;
  const metal3Machine = cachedMachine({ namespace, name: machine.spec.infrastructureRef.name }, world);
  const key = metal3Machine === undefined ? undefined : recordedHost(metal3Machine);
  const host = key === undefined ? undefined : cachedHost(key, world);
  return [machine, metal3Machine, host].filter(each => each !== undefined);
}
