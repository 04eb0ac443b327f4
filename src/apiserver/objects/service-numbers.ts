// Addresses and ports of Nodes that the server gives to Services: each once, the next free one after the last.

import { invariant } from '../../base/errors.ts';
import type { Core } from '../core.ts';
import type { JsonObject } from '../parts.ts';
import { isObject, listAt, objectAt, stringAt, stringsAt } from '../rules/json.ts';
import { addressOf, isIn, type Network, networkIn, type PortRange, USUAL_RANGES } from './service-ranges.ts';

/** Where it is written down which address is whose. */
export const ADDRESSES = 'ipaddresses.networking.k8s.io';

/** What Services hold now. */
interface Taken {
  readonly ips: ReadonlySet<string>;
  readonly ports: ReadonlySet<number>;
}

/** `but`: the Service that asks keeps its own. */
export function takenIn(core: Core, but: { readonly namespace: string; readonly name: string } | undefined): Taken {
  const ips = new Set<string>();
  const ports = new Set<number>();
  for (const { namespace, name, object } of core.store.range('services')?.rows ?? []) {
    if (namespace === but?.namespace && name === but.name) continue;
    const spec = objectAt(object, 'spec');
    for (const ip of stringsAt(spec, 'clusterIPs')) ips.add(ip);
    for (const port of portsOf(spec)) ports.add(port);
  }
  for (const ip of addressesBut(core, but)) ips.add(ip);
  return { ips, ports };
}

/** Whoever has written an IPAddress by hand has taken it, too. */
function addressesBut({ store }: Core, but: Parameters<typeof takenIn>[1]): readonly string[] {
  const others = (store.range(ADDRESSES)?.rows ?? []).filter(({ object }) => {
    const { namespace, name } = objectAt(objectAt(object, 'spec'), 'parentRef');
    return namespace !== but?.namespace || name !== but?.name;
  });
  return others.map(({ name }) => name);
}

function portsOf(spec: JsonObject): readonly number[] {
  const ports = listAt(spec, 'ports').map(port => (isObject(port) ? port.nodePort : undefined));
  return [...ports, spec.healthCheckNodePort].filter(port => typeof port === 'number');
}

/** What is given out, and where that goes on: two requests at once are not given the same. */
interface Supply {
  readonly network: Network;
  readonly ports: PortRange;
  /** Counted from the network's first address. */
  ip: number;
  port: number;
}

const supplies = new WeakMap<Core, Supply>();

function supplyOf(core: Core): Supply {
  const known = supplies.get(core);
  if (known !== undefined) return known;
  const { network, nodePorts: ports } = core.parts.serviceRanges ?? USUAL_RANGES;
  const read = networkIn(network);
  invariant(read !== undefined, 'Services get their addresses from a network');
  const supply = { network: read, ports, ip: firstGiven(read), port: ports.first };
  supplies.set(core, supply);
  return supply;
}

/** Before it are the network's own address and that of the API. */
const LOWEST_GIVEN = 2;
/** The first ones are left to those who ask for one by its number, where there are enough (KEP-3070). */
const [KEPT, ENOUGH] = [16, 256];

const firstGiven = ({ size }: Network): number => (size < ENOUGH ? LOWEST_GIVEN : KEPT + 1);

export const isInNetwork = (core: Core, ip: string): boolean => isIn(supplyOf(core).network, ip);

export function isNodePort(core: Core, port: number): boolean {
  const { first, last } = supplyOf(core).ports;
  return port >= first && port <= last;
}

/** As they are told of: `30000-32767`. */
export function nodePortsOf(core: Core): string {
  const { first, last } = supplyOf(core).ports;
  return `${first}-${last}`;
}

/** Stands for an address that nobody is given. */
export const networkAddress = (core: Core): string => addressOf(supplyOf(core).network.base);

/** Undefined: none is free. */
export function freeIp(core: Core, { ips }: Taken): string | undefined {
  const supply = supplyOf(core);
  const { base, size } = supply.network;
  // The last one is the network's, too.
  const last = size - 2;
  for (let tried = LOWEST_GIVEN; tried <= last; tried += 1) {
    const ip = addressOf(base + supply.ip);
    supply.ip = supply.ip >= last ? LOWEST_GIVEN : supply.ip + 1;
    if (!ips.has(ip)) return ip;
  }
  return undefined;
}

export function freePort(core: Core, { ports }: Taken): number | undefined {
  const supply = supplyOf(core);
  const { first, last } = supply.ports;
  for (let tried = first; tried <= last; tried += 1) {
    const { port } = supply;
    supply.port = port >= last ? first : port + 1;
    if (!ports.has(port)) return port;
  }
  return undefined;
}

/** A Service that has an address, as its type is. */
export const wantsIp = (spec: JsonObject): boolean => stringAt(spec, 'type') !== 'ExternalName';

/** A Service whose ports are open on every Node. */
export function wantsNodePorts(spec: JsonObject): boolean {
  const type = stringAt(spec, 'type');
  return type === 'NodePort' || (type === 'LoadBalancer' && spec.allocateLoadBalancerNodePorts !== false);
}

export const wantsHealthPort = (spec: JsonObject): boolean =>
  stringAt(spec, 'type') === 'LoadBalancer' && spec.externalTrafficPolicy === 'Local';
