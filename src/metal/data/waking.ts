// What wakes a Data: everything it may wait for, and whatever it may have to let go of.

import { BareMetalHost } from '../../kinds/generated/bare-metal-host.generated.ts';
import { CapiIPAddress } from '../../kinds/generated/capi-ip-address.generated.ts';
import { Cluster } from '../../kinds/generated/cluster.generated.ts';
import { IPAddress } from '../../kinds/generated/ip-address.generated.ts';
import { IPAddressClaim } from '../../kinds/generated/ip-address-claim.generated.ts';
import { IPClaim } from '../../kinds/generated/ip-claim.generated.ts';
import { IPPool } from '../../kinds/generated/ip-pool.generated.ts';
import { Machine } from '../../kinds/generated/machine.generated.ts';
import { Metal3Data } from '../../kinds/generated/metal3-data.generated.ts';
import { Metal3DataClaim } from '../../kinds/generated/metal3-data-claim.generated.ts';
import { Metal3DataTemplate } from '../../kinds/generated/metal3-data-template.generated.ts';
import { Metal3Machine } from '../../kinds/generated/metal3-machine.generated.ts';
import { makersOf } from '../../kinds/made-for.ts';
import { CLAIM_LOST_ANNOTATION } from '../../kinds/metal-wire.ts';
import { changedBesidesStatus } from '../../kube/besides-status.ts';
import type { Informer } from '../../kube/cache.ts';
import type { KubeWorld, WokenBy } from '../../kube/controller.ts';
import type { Kind } from '../../kube/kind.ts';
import { isDeleting, type KubeObject, keyOf, keyText, type ObjectKey } from '../../kube/object.ts';
import { ownersOf } from '../../kube/owners.ts';
import { machineOwnerOf } from '../claim/claims.ts';
import { machinesBehind } from '../host/consumer.ts';
import {
  datasNamingClaim,
  datasNamingSecret,
  datasOfClaimUid,
  datasOfCluster,
  strandedDatasOfMachine,
  unreadyDatasOfMachine,
  unreadyDatasOfTemplate,
} from './datas.ts';
import { notedData } from './in-use.ts';
import { addressClaimsOfPool, dataKeysOf, LEASE_KINDS } from './leases.ts';
import { dataKeysOfAddress } from './lost-leases.ts';
import { hostNameOf } from './prerequisites.ts';
import { isHeldByUs } from './release.ts';
import { CLUSTER_SECRETS } from './secrets.ts';

type Keys = readonly ObjectKey[];
type Cached = Pick<KubeWorld, 'caches'>;

export const dataWakers: readonly WokenBy<KubeWorld>[] = [
  { kind: Metal3DataClaim, keysFor: datasOfClaim },
  {
    kind: Metal3DataTemplate,
    keysFor: (template, world) => unreadyDatasOfTemplate(keyOf(template), world).map(keyOf),
    matters: changedBesidesStatus,
  },
  { kind: Metal3Machine, keysFor: (machine, world) => datasOfMetal3Machine(machine as Metal3Machine, world) },
  { kind: Machine, keysFor: (machine, world) => datasOfMachine(machine as Machine, world) },
  { kind: BareMetalHost, keysFor: (host, world) => datasOfHost(host as BareMetalHost, world) },
  { kind: Cluster, keysFor: (cluster, world) => datasConcernedBy(cluster as Cluster, world) },
  { kind: IPClaim, keysFor: (lease, world) => datasOfHeldLease(IPClaim, lease, world) },
  { kind: IPAddressClaim, keysFor: (lease, world) => datasOfHeldLease(IPAddressClaim, lease, world) },
  {
    kind: IPAddress,
    keysFor: (address, world) => [
      ...datasOfLease(IPClaim, address, claimNameOf(address as IPAddress), world),
      ...(isLost(address) ? dataKeysOfAddress(address) : []),
    ],
  },
  {
    kind: CapiIPAddress,
    keysFor: (address, world) => [
      ...datasOfLease(IPAddressClaim, address, (address as CapiIPAddress).spec?.claimRef.name, world),
      ...(isLost(address) ? dataKeysOfAddress(address) : []),
    ],
  },
  {
    kind: IPPool,
    keysFor: (pool, world) => addressClaimsOfPool(keyOf(pool), world).flatMap(dataKeysOf),
    matters: changedBesidesStatus,
  },
  {
    kind: CLUSTER_SECRETS.of,
    selection: CLUSTER_SECRETS.selection,
    keysFor: (secret, world) => [
      ...ownerKeys(secret).filter(key => isThere(key, world) || isKept(secret, world)),
      ...datasNamingSecret(keyOf(secret), world).map(keyOf),
    ],
  },
];

/** At the start leases and secrets are there whose Data may be gone: each of those names is looked at (metal-S11). */
export const namesLeftBehind = ({ caches }: Cached): Keys => [
  ...LEASE_KINDS.flatMap(kind => caches.of(kind).list().flatMap(dataKeysOf)),
  ...caches.of(CLUSTER_SECRETS.of, CLUSTER_SECRETS.selection).list().flatMap(ownerKeys),
];

function datasOfClaim(claim: KubeObject, world: Cached): Keys {
  const named = [...datasOfClaimUid(claim.metadata.uid ?? '', world), ...datasNamingClaim(keyOf(claim), world)];
  const concerned = named.filter(data => !isSettled(data, claim, world));
  return [...concerned.map(keyOf), ...lostData(claim as Metal3DataClaim, world)];
}

