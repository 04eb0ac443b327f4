// What is wrong with a pool's spec: upstream's verdict, for the admission endpoint and for the controller, field by field.

import { type Address, addressText } from '../../base/ip.ts';
import type { IPPool, IPPoolSpec } from '../../kinds/generated/ip-pool.generated.ts';
import { canonicalText, readAddress } from '../addresses/address.ts';
import { type Bounds, compare, countOf, isWithin, parseSubnet } from '../addresses/range.ts';

export interface PoolFault {
  /** `spec.pools[0].end` */
  readonly field: string;
  readonly value: string;
  readonly says: string;
}

type Entry = NonNullable<IPPoolSpec['pools']>[number];

const NO_ADDRESS = 'is not a valid IP address';

/** A larger range cannot be drawn from by chance upstream, so it is refused here as well. */
const MOST_COUNTED = 2n ** 63n - 1n;

/** Every fault, in the order of the spec; `inUse` are the addresses that its objects hold now. None: the pool is fine. */
export function poolFaults(pool: Pick<IPPool, 'spec'>, inUse: Iterable<string> = []): readonly PoolFault[] {
  const { gateway, dnsServers = [], preAllocations = {}, pools = [], allocationStrategy } = pool.spec ?? {};
  return [
    ...optional('spec.gateway', gateway, addressFault),
    ...dnsServers.flatMap((text, at) => addressFault(`spec.dnsServers[${at}]`, text)),
    ...preAllocationFaults(preAllocations),
    ...pools.flatMap((entry, at) => entryFaults(`spec.pools[${at}]`, entry, allocationStrategy)),
    ...Object.values(preAllocations).flatMap(text => outside(pools, text, 'spec.preAllocations')),
    ...[...inUse].flatMap(text => outside(pools, text, 'spec.pools')),
  ];
}

/** As admission and the condition say it: the field first. */
export const faultText = ({ field, value, says }: PoolFault): string => `${field}: "${value}" ${says}`;

function optional(
  field: string,
  value: string | undefined,
  check: (field: string, value: string) => readonly PoolFault[],
): readonly PoolFault[] {
  return value === undefined ? [] : check(field, value);
}

function addressFault(field: string, value: string): readonly PoolFault[] {
  return value === '' || readAddress(value) !== undefined ? [] : [{ field, value, says: NO_ADDRESS }];
}

/** An address is the same however it is spelled (metal-7.19). */
function preAllocationFaults(preAllocations: Readonly<Record<string, string>>): readonly PoolFault[] {
  const claims = new Map<string, string>();
  return Object.entries(preAllocations).flatMap(([claim, value]): readonly PoolFault[] => {
    const field = `spec.preAllocations[${claim}]`;
    const text = canonicalText(value);
    if (text === undefined) return addressFault(field, value);
    const other = claims.get(text);
    claims.set(text, other ?? claim);
    return other === undefined ? [] : [{ field, value, says: `is pre-allocated to the claim "${other}" already` }];
  });
}

function entryFaults(field: string, entry: Entry, strategy: IPPoolSpec['allocationStrategy']): readonly PoolFault[] {
  const { gateway, dnsServers = [] } = entry;
  const faults = [
    ...boundsFaults(field, entry),
    ...optional(`${field}.gateway`, gateway, addressFault),
    ...dnsServers.flatMap((text, at) => addressFault(`${field}.dnsServers[${at}]`, text)),
  ];
  return strategy === 'random' && faults.length === 0 ? chanceFault(field, entry) : faults;
}

/** What is wrong with the bounds of an entry. */
export function boundsFaults(field: string, bounds: Bounds): readonly PoolFault[] {
  const { start, end, subnet } = bounds;
  if (start === undefined && end === undefined && subnet === undefined) {
    return [{ field, value: '', says: 'must have at least one of start, end and subnet' }];
  }
  return [
    ...optional(`${field}.start`, start, boundFault),
    ...optional(`${field}.end`, end, boundFault),
    ...optional(`${field}.subnet`, subnet, subnetFault),
    ...reversedFault(`${field}.end`, bounds),
  ];
}

function boundFault(field: string, value: string): readonly PoolFault[] {
  return readAddress(value) === undefined ? [{ field, value, says: NO_ADDRESS }] : [];
}

function subnetFault(field: string, value: string): readonly PoolFault[] {
  return parseSubnet(value) === undefined ? [{ field, value, says: 'is not a subnet like 10.0.0.0/24' }] : [];
}

function reversedFault(field: string, { start, end }: Bounds): readonly PoolFault[] {
  const first = readAddress(start ?? '');
  const last = readAddress(end ?? '');
  if (first === undefined || last === undefined || compare(first, last) <= 0) return [];
  return [{ field, value: addressText(last), says: `is before the start ${addressText(first)}` }];
}

function chanceFault(field: string, entry: Entry): readonly PoolFault[] {
  const count = countOf(entry);
  if (count !== undefined && count <= MOST_COUNTED) return [];
  const why = count === undefined ? 'it gives out no countable range' : 'its range is too large to count';
  return [{ field, value: '', says: `cannot be used with the allocationStrategy "random": ${why}` }];
}

function outside(pools: readonly Entry[], value: string, field: string): readonly PoolFault[] {
  const address = readAddress(value);
  if (address === undefined || isInSome(pools, address)) return [];
  const says = field === 'spec.pools' ? 'is in use but out of bounds of the pools given' : OUT_OF_BOUNDS;
  return [{ field, value, says }];
}

const OUT_OF_BOUNDS = 'is out of bounds of the pools given';

const isInSome = (pools: readonly Entry[], address: Address): boolean => pools.some(entry => isWithin(entry, address));
