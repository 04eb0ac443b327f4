// The address of each pool that a Data names: its lease is made, waited for and judged by UID (section 1, IP claims).

import { held, soon } from '../../deletion/quiet-controller.ts';
import { CapiIPAddress } from '../../kinds/generated/capi-ip-address.generated.ts';
import { IPAddress } from '../../kinds/generated/ip-address.generated.ts';
import { IPAddressClaim } from '../../kinds/generated/ip-address-claim.generated.ts';
import { IPClaim } from '../../kinds/generated/ip-claim.generated.ts';
import { IPPool } from '../../kinds/generated/ip-pool.generated.ts';
import type { Metal3Data } from '../../kinds/generated/metal3-data.generated.ts';
import { isMadeFor } from '../../kinds/made-for.ts';
import { METAL3_DATA_FINALIZER } from '../../kinds/metal-wire.ts';
import { type Ref, refTo } from '../../kube/api.ts';
import type { Caches } from '../../kube/cache.ts';
import { conditionOf } from '../../kube/conditions.ts';
import type { KubeWorld } from '../../kube/controller.ts';
import { takeOff } from '../../kube/finalizers.ts';
import { type Kind, resourceName } from '../../kube/kind.ts';
import { hasFinalizer, isDeleting, type KubeObject, keyOf } from '../../kube/object.ts';
import type { Wait } from '../../kube/outcome.ts';
import { dnsServersFor, type PoolAddress, type PoolReference } from '../rendering/index.ts';
import { addressRefused } from './errors.ts';
import { isSuccessor } from './in-use.ts';
import { addressClaimFor, ipClaimFor, isMetal3Pool, isNobodys, namedAfterData, namedAfterHost } from './leases.ts';
import { inherited } from './leases-kept.ts';
import { askingAgain } from './lost-leases.ts';
import { madeOrFound } from './made-lease.ts';

export interface Leasing {
  readonly data: Metal3Data;
  readonly host: string;
  /** `--enable-bmh-name-based-preallocation` */
  readonly hostNamedClaims: boolean;
}

export const isWait = (one: object): one is Wait => 'recheckMs' in one;

/** The address of one pool, or what it waits for. Throws where the claim was refused for good. */
export function addressOf(pool: PoolReference, leasing: Leasing, world: KubeWorld): Promise<PoolAddress | Wait> {
  const isOurs = isMetal3Pool(pool);
  const [claim, address] = isOurs ? [IPClaim, IPAddress] : [IPAddressClaim, CapiIPAddress];
  const missing = [claim, address].filter(kind => world.serves?.(kind) === false).map(resourceName);
  if (missing.length > 0) return Promise.resolve(notServed(claim, missing, { pool, leasing }));
  return isOurs ? fromIPClaim(pool, leasing, world) : fromAddressClaim(pool, leasing.data, world);
}

/** Whoever wants this pool has to have its definitions installed (metal-7.16); it goes on as soon as they are there. */
function notServed(kind: Kind, missing: readonly string[], { pool, leasing }: Wanted): Wait {
  const { namespace = '' } = leasing.data.metadata;
  const on: Ref = { kind, namespace, name: namedAfterData(leasing.data, pool.name).name };
  const template = leasing.data.spec?.template?.name ?? '';
  const why = `which ${pool.kind} ${pool.name} of Metal3DataTemplate ${template} needs, to be served on this cluster`;
  return held(on, 'KindNotServed', `${missing.join(' and ')}, ${why}`);
}

interface Wanted {
  readonly pool: PoolReference;
  readonly leasing: Leasing;
}

async function fromIPClaim(pool: PoolReference, leasing: Leasing, world: KubeWorld): Promise<PoolAddress | Wait> {
  const { data, host, hostNamedClaims } = leasing;
  const names = [namedAfterData(data, pool.name), namedAfterHost(data, host, pool.name)] as const;
  const { namespace = '' } = data.metadata;
  const cached = names.map(({ name }) => world.caches.of(IPClaim).get({ namespace, name }));
  const there = cached.filter(claim => claim !== undefined);
  const own = there.find(claim => isMadeFor(data, claim));
  if (own !== undefined) return addressOfIPClaim(own, world);
  const [another] = there;
  if (another !== undefined) {
    const ours = await inherited(IPClaim, another, data, world);
    return ours === undefined ? waitForAnother(IPClaim, another, world) : addressOfIPClaim(ours, world);
  }
  const earlier = world.caches.of(IPAddressClaim).get({ namespace, name: names[0].name });
  // Made through Cluster API's kind before: its address is in use, and a second one would be another.
  if (earlier !== undefined && isMadeFor(data, earlier)) return addressOfAddressClaim(earlier, world);
  const wanted = asBefore(ipClaimFor(data, pool, hostNamedClaims ? names[1] : names[0]), data, world);
  const made = await madeOrFound(IPClaim, wanted, data, world);
  return isWait(made) ? made : addressOfIPClaim(made, world);
}

