// Which addresses an entry of a pool gives out, and which it bounds: from a start, an end and a subnet, any of them absent.

import { type Address, masked, parseNetwork } from '../../base/ip.ts';
import { type Family, highestOf, readAddress } from './address.ts';

/** The part of a pool's entry that says which addresses are in it. */
export interface Bounds {
  readonly start?: string | undefined;
  readonly end?: string | undefined;
  readonly subnet?: string | undefined;
}

/** Addresses from `first` to `last`, both included, of any number. */
export interface AddressRange {
  readonly family: Family;
  readonly first: bigint;
  readonly last: bigint;
}

export interface Subnet {
  /** As it was written: the bits of the host are kept. */
  readonly written: Address;
  readonly network: bigint;
  readonly last: bigint;
}

/** Reads `10.0.0.10/24`; undefined when it is none. */
export function parseSubnet(text: string): Subnet | undefined {
  const parsed = parseNetwork(text);
  if (parsed === undefined) return undefined;
  const { address: written, prefixLength } = parsed;
  const network = masked(parsed).address.bits;
  return { written, network, last: network | (highestOf(written.family) >> BigInt(prefixLength)) };
}

/**
 * What an entry gives out: from its start, or, with a subnet alone, from the address after the one that is
 * written there; up to its end and the end of the subnet. Neither broadcast nor gateway is left out. Undefined when it
 * gives out nothing: without start and subnet, or with bounds that leave nothing or cannot be read.
 */
export function rangeOf(bounds: Bounds): AddressRange | undefined {
  const { start, end, subnet } = parsed(bounds);
  if (start === 'bad' || end === 'bad' || subnet === 'bad') return undefined;
  const from = start ?? subnet?.written;
  if (from === undefined) return undefined;
  if (end !== undefined && end.family !== from.family) return undefined;
  if (subnet !== undefined && (subnet.written.family !== from.family || !holds(subnet, from.bits))) return undefined;
  const first = start === undefined ? from.bits + 1n : from.bits;
  const last = lowest(highestOf(from.family), end?.bits, subnet?.last);
  return first > last ? undefined : { family: from.family, first, last };
}

/** How many addresses a range has; undefined without one, or when neither end nor subnet says where it ends. */
export function countOf(bounds: Bounds): bigint | undefined {
  const range = rangeOf(bounds);
  if (range === undefined || (bounds.end === undefined && bounds.subnet === undefined)) return undefined;
  return range.last - range.first + 1n;
}

export const inRange = ({ family, first, last }: AddressRange, address: Address): boolean =>
  address.family === family && first <= address.bits && address.bits <= last;

/** Whether every bound that is given lets the address in: what admission asks. An entry without any bounds nothing. */
export function isWithin(bounds: Bounds, address: Address): boolean {
  const { start, end, subnet } = parsed(bounds);
  if (start === undefined && end === undefined && subnet === undefined) return false;
  if (start === 'bad' || end === 'bad' || subnet === 'bad') return false;
  if (start !== undefined && compare(start, address) > 0) return false;
  if (end !== undefined && compare(end, address) < 0) return false;
  return subnet === undefined || (subnet.written.family === address.family && holds(subnet, address.bits));
}

interface Parsed {
  readonly start: Address | 'bad' | undefined;
  readonly end: Address | 'bad' | undefined;
  readonly subnet: Subnet | 'bad' | undefined;
}

function parsed({ start, end, subnet }: Bounds): Parsed {
  return {
    start: start === undefined ? undefined : (readAddress(start) ?? 'bad'),
    end: end === undefined ? undefined : (readAddress(end) ?? 'bad'),
    subnet: subnet === undefined ? undefined : (parseSubnet(subnet) ?? 'bad'),
  };
}

const holds = ({ network, last }: Subnet, value: bigint): boolean => network <= value && value <= last;

/** IPv4 before IPv6, then by number. */
export function compare(one: Address, other: Address): number {
  if (one.family !== other.family) return one.family - other.family;
  return one.bits < other.bits ? -1 : Number(one.bits > other.bits);
}

function lowest(highest: bigint, ...others: readonly (bigint | undefined)[]): bigint {
  return others.reduce<bigint>((low, other) => (other !== undefined && other < low ? other : low), highest);
}
