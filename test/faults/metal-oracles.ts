// What must hold of a bare-metal fleet whatever fails: what a finalizer protected is gone when it goes, and no address is given twice.

import { BareMetalHost } from '../../src/kinds/generated/bare-metal-host.generated.ts';
import { IPAddress } from '../../src/kinds/generated/ip-address.generated.ts';
import { IPClaim } from '../../src/kinds/generated/ip-claim.generated.ts';
import { Metal3Data } from '../../src/kinds/generated/metal3-data.generated.ts';
import { Metal3DataClaim } from '../../src/kinds/generated/metal3-data-claim.generated.ts';
import { Metal3Machine } from '../../src/kinds/generated/metal3-machine.generated.ts';
import {
  IP_ADDRESS_FINALIZER,
  IP_POOL_FINALIZER,
  METAL3_DATA_FINALIZER,
  METAL3_DATA_TEMPLATE_FINALIZER,
  METAL3_MACHINE_FINALIZER,
} from '../../src/kinds/metal-wire.ts';
import { hasFinalizer, type KubeObject } from '../../src/kube/object.ts';
import type { metalView } from '../world/metal/view.ts';

type View = ReturnType<typeof metalView>;
type Oracle = (before: KubeObject, view: View) => string | undefined;

/** By kind and finalizer: what the object's going without it would leave behind. */
const ORACLES: Readonly<Record<string, Oracle>> = {
  [`Metal3Machine ${METAL3_MACHINE_FINALIZER}`]: hostInUse,
  [`Metal3Data ${METAL3_DATA_FINALIZER}`]: leaseHeld,
  [`Metal3DataTemplate ${METAL3_DATA_TEMPLATE_FINALIZER}`]: dataLeft,
  [`IPPool ${IP_POOL_FINALIZER}`]: addressLeft,
};

/** Told of every write that changed an object; `after` is undefined when it is gone. */
export function judgeMetalWrite(before: KubeObject, after: KubeObject | undefined, view: View): string | undefined {
  for (const finalizer of before.metadata.finalizers ?? []) {
    if (after !== undefined && hasFinalizer(after, finalizer)) continue;
    const left = ORACLES[`${before.kind} ${finalizer}`]?.(before, view);
    if (left !== undefined) return `the finalizer of ${before.kind} ${before.metadata.name} went while ${left}`;
  }
  return freedInUse(before, after) ?? letGoInUse(before, after, view);
}

/**
 * What a host runs with is freed only by force: its Claim, its Data and its leases keep
 * their finalizers, and its address stays (metal-h1).
 */
function letGoInUse(before: KubeObject, after: KubeObject | undefined, view: View): string | undefined {
  const finalizer = HELD[before.kind];
  if (finalizer === undefined || !hasFinalizer(before, finalizer)) return undefined;
  if (after !== undefined && hasFinalizer(after, finalizer)) return undefined;
  if (before.kind === IPAddress.kind && isClaimHeld(before, view)) return undefined;
  const host = hostRunningWith(before, view);
  return host === undefined
    ? undefined
    : `${before.kind} ${before.metadata.name} was let go of while host ${host.metadata.name} ran with it`;
}

const HELD: Readonly<Record<string, string>> = {
  Metal3DataClaim: METAL3_MACHINE_FINALIZER,
  Metal3Data: METAL3_DATA_FINALIZER,
  IPClaim: METAL3_DATA_FINALIZER,
  IPAddress: IP_ADDRESS_FINALIZER,
};

/** An address that a user deletes is made again for its claim, which keeps it from all others (metal-S16). */
function isClaimHeld({ metadata, spec }: IPAddress, view: View): boolean {
  const claim = view.one(IPClaim, spec?.claim?.name ?? '', metadata.namespace);
  return claim !== undefined && hasFinalizer(claim, METAL3_DATA_FINALIZER);
}

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
  if (object.kind === IPAddress.kind) return object.spec?.claim?.name?.startsWith(`${data}-`) === true;
  return object.kind === IPClaim.kind ? name.startsWith(`${data}-`) : name === data;
}

/** A host that nobody names is anybody's: what was installed on it must be erased first. */
function freedInUse(before: BareMetalHost, after: BareMetalHost | undefined): string | undefined {
  if (before.kind !== BareMetalHost.kind || after === undefined) return undefined;
  const isFreed = before.spec?.consumerRef !== undefined && after.spec?.consumerRef === undefined;
  const state = after.status?.provisioning?.state;
  return isFreed && isInUse(state) ? `host ${before.metadata.name} was freed while it was ${state}` : undefined;
}

/** Told after every creation: no address of a pool is held twice. */
export function judgeMetalCreation(view: View): string | undefined {
  const seen = new Map<string, string>();
  for (const { metadata, spec } of view.addresses()) {
    const address = `${metadata.namespace}/${spec?.pool?.name} ${spec?.address}`;
    const other = seen.get(address);
    if (other !== undefined) return `address ${address} is held by ${other} and by ${metadata.name}`;
    seen.set(address, metadata.name);
  }
  return undefined;
}

/** The host still runs what was installed for this machine. */
function hostInUse({ metadata: { namespace, name } }: KubeObject, view: View): string | undefined {
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

function dataLeft({ metadata: { namespace, name } }: KubeObject, view: View): string | undefined {
  const isOf = (each: Metal3Data | Metal3DataClaim): boolean =>
    each.metadata.namespace === namespace && each.spec?.template?.name === name && isKnown(each);
  const left = [...view.all(Metal3Data), ...view.all(Metal3DataClaim)].find(isOf);
  return left === undefined ? undefined : `${left.kind} ${left.metadata.name} named it`;
}

/** A Claim that was made a moment ago has no finalizer yet: nobody can have seen it, and nothing was made for it. */
const isKnown = ({ metadata }: KubeObject): boolean => (metadata.finalizers ?? []).length > 0;

function addressLeft({ metadata: { namespace, name } }: KubeObject, view: View): string | undefined {
  const left = view
    .all(IPAddress)
    .find(({ metadata, spec }) => metadata.namespace === namespace && spec?.pool?.name === name);
  return left === undefined ? undefined : `IPAddress ${left.metadata.name} was of it`;
}
