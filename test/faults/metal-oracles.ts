// What must hold of a bare-metal fleet whatever fails: what a finalizer protected is gone when it goes, and no address is given twice.

import { BareMetalHost } from '../../src/kinds/generated/bare-metal-host.generated.ts';
import { CapiIPAddress } from '../../src/kinds/generated/capi-ip-address.generated.ts';
import { IPAddress } from '../../src/kinds/generated/ip-address.generated.ts';
import { IPAddressClaim } from '../../src/kinds/generated/ip-address-claim.generated.ts';
import { IPClaim } from '../../src/kinds/generated/ip-claim.generated.ts';
import { IPPool } from '../../src/kinds/generated/ip-pool.generated.ts';
import { Metal3Data } from '../../src/kinds/generated/metal3-data.generated.ts';
import { Metal3DataClaim } from '../../src/kinds/generated/metal3-data-claim.generated.ts';
import { Metal3DataTemplate } from '../../src/kinds/generated/metal3-data-template.generated.ts';
import { Metal3Machine } from '../../src/kinds/generated/metal3-machine.generated.ts';
import {
  CAPI_IP_ADDRESS_FINALIZER,
  IP_ADDRESS_FINALIZER,
  IP_POOL_FINALIZER,
  METAL3_DATA_FINALIZER,
  METAL3_DATA_TEMPLATE_FINALIZER,
  METAL3_MACHINE_FINALIZER,
} from '../../src/kinds/metal-wire.ts';
import { hasFinalizer, isDeleting, type KubeObject } from '../../src/kube/object.ts';
import type { metalView } from '../world/metal/view.ts';
import { claimNameOf, heldText, type Installed, lookAtHosts, uses } from './metal/installed.ts';

type View = ReturnType<typeof metalView>;
type Late = ReadonlySet<string | undefined>;
type Oracle = (before: KubeObject, view: View, late: Late) => string | undefined;

/** By kind and finalizer: what the object's going without it would leave behind. */
const ORACLES: Readonly<Record<string, Oracle>> = {
  [`Metal3Machine ${METAL3_MACHINE_FINALIZER}`]: hostInUse,
  [`Metal3Data ${METAL3_DATA_FINALIZER}`]: leaseHeld,
  [`Metal3DataTemplate ${METAL3_DATA_TEMPLATE_FINALIZER}`]: dataLeft,
  [`IPPool ${IP_POOL_FINALIZER}`]: addressLeft,
};

/** Told of every write that changed an object; `after` is undefined when it is gone. */
export function judgeMetalWrite(
  before: KubeObject,
  after: KubeObject | undefined,
  { view, late }: { readonly view: View; readonly late: Late },
): string | undefined {
  const { running, wrong } = lookAtHosts(view);
  if (wrong !== undefined) return wrong;
  for (const finalizer of before.metadata.finalizers ?? []) {
    if (after !== undefined && hasFinalizer(after, finalizer)) continue;
    const left = ORACLES[`${before.kind} ${finalizer}`]?.(before, view, late);
    if (left !== undefined) return `the finalizer of ${before.kind} ${before.metadata.name} went while ${left}`;
  }
  return freedInUse(before, after) ?? letGoInUse(before, after, { view, running });
}

/**
 * What a host runs with is freed only by force: its Claim, its Data and its leases keep
 * their finalizers, and its address stays (metal-h1).
 */
function letGoInUse(before: KubeObject, after: KubeObject | undefined, now: Now): string | undefined {
  const { view, running } = now;
  const finalizer = HELD[before.kind]?.find(each => hasFinalizer(before, each));
  if (finalizer === undefined) return undefined;
  if (after !== undefined && hasFinalizer(after, finalizer)) return undefined;
  if (before.kind === IPAddress.kind && isClaimHeld(before, view)) return undefined;
  const host = running.find(each => uses(each, before))?.host ?? hostRunningWith(before, view)?.metadata.name;
  return host === undefined
    ? undefined
    : `${before.kind} ${before.metadata.name} was let go of while host ${host} ran with it`;
}

interface Now {
  readonly view: View;
  readonly running: readonly Installed[];
}

/** Addresses of both kinds have one name. */
const HELD: Readonly<Record<string, readonly string[]>> = {
  Metal3DataClaim: [METAL3_MACHINE_FINALIZER],
  Metal3Data: [METAL3_DATA_FINALIZER],
  IPClaim: [METAL3_DATA_FINALIZER],
  IPAddressClaim: [METAL3_DATA_FINALIZER],
  IPAddress: [IP_ADDRESS_FINALIZER, CAPI_IP_ADDRESS_FINALIZER],
};

/**
 * An address that is deleted is made again for its claim, which names it and so keeps it from all others (metal-S16). Of a
 * pool that is to go none is made.
 */
function isClaimHeld(address: IPAddress | CapiIPAddress, view: View): boolean {
  const { name, namespace } = address.metadata;
  const pool = view.one(IPPool, heldText(address).split(' ')[0] ?? '', namespace);
  if (pool === undefined || isDeleting(pool)) return false;
  const own = isOfClusterApi(address) ? undefined : view.one(IPClaim, claimNameOf(address), namespace);
  const other = isOfClusterApi(address) ? view.one(IPAddressClaim, claimNameOf(address), namespace) : undefined;
  const claim = own ?? other;
  const bound = own?.status?.address?.name ?? other?.status?.addressRef?.name;
  return claim !== undefined && hasFinalizer(claim, METAL3_DATA_FINALIZER) && bound === name;
}

const isOfClusterApi = (address: IPAddress | CapiIPAddress): address is CapiIPAddress =>
  address.spec !== undefined && 'claimRef' in address.spec;

