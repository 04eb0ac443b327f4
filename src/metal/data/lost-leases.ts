// A lease of a rendered Data that was removed by force is made again, and asks for the very address that the host uses.

import { held } from '../../deletion/quiet-controller.ts';
import { CapiIPAddress } from '../../kinds/generated/capi-ip-address.generated.ts';
import { IPAddress } from '../../kinds/generated/ip-address.generated.ts';
import { IPAddressClaim } from '../../kinds/generated/ip-address-claim.generated.ts';
import { IPClaim } from '../../kinds/generated/ip-claim.generated.ts';
import type { Metal3Data } from '../../kinds/generated/metal3-data.generated.ts';
import { DATA_NAME_LABEL, dataNameOf, POOL_NAME_LABEL, REQUESTED_ADDRESS_ANNOTATION } from '../../kinds/metal-wire.ts';
import { refTo } from '../../kube/api.ts';
import type { Caches, Informer } from '../../kube/cache.ts';
import { conditionOf } from '../../kube/conditions.ts';
import type { KubeWorld } from '../../kube/controller.ts';
import type { Kind } from '../../kube/kind.ts';
import { annotationOf, type KubeObject, keyOf, keyText, labelOf, type ObjectKey } from '../../kube/object.ts';
import type { Wait } from '../../kube/outcome.ts';
import type { PoolReference } from '../rendering/index.ts';
import { addressClaimFor, ipClaimFor, type Lease, leasesOfDataName, ownerUidOf } from './leases.ts';
import { madeOrFound } from './made-lease.ts';

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

/** An address that is held, though the lease for it is not there. */
interface Lost extends Taken {
  readonly kind: Kind;
  readonly labels: Readonly<Record<string, string>>;
}

function lostAddresses(data: Metal3Data, { caches }: Cached): readonly Lost[] {
  const { namespace = '' } = data.metadata;
  return [[IPClaim, IPAddress] as const, [IPAddressClaim, CapiIPAddress] as const].flatMap(([kind, addressKind]) =>
    indexed(addressKind, { caches })
      .by(BY_DATA, keyText(keyOf(data)))
      .flatMap(object => {
        const what = taken(object);
        const isThere =
          what !== undefined && caches.of<KubeObject>(kind).get({ namespace, name: what.claim }) !== undefined;
        return what === undefined || isThere ? [] : [{ ...what, kind, labels: labelsOfName(object) }];
      }),
  );
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
    if (lost.kind === IPClaim) {
      await madeOrFound(IPClaim, asking(ipClaimFor(data, pool, { name, labels }), lost), data, world);
    } else await madeOrFound(IPAddressClaim, asking(addressClaimFor(data, pool), lost), data, world);
  }
  return unrestored(data, world);
}

/** A lease that is about to be made asks for the address that the one before it had, where that is held still. */
export function askingAgain<T extends KubeObject>(lease: T, data: Metal3Data, world: Cached): T {
  const lost = lostAddresses(data, world).find(
    each => each.kind.kind === lease.kind && each.claim === lease.metadata.name,
  );
  return lost === undefined ? lease : asking(lease, lost);
}

function asking<T extends KubeObject>(lease: T, { address }: Pick<Taken, 'address'>): T {
  const annotations = { ...lease.metadata.annotations, [REQUESTED_ADDRESS_ANNOTATION]: address };
  return { ...lease, metadata: { ...lease.metadata, annotations } };
}

/** One that was made again and does not get its address: another has it, or its pool gives it out no more. */
function unrestored(data: Metal3Data, { caches }: Cached): Wait | undefined {
  for (const lease of leasesOfDataName(keyOf(data), { caches })) {
    const { kind, object } = lease;
    const address = annotationOf(object, REQUESTED_ADDRESS_ANNOTATION);
    const why = address === undefined ? undefined : withoutIt(lease, address, caches);
    if (why === undefined || ownerUidOf(lease) !== data.metadata.uid) continue;
    const what = `${kind.kind} ${object.metadata.name} to get ${address} again, with which this was rendered: ${why}`;
    return held(refTo(kind, object), 'AddressLost', what);
  }
  return undefined;
}

/** Why a lease has not the address that it asks for; providers of other pools may not know how to ask. */
function withoutIt({ object }: Lease, address: string, caches: Caches): string | undefined {
  const ready = conditionOf(object, 'Ready');
  if (ready?.status === 'False') return ready.message;
  const given = (object as IPAddressClaim).status?.addressRef?.name ?? '';
  const { namespace = '' } = object.metadata;
  const got = given === '' ? undefined : caches.of(CapiIPAddress).get({ namespace, name: given })?.spec?.address;
  return got === undefined || got === address ? undefined : `it got ${got}`;
}
