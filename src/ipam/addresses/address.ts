// An IP address as the address manager takes it: IPv4 that is spelled as IPv6 is IPv4, and each has one text.

import { type Address, addressText, parseAddress } from '../../base/ip.ts';

export type Family = Address['family'];

/** The highest address of a family, as a number. */
export const highestOf = (family: Family): bigint => (1n << (family === 4 ? 32n : 128n)) - 1n;

const MAPPED = 0xffffn;

/** Reads an address; undefined when the text is none. `::ffff:10.0.0.1` is 10.0.0.1. */
export function readAddress(text: string): Address | undefined {
  const address = parseAddress(text);
  const isMapped = address?.family === 6 && address.bits >> 32n === MAPPED;
  return isMapped ? { family: 4, bits: address.bits & 0xffffffffn } : address;
}

/** The canonical text of an address that was written in any way; undefined when it is none. */
export function canonicalText(text: string): string | undefined {
  const address = readAddress(text);
  return address === undefined ? undefined : addressText(address);
}
