// From which network Services get their addresses, and which ports of Nodes are theirs to give.

export interface PortRange {
  readonly first: number;
  readonly last: number;
}

export interface ServiceRanges {
  /** An IPv4 network, as `10.0.0.0/16`. */
  readonly network: string;
  readonly nodePorts: PortRange;
}

/** As kube-apiserver without flags, but with room for a fleet. */
export const USUAL_RANGES: ServiceRanges = { network: '10.0.0.0/16', nodePorts: { first: 30_000, last: 32_767 } };

export interface Network {
  /** Its first address, which stands for the network, as a number. */
  readonly base: number;
  /** How many addresses it has. */
  readonly size: number;
  readonly text: string;
}

/** Undefined: it is none. Whatever stands behind the prefix does not count. */
export function networkIn(text: string): Network | undefined {
  const [, address = '', length = ''] = /^([\d.]+)\/(\d+)$/.exec(text) ?? [];
  const parts = address.split('.').map(Number);
  const bits = Number(length);
  if (parts.length !== 4 || parts.some(part => !(part <= 255)) || length === '' || bits > 32) return undefined;
  const size = 2 ** (32 - bits);
  const number = parts.reduce((sum, part) => sum * 256 + part, 0);
  const base = number - (number % size);
  return { base, size, text: `${addressOf(base)}/${bits}` };
}

export function addressOf(number: number): string {
  return [24, 16, 8, 0].map(shift => Math.floor(number / 2 ** shift) % 256).join('.');
}

export function isIn({ base, size }: Network, address: string): boolean {
  const host = networkIn(`${address}/32`);
  return host !== undefined && host.base >= base && host.base < base + size;
}

/** The API's own Service has the first one. */
export const ownAddress = (network: string): string => addressOf((networkIn(network)?.base ?? 0) + 1);
