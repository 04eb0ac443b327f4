// What is on the disks of hosts, from what their states have said one after another: no edit of an object takes it off.

import { BareMetalHost } from '../../../src/kinds/generated/bare-metal-host.generated.ts';
import { CapiIPAddress } from '../../../src/kinds/generated/capi-ip-address.generated.ts';
import type { IPAddress } from '../../../src/kinds/generated/ip-address.generated.ts';
import { Metal3Machine } from '../../../src/kinds/generated/metal3-machine.generated.ts';
import { type KubeObject, keyOf, keyText } from '../../../src/kube/object.ts';
import type { metalView } from '../../world/metal/view.ts';

type View = ReturnType<typeof metalView>;

/** A system that a machine had put on a host, and what it uses. */
export interface Installed {
  readonly host: string;
  readonly hostUid: string | undefined;
  readonly image: string | undefined;
  readonly namespace: string | undefined;
  readonly machine: string;
  readonly machineUid: string | undefined;
  readonly data: string | undefined;
  /** `pool address`. */
  readonly addresses: readonly string[];
}

export const heldText = (address: IPAddress | CapiIPAddress): string => {
  const { spec } = address;
  const pool = spec !== undefined && 'poolRef' in spec ? spec.poolRef.name : spec?.pool?.name;
  return `${pool} ${spec?.address}`;
};

const known = new WeakMap<View, Map<string, Installed>>();

/** Looks at every host; answers what runs now, and what must not be. */
export function lookAtHosts(view: View): { readonly running: readonly Installed[]; readonly wrong?: string } {
  const installed = known.get(view) ?? new Map<string, Installed>();
  known.set(view, installed);
  const hosts = new Map(view.all(BareMetalHost).map(host => [keyText(keyOf(host)), host]));
  for (const [key, one] of installed) if (isOver(one, hosts.get(key))) installed.delete(key);
  let wrong: string | undefined;
  for (const [key, host] of hosts) {
    const made = installed.has(key) ? undefined : installedOn(host, view);
    if (made === undefined) continue;
    const twin = [...installed.values()].find(each => each.addresses.some(address => made.addresses.includes(address)));
    if (twin !== undefined) wrong = `host ${made.host} runs with ${made.addresses.join()}, as host ${twin.host} does`;
    installed.set(key, made);
  }
  return { running: [...installed.values()], ...(wrong === undefined ? {} : { wrong }) };
}

const ERASED: readonly string[] = ['preparing', 'inspecting', 'match profile', 'available', 'ready'];
const UNTOLD: readonly string[] = ['', 'unmanaged', 'registering', 'externally provisioned'];

/** The host is gone, was erased or is off, or was told to run something else. */
function isOver(one: Installed, host: BareMetalHost | undefined): boolean {
  if (host === undefined || host.metadata.uid !== one.hostUid) return true;
  const state = host.status?.provisioning?.state ?? '';
  if (ERASED.includes(state) || (UNTOLD.includes(state) && host.status?.poweredOn === false)) return true;
  return host.spec?.image !== undefined && host.spec.image.url !== one.image;
}

function installedOn(host: BareMetalHost, view: View): Installed | undefined {
  const { consumerRef, image } = host.spec ?? {};
  const { namespace, name, uid } = host.metadata;
  if (host.status?.provisioning?.state !== 'provisioned' || consumerRef?.kind !== Metal3Machine.kind) return undefined;
  const machine = view.one(Metal3Machine, consumerRef.name ?? '', namespace);
  if (machine === undefined) return undefined;
  const data = machine.status?.renderedData?.name;
  const ofMachine = { namespace, machine: machine.metadata.name, machineUid: machine.metadata.uid, data };
  const addresses = data === undefined ? [] : addressesOf(data, namespace, view);
  return { host: name, hostUid: uid, image: image?.url, ...ofMachine, addresses };
}

function addressesOf(data: string, namespace: string | undefined, view: View): readonly string[] {
  const all: readonly (IPAddress | CapiIPAddress)[] = [...view.addresses(), ...view.all(CapiIPAddress)];
  return all
    .filter(each => each.metadata.namespace === namespace && claimNameOf(each).startsWith(`${data}-`))
    .map(heldText);
}

export const claimNameOf = ({ spec }: IPAddress | CapiIPAddress): string =>
  (spec !== undefined && 'claimRef' in spec ? spec.claimRef.name : spec?.claim?.name) ?? '';

/** Whether a system uses a claim, its data, a lease of it or an address. */
export function uses({ machine, machineUid, namespace, data, addresses }: Installed, object: KubeObject): boolean {
  const { kind, metadata } = object;
  if (metadata.namespace !== namespace) return false;
  if (kind === 'Metal3DataClaim') {
    return metadata.name === machine && metadata.ownerReferences?.some(({ uid }) => uid === machineUid) === true;
  }
  if (data === undefined) return false;
  if (kind === 'Metal3Data') return metadata.name === data;
  return kind === 'IPAddress' ? addresses.includes(heldText(object)) : metadata.name.startsWith(`${data}-`);
}