/**
 * Kept by this very claim, and rendered, or on its way without any trouble: before the claim is gone there is nothing that
 * the Data has to do about it. One that waits for its claim hears of it all the same.
 */
function isSettled(data: Metal3Data, claim: KubeObject, { caches }: Cached): boolean {
  const { uid } = claim.metadata;
  const cached = caches.of(Metal3DataClaim).get(keyOf(claim));
  if (isDeleting(data) || cached === undefined || cached.metadata.uid !== uid) return false;
  if (!ownersOf(data, Metal3DataClaim).some(owner => owner.uid === uid)) return false;
  const { ready, errorMessage = '' } = data.status ?? {};
  const isNoted = notedData(cached)?.name === data.metadata.name && machineOwnerOf(cached) !== undefined;
  return ready === true || (isNoted && errorMessage === '');
}

const isThere = (data: ObjectKey, { caches }: Cached): boolean => caches.of(Metal3Data).get(data) !== undefined;

const isKept = (secret: KubeObject, { caches }: Cached): boolean => {
  const cached = caches.of(CLUSTER_SECRETS.of, CLUSTER_SECRETS.selection).get(keyOf(secret));
  return cached !== undefined && !isDeleting(cached);
};

/** Without its Data only a lease that is held for it still has to be looked at. */
function datasOfHeldLease(kind: Kind, lease: KubeObject, world: Cached): Keys {
  const object = world.caches.of(kind).get(keyOf(lease));
  const isHeld = object !== undefined && isHeldByUs({ kind, object });
  return dataKeysOf(lease).filter(key => isHeld || isThere(key, world));
}

/** The name of a Data that is gone, though somebody has noted it: its leases may be held for them. */
function lostData(noting: Metal3DataClaim | Metal3Machine, { caches }: Cached): Keys {
  const key = notedData(noting);
  return key === undefined || caches.of(Metal3Data).get(key) !== undefined ? [] : [key];
}

/** Those that wait for it to be rendered, those whose Claim is not there, and what is left of one that is gone. */
const datasOfMetal3Machine = (machine: Metal3Machine, world: Cached): Keys => [
  ...unreadyDatasOfMachine(keyOf(machine), world).map(keyOf),
  ...strandedDatasOfMachine(keyOf(machine), world).map(keyOf),
  ...lostData(machine, world),
];

/** What a host runs with, where it is held for its sake. */
function datasHeldFor(host: BareMetalHost, world: Cached): Keys {
  return machinesBehind(host).flatMap(user => {
    const machine = world.caches.of(Metal3Machine).get(user);
    const claim = world.caches.of(Metal3DataClaim).get(user);
    const noting = [machine, claim].filter(each => each !== undefined);
    return [...strandedDatasOfMachine(user, world).map(keyOf), ...noting.flatMap(each => lostData(each, world))];
  });
}

function datasOfMachine({ metadata, spec }: Machine, world: Cached): Keys {
  const { kind, name } = spec.infrastructureRef;
  const key = { namespace: metadata.namespace ?? '', name };
  return kind === Metal3Machine.kind ? unreadyDatasOfMachine(key, world).map(keyOf) : [];
}

const BY_HOST = 'metal.host';

function machinesOnHosts({ caches }: Cached): Informer<Metal3Machine> {
  const machines = caches.of(Metal3Machine);
  machines.index(BY_HOST, machine => {
    const name = hostNameOf(machine);
    return name === undefined ? [] : [keyText({ namespace: machine.metadata.namespace ?? '', name })];
  });
  return machines;
}

function datasOfHost(host: BareMetalHost, world: Cached): Keys {
  const machines = machinesOnHosts(world).by(BY_HOST, keyText(keyOf(host)));
  const unready = machines.flatMap(machine => unreadyDatasOfMachine(keyOf(machine), world)).map(keyOf);
  return [...unready, ...datasHeldFor(host, world)];
}

/** A pause concerns all of its Datas; anything else those that may wait for their Cluster. */
function datasConcernedBy(cluster: Cluster, world: Cached): Keys {
  const datas = datasOfCluster(keyOf(cluster), world);
  const isPaused = cluster.spec?.paused === true;
  return datas.filter(data => isPaused || data.status?.ready !== true).map(keyOf);
}

/** Its claim is gone, and it may be of a Data that makes one again. */
const isLost = ({ metadata }: KubeObject): boolean => metadata.annotations?.[CLAIM_LOST_ANNOTATION] !== undefined;

const claimNameOf = ({ spec }: IPAddress): string | undefined => spec?.claim.name;

/** An address that its lease does not name yet helps nobody: that the lease names it wakes the Data. */
function datasOfLease(kind: Kind, address: KubeObject, name: string | undefined, { caches }: Cached): Keys {
  const { namespace = '' } = address.metadata;
  const lease = name === undefined ? undefined : caches.of(kind).get({ namespace, name });
  return lease === undefined || addressNamedBy(lease) !== address.metadata.name ? [] : dataKeysOf(lease);
}

function addressNamedBy(lease: KubeObject): string | undefined {
  const { status } = lease as Pick<IPClaim & IPAddressClaim, 'status'>;
  return status?.address?.name ?? status?.addressRef?.name;
}

const ownerKeys = (secret: KubeObject): Keys =>
  makersOf(secret).map(({ name }) => ({ namespace: secret.metadata.namespace ?? '', name }));
