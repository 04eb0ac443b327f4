// Metal3Machines as the cache has them, and what stands around one: its Machine, its Cluster, its Metal3Cluster.

import { Cluster } from '../../kinds/generated/cluster.generated.ts';
import { Machine } from '../../kinds/generated/machine.generated.ts';
import { Metal3Cluster } from '../../kinds/generated/metal3-cluster.generated.ts';
import { Metal3Machine } from '../../kinds/generated/metal3-machine.generated.ts';
import { isBeingMoved, pausedBy } from '../../kinds/pause.ts';
import { CLUSTER_NAME_LABEL } from '../../kinds/wire.ts';
import type { Informer } from '../../kube/cache.ts';
import type { KubeWorld } from '../../kube/controller.ts';
import { isDeleting, keyText, labelOf, type ObjectKey } from '../../kube/object.ts';
import { ownersOf } from '../../kube/owners.ts';
import { recordedHost } from '../host/hosts.ts';

const BY_CLUSTER = 'metal.machine.cluster';
const BY_HOST = 'metal.machine.host';
const HOSTLESS = 'metal.machine.hostless';

type Cached = Pick<KubeWorld, 'caches'>;

function indexed({ caches }: Cached): Informer<Metal3Machine> {
  const machines = caches.of(Metal3Machine);
  machines.index(BY_CLUSTER, machine => {
    const { namespace = '' } = machine.metadata;
    return [keyText({ namespace, name: labelOf(machine, CLUSTER_NAME_LABEL) ?? '' })];
  });
  machines.index(BY_HOST, machine => {
    const host = recordedHost(machine);
    return host === undefined ? [] : [keyText(host)];
  });
  machines.index(HOSTLESS, machine =>
    recordedHost(machine) === undefined && !isDeleting(machine) ? [machine.metadata.namespace ?? ''] : [],
  );
  return machines;
}

export const cachedMachine = (key: ObjectKey, world: Cached): Metal3Machine | undefined => indexed(world).get(key);

/** Machines of a Cluster, and those whose label names none: they may be of this one all the same. */
export const machinesOfCluster = ({ namespace = '', name }: ObjectKey, world: Cached): readonly Metal3Machine[] => [
  ...indexed(world).by(BY_CLUSTER, keyText({ namespace, name })),
  ...indexed(world).by(BY_CLUSTER, keyText({ namespace, name: '' })),
];

/** Machines that have this host on record, reserved or not. */
export const machinesRecording = (host: ObjectKey, world: Cached): readonly Metal3Machine[] =>
  indexed(world).by(BY_HOST, keyText(host));

/** Machines that may wait for a host. */
export const hostlessMachines = (namespace: string, world: Cached): readonly Metal3Machine[] =>
  indexed(world).by(HOSTLESS, namespace);

/** The Machine that owns this one: by UID, for its name may be another's by now. */
export function ownerMachine(machine: Metal3Machine, { caches }: Cached): Machine | undefined {
  const [owner] = ownersOf(machine, Machine);
  if (owner === undefined) return undefined;
  const found = caches.of(Machine).get({ namespace: machine.metadata.namespace ?? '', name: owner.name });
  return found?.metadata.uid === owner.uid ? found : undefined;
}

/** Its Cluster's key: by its own label, or by its Machine where it has none. */
export function clusterKeyOf(machine: Metal3Machine, world: Cached): ObjectKey | undefined {
  const name = labelOf(machine, CLUSTER_NAME_LABEL) ?? ownerMachine(machine, world)?.spec.clusterName;
  return name === undefined ? undefined : { namespace: machine.metadata.namespace ?? '', name };
}

export function clusterOfMachine(machine: Metal3Machine, world: Cached): Cluster | undefined {
  const key = clusterKeyOf(machine, world);
  return key === undefined ? undefined : world.caches.of(Cluster).get(key);
}

/** Nothing is written for it, whatever happens around it. */
export const isLeftAlone = (machine: Metal3Machine, world: Cached): boolean =>
  isBeingMoved(machine) || pausedBy(machine, clusterOfMachine(machine, world)) !== undefined;

export function metal3ClusterOf(cluster: Cluster, { caches }: Cached): Metal3Cluster | undefined {
  const { namespace = '' } = cluster.metadata;
  const name = cluster.spec?.infrastructureRef?.name;
  return name === undefined ? undefined : caches.of(Metal3Cluster).get({ namespace, name });
}

export const isProvisionedMachine = ({ spec, status }: Metal3Machine): boolean =>
  spec?.providerID !== undefined && status?.initialization?.provisioned === true;
