// A lease of a rendered Data that was removed by force is made again, and asks for the very address that the host uses.

import { held } from '../../deletion/quiet-controller.ts';
import { CapiIPAddress } from '../../kinds/generated/capi-ip-address.generated.ts';
import { IPAddress } from '../../kinds/generated/ip-address.generated.ts';
import { IPAddressClaim } from '../../kinds/generated/ip-address-claim.generated.ts';
import { IPClaim } from '../../kinds/generated/ip-claim.generated.ts';
import type { Metal3Data } from '../../kinds/generated/metal3-data.generated.ts';
import { isMadeFor } from '../../kinds/made-for.ts';
import { DATA_NAME_LABEL, dataNameOf, POOL_NAME_LABEL, REQUESTED_ADDRESS_ANNOTATION } from '../../kinds/metal-wire.ts';
import { refTo } from '../../kube/api.ts';
import type { Caches, Informer } from '../../kube/cache.ts';
import { conditionOf } from '../../kube/conditions.ts';
import type { KubeWorld } from '../../kube/controller.ts';
import type { Kind } from '../../kube/kind.ts';
import { annotationOf, type KubeObject, keyOf, keyText, labelOf, type ObjectKey } from '../../kube/object.ts';
import type { Wait } from '../../kube/outcome.ts';
import type { PoolReference } from '../rendering/index.ts';
import { type Given, notedOn } from './given-addresses.ts';
import { addressClaimFor, ipClaimFor, type Lease, leasesOfDataName, ownerUidOf } from './leases.ts';
import { madeOrFound } from './made-lease.ts';
import { secretsOfDataName } from './secrets.ts';

const BY_DATA = 'metal.data';

type Cached = Pick<KubeWorld, 'caches'>;

/** What an address says of itself, of whichever kind. */
interface Taken {
  readonly claim: string;
  readonly pool: PoolReference;
  readonly address: string;
}

function taken(object: KubeObject): Taken | undefined {
  const { spec } = object as IPAddress | CapiIPAddress;
  if (spec === undefined) return undefined;
  if ('poolRef' in spec) {
    const { name, kind, apiGroup = '' } = spec.poolRef;
    return { claim: spec.claimRef.name, pool: { name, kind, apiGroup }, address: spec.address };
  }
  const pool = { name: spec.pool.name ?? '', kind: 'IPPool', apiGroup: IPClaim.group };
  return { claim: spec.claim.name ?? '', pool, address: spec.address };
}

function indexed(kind: Kind, { caches }: Cached): Informer<KubeObject> {
  const addresses = caches.of(kind);
  addresses.index(BY_DATA, address => dataKeysOfAddress(address).map(keyText));
  return addresses;
}

/** The Data that an address is for: by the label that it has of its claim, or by the claim's name, `<data>-<pool>`. */
export function dataKeysOfAddress(address: KubeObject): readonly ObjectKey[] {
  const { namespace = '', labels } = address.metadata;
  const { claim = '', pool } = taken(address) ?? {};
  const name = dataNameOf(labels, claim, pool?.name ?? '');
  return name === '' ? [] : [{ namespace, name }];
}

/** Addresses that are held for leases of this Data's name, whether those are there or not. */
function heldAddresses(data: Metal3Data, world: Cached): readonly Given[] {
  const kinds = [[IPClaim, IPAddress] as const, [IPAddressClaim, CapiIPAddress] as const];
  return kinds.flatMap(([{ kind: claimKind }, addressKind]) =>
    indexed(addressKind, world)
      .by(BY_DATA, keyText(keyOf(data)))
      .flatMap(object => {
        const what = taken(object);
        return what === undefined ? [] : [{ ...what, claimKind, labels: labelsOfName(object) }];
      }),
  );
}

const isFor = (one: Given, kind: string, claim: string): boolean => one.claimKind === kind && one.claim === claim;

/** What a Data is about to be rendered with: the addresses of its own leases. */
export function givenAddresses(data: Metal3Data, world: Cached): readonly Given[] {
  const own = leasesOfDataName(keyOf(data), world).filter(lease => ownerUidOf(lease) === data.metadata.uid);
  return heldAddresses(data, world).filter(given =>
    own.some(({ kind, object }) => isFor(given, kind.kind, object.metadata.name)),
  );
}