/** Where the Data stands in for one that was removed by force, its host uses the address that is held (metal-S11). */
const asBefore = <T extends KubeObject>(lease: T, data: Metal3Data, world: KubeWorld): T =>
  isSuccessor(data, world) ? askingAgain(lease, data, world) : lease;

/** One that is being deleted is usable still: its address is held until the Data lets go (metal-S15). */
function addressOfIPClaim(claim: IPClaim, { caches }: KubeWorld): PoolAddress | Wait {
  const { namespace = '', name } = claim.metadata;
  const error = claim.status?.errorMessage ?? '';
  if (error !== '') throw addressRefused(name, error);
  const addressName = claim.status?.address?.name ?? '';
  if (addressName === '') return unserved(refTo(IPClaim, claim), claim);
  const on: Ref = { kind: IPAddress, namespace, name: addressName };
  const spec = caches.of(IPAddress).get(on)?.spec;
  if (spec === undefined) return soon(on, `IPAddress ${addressName}`);
  const { address, prefix, gateway, dnsServers = [] } = spec;
  return { address, dnsServers, ...optional({ prefix, gateway }) };
}

async function fromAddressClaim(pool: PoolReference, data: Metal3Data, world: KubeWorld): Promise<PoolAddress | Wait> {
  const wanted = addressClaimFor(data, pool);
  const cached = world.caches.of(IPAddressClaim).get(keyOf(wanted));
  if (cached !== undefined && !isMadeFor(data, cached)) {
    const ours = await inherited(IPAddressClaim, cached, data, world);
    return ours === undefined ? waitForAnother(IPAddressClaim, cached, world) : addressOfAddressClaim(ours, world);
  }
  const claim = cached ?? (await madeOrFound(IPAddressClaim, asBefore(wanted, data, world), data, world));
  return isWait(claim) ? claim : addressOfAddressClaim(claim, world);
}

function addressOfAddressClaim(claim: IPAddressClaim, { caches }: KubeWorld): PoolAddress | Wait {
  const { namespace = '', name } = claim.metadata;
  const on = refTo(IPAddressClaim, claim);
  // One that we hold on to stays usable, as the address of a host that was given it before (metal-S11).
  const isKept = hasFinalizer(claim, METAL3_DATA_FINALIZER) && claim.status?.addressRef?.name !== undefined;
  if (isDeleting(claim) && !isKept)
    return held(on, 'AddressClaimGoes', `IPAddressClaim ${name}, which is being deleted, to go`);
  const addressName = claim.status?.addressRef?.name ?? '';
  if (addressName === '') return unserved(on, claim);
  const onAddress: Ref = { kind: CapiIPAddress, namespace, name: addressName };
  const spec = caches.of(CapiIPAddress).get(onAddress)?.spec;
  if (spec === undefined) return soon(onAddress, `IPAddress ${addressName} of IPAddressClaim ${name}`);
  const { address, prefix, gateway } = spec;
  return { address, dnsServers: dnsServersOf(claim, address, caches), ...optional({ prefix, gateway }) };
}

/** Addresses of Cluster API carry no name servers; those of a pool of Metal3 have that pool's. */
function dnsServersOf({ metadata, spec }: IPAddressClaim, address: string, caches: Caches): readonly string[] {
  if (spec === undefined || !isMetal3Pool(spec.poolRef)) return [];
  const { namespace = '' } = metadata;
  return dnsServersFor(caches.of(IPPool).get({ namespace, name: spec.poolRef.name }), address);
}

/** A pool that has no more. */
const EXHAUSTED = 'PoolExhausted';

/** With the words of its own controller. An address that only others can free is no wait that ends by itself. */
function unserved(on: Ref, claim: KubeObject): Wait {
  const { status, reason, message = '' } = conditionOf(claim, 'Ready') ?? {};
  const why = status === 'False' && message !== '' ? `: ${message}` : '';
  const what = `the address of ${claim.kind} ${claim.metadata.name}${why}`;
  return status === 'False' && reason === EXHAUSTED ? held(on, EXHAUSTED, what) : soon(on, what);
}

function optional(fields: { prefix: number | undefined; gateway: string | undefined }): Partial<PoolAddress> {
  const { prefix, gateway } = fields;
  return { ...(prefix === undefined ? {} : { prefix }), ...(gateway === undefined ? {} : { gateway }) };
}

/**
 * The name of our lease is another Data's (metal-7.2), which lets go of it when it goes, or has it let go of by its name
 * when it is proved gone. Nobody would for one that is nobody's.
 */
async function waitForAnother(kind: Kind, claim: KubeObject, world: KubeWorld): Promise<Wait> {
  if (isNobodys(claim) && isDeleting(claim)) await takeOff(world.api, kind, claim, METAL3_DATA_FINALIZER);
  const { name, ownerReferences = [] } = claim.metadata;
  const [owner] = ownerReferences;
  const whose = owner === undefined ? 'nobody' : `${owner.kind} ${owner.name} (${owner.uid})`;
  return held(refTo(kind, claim), 'ClaimOfAnother', `${kind.kind} ${name}, which belongs to ${whose}, to go`);
}
