// Which remediations a change concerns: through the Machine that owns them, from wherever the change is.

import type { BareMetalHost } from '../../kinds/generated/bare-metal-host.generated.ts';
import { Machine } from '../../kinds/generated/machine.generated.ts';
import type { Metal3Machine } from '../../kinds/generated/metal3-machine.generated.ts';
import { type KubeObject, keyOf, type ObjectKey } from '../../kube/object.ts';
import { ownersOf } from '../../kube/owners.ts';
import { machineUsing } from '../host/consumer.ts';
import { cachedMachine, machinesRecording } from '../machine/machines.ts';
import type { MetalWorld } from '../world.ts';
import { powerOffUids } from './names.ts';
import { remediationOfUid, remediations, remediationsOf } from './remediations.ts';

export const ofMachine = (machine: KubeObject, world: MetalWorld): readonly ObjectKey[] =>
  remediationsOf(keyOf(machine), world);

export function ofMetal3Machine(object: KubeObject, world: MetalWorld): readonly ObjectKey[] {
  const { namespace = '' } = object.metadata;
  return ownersOf(object, Machine).flatMap(({ name }) => remediationsOf({ namespace, name }, world));
}

/** Hosts that are in use, on record, or kept off. */
export function ofHost(object: KubeObject, world: MetalWorld): readonly ObjectKey[] {
  const host = object as BareMetalHost;
  const user = machineUsing(host);
  const using = user === undefined ? undefined : cachedMachine(user, world);
  const machines: readonly Metal3Machine[] = [
    ...(using === undefined ? [] : [using]),
    ...machinesRecording(keyOf(host), world),
  ];
  const keptOffBy = powerOffUids(host.metadata.annotations).flatMap(uid => remediationOfUid(uid, world) ?? []);
  return [...machines.flatMap(machine => ofMetal3Machine(machine, world)), ...keptOffBy.map(keyOf)];
}

export function ofCluster(cluster: ObjectKey, world: MetalWorld): readonly ObjectKey[] {
  const { namespace = '', name } = cluster;
  const machines = world.caches.of(Machine);
  return remediations(world)
    .list(namespace)
    .filter(each =>
      ownersOf(each, Machine).some(owner => machines.get({ namespace, name: owner.name })?.spec.clusterName === name),
    )
    .map(keyOf);
}
