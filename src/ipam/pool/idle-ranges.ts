// Why entries of a pool give out no address. Upstream's admission takes most of them, so ours does: pool and claims tell of it.

import { addressText } from '../../base/ip.ts';
import type { IPPool } from '../../kinds/generated/ip-pool.generated.ts';
import { readAddress } from '../addresses/address.ts';
import { type Bounds, isWithin, parseSubnet, rangeOf } from '../addresses/range.ts';
import { boundsFaults, faultText } from './faults.ts';

/** One sentence for each entry that gives out nothing, or for the list that has none; each begins with its field. */
export function idleRanges({ spec }: Pick<IPPool, 'spec'>): readonly string[] {
  const { pools = [] } = spec ?? {};
  if (pools.length === 0) return ['spec.pools: the list is empty: the pool gives out no address'];
  return pools.flatMap((entry, at) =>
    rangeOf(entry) === undefined ? [`${whyIdle(`spec.pools[${at}]`, entry)}: the entry gives out no address`] : [],
  );
}

function whyIdle(field: string, entry: Bounds): string {
  const [fault] = boundsFaults(field, entry);
  return fault === undefined ? unmatched(field, entry) : faultText(fault);
}

/** Each bound is right by itself, and no end is before its start: together they leave nothing. */
function unmatched(field: string, { start, end, subnet }: Bounds): string {
  const [first, last] = [readAddress(start ?? ''), readAddress(end ?? '')];
  const net = parseSubnet(subnet ?? '');
  const begin = first ?? net?.written;
  if (begin === undefined) return `${field}.start: neither it nor the subnet is given, and an end alone begins nowhere`;
  if (first !== undefined && subnet !== undefined && !isWithin({ subnet }, first)) {
    return `${field}.start: "${start}" is outside of the subnet ${subnet}`;
  }
  if (last !== undefined && last.family !== begin.family) {
    const other = start === undefined ? `subnet ${subnet}` : `start ${start}`;
    return `${field}.end: "${end}" is IPv${last.family} and the ${other} is IPv${begin.family}`;
  }
  return afterItself(field, { end, subnet }, addressText(begin));
}

/** A subnet alone begins after the address that is written in it. */
function afterItself(field: string, { end, subnet }: Bounds, own: string): string {
  if (rangeOf({ subnet }) !== undefined) {
    return `${field}.end: "${end}" is not after ${own}, and the subnet ${subnet} alone gives out what comes after that`;
  }
  return `${field}.subnet: "${subnet}" has no address after ${own} (with ${own} as the start too it gives out that one)`;
}
