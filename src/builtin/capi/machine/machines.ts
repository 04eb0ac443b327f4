// Machines as the cache has them, found by what points at them: Cluster, owner, Node, provider id.

import { Machine } from '../../../kinds/generated/machine.generated.ts';
import type { Informer } from '../../../kube/cache.ts';
import type { KubeWorld } from '../../../kube/controller.ts';
import { controllerOf, isDeleting, type KubeObject, keyOf, type ObjectKey } from '../../../kube/object.ts';

const BY_CLUSTER = 'capi.cluster';
const BY_CONTROLLER = 'capi.controller';
const BY_NODE = 'capi.node';
const BY_PROVIDER_ID = 'capi.providerID';

function indexed(world: KubeWorld): Informer<Machine> {
  const machines = world.caches.of(Machine);
  machines.index(BY_CLUSTER, machine => [`${machine.metadata.namespace ?? ''}/${machine.spec.clusterName}`]);
  machines.index(BY_CONTROLLER, machine => some(controllerOf(machine)?.uid));
  machines.index(BY_NODE, machine => some(machine.status?.nodeRef?.name));
  machines.index(BY_PROVIDER_ID, machine => some(machine.spec.providerID));
  return machines;
}

const some = (value: string | undefined): readonly string[] => (value === undefined || value === '' ? [] : [value]);

export const machinesOfCluster = (namespace: string, name: string, world: KubeWorld): readonly Machine[] =>
  indexed(world).by(BY_CLUSTER, `${namespace}/${name}`);

/** The Machines that this object acts for, sorted by name so that every decision over them repeats. */
export const machinesControlledBy = (uid: string, world: KubeWorld): readonly Machine[] =>
  [...indexed(world).by(BY_CONTROLLER, uid)].sort((one, other) => (one.metadata.name < other.metadata.name ? -1 : 1));

interface NodeLike extends KubeObject {
  readonly spec?: { readonly providerID?: string };
}

/** Machines that a change of this Node concerns: those bound to it, and those that wait for its provider id. */
export function machinesOfNode(node: NodeLike, world: KubeWorld): readonly ObjectKey[] {
  const machines = indexed(world);
  const waiting = some(node.spec?.providerID).flatMap(id => machines.by(BY_PROVIDER_ID, id));
  return [...machines.by(BY_NODE, node.metadata.name), ...waiting].map(keyOf);
}

interface PodLike extends KubeObject {
  readonly spec?: { readonly nodeName?: string };
}

/** Machines that are being taken apart and whose drain this Pod may hold up. */
export function drainingMachinesOf(pod: PodLike, world: KubeWorld): readonly ObjectKey[] {
  const machines = indexed(world);
  return some(pod.spec?.nodeName)
    .flatMap(name => machines.by(BY_NODE, name))
    .filter(isDeleting)
    .map(keyOf);
}