/** What it was rendered with, as its secrets note it. */
function renderedWith(data: Metal3Data, world: Cached): readonly Given[] {
  const own = secretsOfDataName(keyOf(data), world).filter(secret => isMadeFor(data, secret));
  return notedOn(own);
}

/** Addresses whose lease is not there: they are held still, or only the secrets know of them. */
function lostAddresses(data: Metal3Data, world: Cached): readonly Given[] {
  const { namespace = '' } = data.metadata;
  const held = heldAddresses(data, world);
  const noted = renderedWith(data, world).filter(
    given => !held.some(each => isFor(each, given.claimKind, given.claim)),
  );
  return [...held, ...noted].filter(({ claimKind, claim }) => {
    const kind: Kind = claimKind === IPClaim.kind ? IPClaim : IPAddressClaim;
    return world.caches.of(kind).get({ namespace, name: claim }) === undefined;
  });
}

/** The labels of a lease that is named after its host. */
function labelsOfName(address: KubeObject): Readonly<Record<string, string>> {
  const [data, pool] = [labelOf(address, DATA_NAME_LABEL), labelOf(address, POOL_NAME_LABEL)];
  return data === undefined || pool === undefined ? {} : { [DATA_NAME_LABEL]: data, [POOL_NAME_LABEL]: pool };
}

/** The address manager keeps an address whose claim is lost: its object tells which it was. */
export async function restoreLeases(data: Metal3Data, world: KubeWorld): Promise<Wait | undefined> {
  for (const lost of lostAddresses(data, world)) {
    const { claim: name, pool, labels } = lost;
    if (lost.claimKind === IPClaim.kind) {
      await madeOrFound(IPClaim, asking(ipClaimFor(data, pool, { name, labels }), lost), data, world);
    } else await madeOrFound(IPAddressClaim, asking(addressClaimFor(data, pool), lost), data, world);
  }
  return unrestored(data, world);
}

/** A lease that is about to be made asks for the address that the one before it had, where that is held still. */
export function askingAgain<T extends KubeObject>(lease: T, data: Metal3Data, world: Cached): T {
  const lost = lostAddresses(data, world).find(each => isFor(each, lease.kind, lease.metadata.name));
  return lost === undefined ? lease : asking(lease, lost);
}

function asking<T extends KubeObject>(lease: T, { address }: Pick<Taken, 'address'>): T {
  const annotations = { ...lease.metadata.annotations, [REQUESTED_ADDRESS_ANNOTATION]: address };
  return { ...lease, metadata: { ...lease.metadata, annotations } };
}

/** One that was made again and does not get its address: another has it, or its pool gives it out no more. */
function unrestored(data: Metal3Data, { caches }: Cached): Wait | undefined {
  const noted = renderedWith(data, { caches });
  for (const lease of leasesOfDataName(keyOf(data), { caches })) {
    const { kind, object } = lease;
    const rendered = noted.find(each => isFor(each, kind.kind, object.metadata.name));
    const address = annotationOf(object, REQUESTED_ADDRESS_ANNOTATION) ?? rendered?.address;
    const why = address === undefined ? undefined : withoutIt(lease, address, caches);
    if (why === undefined || ownerUidOf(lease) !== data.metadata.uid) continue;
    const what = `${kind.kind} ${object.metadata.name} to get ${address} again, with which this was rendered: ${why}`;
    return held(refTo(kind, object), 'AddressLost', what);
  }
  return undefined;
}

/** Why a lease has not the address that it asks for; providers of other pools may not know how to ask. */
function withoutIt({ object }: Lease, address: string, caches: Caches): string | undefined {
  const { namespace = '' } = object.metadata;
  const { address: own, addressRef } = (object as Pick<IPClaim & IPAddressClaim, 'status'>).status ?? {};
  const kind: Kind<KubeObject> = own === undefined ? CapiIPAddress : IPAddress;
  const given = caches.of(kind).get({ namespace, name: own?.name ?? addressRef?.name ?? '' });
  const got = given === undefined ? undefined : taken(given)?.address;
  if (got === address) return undefined;
  const ready = conditionOf(object, 'Ready');
  if (ready?.status === 'False') return ready.message;
  return got === undefined ? undefined : `it got ${got}`;
}
