// How the length of a prefix is written as a mask: 24 as 255.255.255.0, 96 as ffff:ffff:ffff:ffff:ffff:ffff::.

import { addressText } from '../../base/ip.ts';
import { renderingRefused } from './refused.ts';

const WIDTHS = { 4: 32, 6: 128 } as const;

export type Family = keyof typeof WIDTHS;

/** A prefix that the family does not have is refused (metal-R6): upstream writes a mask that is none. */
export function netmask(prefix: number, family: Family, field: string): string {
  const width = WIDTHS[family];
  if (!Number.isInteger(prefix) || prefix < 0 || prefix > width) {
    throw renderingRefused(field, `the prefix ${prefix} is none of IPv${family}`);
  }
  const hostBits = BigInt(width - prefix);
  const all = (1n << BigInt(width)) - 1n;
  return addressText({ family, bits: (all >> hostBits) << hostBits });
}