/** By the names that lead from a host to what its machine has noted, and from there on: no UIDs, so that force hides nothing. */
function hostRunningWith(object: KubeObject, view: View): BareMetalHost | undefined {
  const { namespace } = object.metadata;
  return view.all(BareMetalHost).find(host => {
    const { consumerRef } = host.spec ?? {};
    const isOn = isInUse(host.status?.provisioning?.state) || host.spec?.image !== undefined;
    if (!isOn || consumerRef?.kind !== 'Metal3Machine' || host.metadata.namespace !== namespace) return false;
    const machine = view.one(Metal3Machine, consumerRef.name ?? '', namespace);
    const isMachines = machine !== undefined && object.metadata.name === machine.metadata.name;
    if (object.kind === Metal3DataClaim.kind) return isMachines && isOwnerOf(machine, object);
    const data = machine?.status?.renderedData?.name;
    return data !== undefined && isOfData(object, data);
  });
}

const isOwnerOf = (owner: KubeObject, object: KubeObject): boolean =>
  object.metadata.ownerReferences?.some(({ uid }) => uid === owner.metadata.uid) === true;

function isOfData(object: IPAddress, data: string): boolean {
  const { name } = object.metadata;
  if (object.kind === IPAddress.kind) return claimNameOf(object).startsWith(`${data}-`);
  return object.kind === Metal3Data.kind ? name === data : name.startsWith(`${data}-`);
}

/** A host that nobody names is anybody's: what was installed on it must be erased first. */
function freedInUse(before: BareMetalHost, after: BareMetalHost | undefined): string | undefined {
  if (before.kind !== BareMetalHost.kind || after === undefined) return undefined;
  const isFreed = before.spec?.consumerRef !== undefined && after.spec?.consumerRef === undefined;
  const state = after.status?.provisioning?.state;
  return isFreed && isInUse(state) ? `host ${before.metadata.name} was freed while it was ${state}` : undefined;
}

/** Told after every creation: no address of a pool is held twice, by objects of whichever kind. */
export function judgeMetalCreation(view: View): string | undefined {
  const seen = new Map<string, string>();
  for (const each of [...view.addresses(), ...view.all(CapiIPAddress)]) {
    const { metadata, spec } = each;
    const pool = isOfClusterApi(each) ? each.spec?.poolRef.name : each.spec?.pool?.name;
    const address = `${metadata.namespace}/${pool} ${spec?.address}`;
    const other = seen.get(address);
    if (other !== undefined) return `address ${address} is held by ${other} and by ${metadata.name}`;
    seen.set(address, metadata.name);
  }
  return undefined;
}

/** The host still runs what was installed for this machine. */
function hostInUse({ metadata: { namespace, name, uid } }: KubeObject, view: View): string | undefined {
  const running = lookAtHosts(view).running.find(each => each.machineUid === uid);
  if (running !== undefined) return `host ${running.host} ran what it had put on it`;
  const host = view.all(BareMetalHost).find(({ metadata, spec, status }) => {
    const { consumerRef } = spec ?? {};
    const isOurs = consumerRef?.kind === 'Metal3Machine' && consumerRef.name === name;
    return isOurs && metadata.namespace === namespace && isInUse(status?.provisioning?.state);
  });
  return host === undefined ? undefined : `host ${host.metadata.name} was ${host.status?.provisioning?.state} for it`;
}

const isInUse = (state: string | undefined): boolean =>
  ['provisioning', 'provisioned', 'deprovisioning'].includes(state ?? '');

/** A claim for an address would keep the Data's finalizer for ever. */
function leaseHeld({ metadata: { uid } }: KubeObject, view: View): string | undefined {
  const claim = view
    .all(IPClaim)
    .find(
      each =>
        hasFinalizer(each, METAL3_DATA_FINALIZER) &&
        each.metadata.ownerReferences?.some(owner => owner.uid === uid) === true,
    );
  return claim === undefined ? undefined : `IPClaim ${claim.metadata.name} bore the finalizer of its Data`;
}

function dataLeft({ metadata: { namespace, name } }: KubeObject, view: View, late: Late): string | undefined {
  const isOf = ({ metadata, spec }: Metal3Data | Metal3DataClaim): boolean =>
    metadata.namespace === namespace && spec?.template?.name === name && !late.has(metadata.uid);
  const left = [...view.all(Metal3Data), ...view.all(Metal3DataClaim)].find(isOf);
  return left === undefined ? undefined : `${left.kind} ${left.metadata.name} named it`;
}

/** A Claim that was made when its Template was being deleted already, and the Data of such a Claim. */
export function isTooLate(made: KubeObject, view: View, late: Late): boolean {
  const { namespace } = made.metadata;
  const ofTemplate = ({ spec }: Metal3DataClaim | Metal3Data): boolean => {
    const template = view.one(Metal3DataTemplate, spec?.template?.name ?? '', namespace);
    return template !== undefined && isDeleting(template);
  };
  if (made.kind === Metal3DataClaim.kind) return ofTemplate(made);
  if (made.kind !== Metal3Data.kind || !ofTemplate(made)) return false;
  const claim = view.one(Metal3DataClaim, (made as Metal3Data).spec?.claim?.name ?? '', namespace);
  return late.has(claim?.metadata.uid);
}

function addressLeft({ metadata: { namespace, name } }: KubeObject, view: View): string | undefined {
  const left = view
    .all(IPAddress)
    .find(({ metadata, spec }) => metadata.namespace === namespace && spec?.pool?.name === name);
  return left === undefined ? undefined : `IPAddress ${left.metadata.name} was of it`;
}
