// Addresses and ports of Nodes that the server gives to Services: each once, the next free one after the last.

import type { Core } from '../core.ts';
import type { JsonObject } from '../parts.ts';
import { isObject, listAt, objectAt, stringAt, stringsAt } from '../rules/json.ts';

/** As kube-apiserver without flags, but with room for a fleet: 10.0.0.0/16, of which 10.0.0.1 is the API's own. */
const NETWORK = [10, 0] as const;
const FIRST_GIVEN = 17;
const LAST_GIVEN = 65_534;
const FIRST_PORT = 30_000;
const LAST_PORT = 32_767;

export const isInNetwork = (ip: string): boolean => ip.startsWith(`${NETWORK.join('.')}.`);
export const isNodePort = (port: number): boolean => port >= FIRST_PORT && port <= LAST_PORT;

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

interface Next {
  ip: number;
  port: number;
}

/** Goes on where it stopped: two requests at once are not given the same. */
const nextOf = new WeakMap<Core, Next>();

function nextIn(core: Core): Next {
  const known = nextOf.get(core) ?? { ip: FIRST_GIVEN, port: FIRST_PORT };
  nextOf.set(core, known);
  return known;
}

/** Stands for an address that nobody is given. */
export const NETWORK_ADDRESS = [...NETWORK, 0, 0].join('.');

/** Undefined: none is free. */
export function freeIp(core: Core, { ips }: Taken): string | undefined {
  const next = nextIn(core);
  for (let tried = FIRST_GIVEN; tried <= LAST_GIVEN; tried += 1) {
    const ip = [...NETWORK, next.ip >> 8, next.ip & 0xff].join('.');
    next.ip = next.ip >= LAST_GIVEN ? FIRST_GIVEN : next.ip + 1;
    if (!ips.has(ip)) return ip;
  }
  return undefined;
}

export function freePort(core: Core, { ports }: Taken): number | undefined {
  const next = nextIn(core);
  for (let tried = FIRST_PORT; tried <= LAST_PORT; tried += 1) {
    const { port } = next;
    next.port = port >= LAST_PORT ? FIRST_PORT : port + 1;
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
