// From which network Services get their addresses, and which ports of Nodes are theirs to give.

import { addressText, masked, networkText, parseAddress, parseNetwork } from '../../base/ip.ts';

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

/** Undefined: it is none of IPv4. Whatever stands behind the prefix does not count. */
export function networkIn(text: string): Network | undefined {
  const read = parseNetwork(text);
  if (read?.address.family !== 4) return undefined;
  const own = masked(read);
  return { base: Number(own.address.bits), size: 2 ** (32 - own.prefixLength), text: networkText(own) };
}

export const addressOf = (number: number): string => addressText({ family: 4, bits: BigInt(number) });

export function isIn({ base, size }: Network, text: string): boolean {
  const address = parseAddress(text);
  if (address?.family !== 4) return false;
  const number = Number(address.bits);
  return number >= base && number < base + size;
}

/** The API's own Service has the first one. */
export const ownAddress = (network: string): string => addressOf((networkIn(network)?.base ?? 0) + 1);
