// Hosts as the cache has them: by the machine they are reserved for, those that nobody uses, and the one a machine names.

import { BareMetalHost } from '../../kinds/generated/bare-metal-host.generated.ts';
import type { Metal3Machine } from '../../kinds/generated/metal3-machine.generated.ts';
import { HOST_ANNOTATION } from '../../kinds/metal-wire.ts';
import type { Informer } from '../../kube/cache.ts';
import type { KubeWorld } from '../../kube/controller.ts';
import { annotationOf, isDeleting, keyText, type ObjectKey } from '../../kube/object.ts';
import { clusterKeeping, machinesOfData, machineUsing } from './consumer.ts';

const BY_MACHINE = 'metal.machine';
const BY_KEEPING_CLUSTER = 'metal.keeping-cluster';
const UNUSED = 'metal.unused';
const BY_UID = 'metal.uid';
const BY_DATA = 'metal.data-of';

type Cached = Pick<KubeWorld, 'caches'>;

function indexed({ caches }: Cached): Informer<BareMetalHost> {
  const hosts = caches.of(BareMetalHost);
  hosts.index(BY_MACHINE, host => texts(machineUsing(host)));
  hosts.index(BY_KEEPING_CLUSTER, host => texts(clusterKeeping(host)));
  hosts.index(UNUSED, host => (isUnused(host) ? [host.metadata.namespace ?? ''] : []));
  hosts.index(BY_DATA, host => machinesOfData(host).map(keyText));
  hosts.index(BY_UID, ({ metadata: { uid } }) => (uid === undefined ? [] : [uid]));
  return hosts;
}

const texts = (key: ObjectKey | undefined): readonly string[] => (key === undefined ? [] : [keyText(key)]);

/** Nobody uses it, or a Cluster keeps it for a machine to come. */
export const isUnused = (host: BareMetalHost): boolean =>
  !isDeleting(host) && (host.spec?.consumerRef === undefined || clusterKeeping(host) !== undefined);

/** Hosts whose consumerRef names this machine: one, unless somebody wrote a second. */
export const hostsReservedFor = (machine: ObjectKey, world: Cached): readonly BareMetalHost[] =>
  indexed(world).by(BY_MACHINE, keyText(machine));

/** Hosts that are given data which was rendered for a machine of this name. */
export const hostsWithDataOf = (machine: ObjectKey, world: Cached): readonly BareMetalHost[] =>
  indexed(world).by(BY_DATA, keyText(machine));

export const hostsKeptBy = (cluster: ObjectKey, world: Cached): readonly BareMetalHost[] =>
  indexed(world).by(BY_KEEPING_CLUSTER, keyText(cluster));

export const unusedHosts = (namespace: string, world: Cached): readonly BareMetalHost[] =>
  indexed(world).by(UNUSED, namespace);

export const hostOfUid = (uid: string, world: Cached): BareMetalHost | undefined => indexed(world).by(BY_UID, uid)[0];

export const cachedHost = (key: ObjectKey, world: Cached): BareMetalHost | undefined => indexed(world).get(key);

/** The host that a machine has on record. It is always in the machine's own namespace: the annotation's is not read. */
export function recordedHost(machine: Metal3Machine): ObjectKey | undefined {
  const name = annotationOf(machine, HOST_ANNOTATION)?.split('/').at(-1) ?? '';
  return name === '' ? undefined : { namespace: machine.metadata.namespace ?? '', name };
}

export const hostRecord = ({ metadata: { namespace, name } }: BareMetalHost): string => `${namespace}/${name}`;
