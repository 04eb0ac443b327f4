// What is wrong with a pool's spec: upstream's verdict, for the admission endpoint and for the controller, field by field.

import { type Address, addressText } from '../../base/ip.ts';
import type { IPPool, IPPoolSpec } from '../../kinds/generated/ip-pool.generated.ts';
import { canonicalText, readAddress } from '../addresses/address.ts';
import { type Bounds, compare, countOf, isWithin, parseSubnet } from '../addresses/range.ts';

/** What a pool is refused for: one row each of docs/metal-admission.md. */
export const POOL_RULES = {
  gateway: 'a gateway, of the pool or of an entry, that is no IP address',
  dnsServer: 'a DNS server, of the pool or of an entry, that is no IP address',
  preAllocation: 'a pre-allocation that is no IP address',
  preAllocatedTwice: 'an address that is pre-allocated twice, in one spelling or in two',
  preAllocatedOutside: 'a pre-allocation outside its ranges',
  boundless: 'an entry without any of start, end and subnet',
  bound: 'a start or end that is no IP address',
  subnet: 'a subnet that is none',
  reversed: 'a reversed range',
  uncountable: 'chance over a range without an end, or over one too large to count',
  inUseOutside: 'bounds that leave out an address in use',
} as const;

export interface PoolFault {
  readonly rule: keyof typeof POOL_RULES;
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
  const { preAllocations = {}, pools = [], allocationStrategy } = pool.spec ?? {};
  return [
    ...serverFaults('spec', pool.spec ?? {}),
    ...preAllocationFaults(preAllocations),
    ...pools.flatMap((entry, at) => entryFaults(`spec.pools[${at}]`, entry, allocationStrategy)),
    ...Object.values(preAllocations).flatMap(text => outside(pools, text, 'preAllocatedOutside')),
    ...[...inUse].flatMap(text => outside(pools, text, 'inUseOutside')),
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

/** Of the pool, or of an entry of it. */
function serverFaults(
  field: string,
  { gateway, dnsServers = [] }: Pick<Entry, 'gateway' | 'dnsServers'>,
): readonly PoolFault[] {
  const servers = dnsServers.flatMap((text, at) => addressFault('dnsServer', `${field}.dnsServers[${at}]`, text));
  return [...(gateway === undefined ? [] : addressFault('gateway', `${field}.gateway`, gateway)), ...servers];
}

function addressFault(rule: PoolFault['rule'], field: string, value: string): readonly PoolFault[] {
  return value === '' || readAddress(value) !== undefined ? [] : [{ rule, field, value, says: NO_ADDRESS }];
}

/** An address is the same however it is spelled (metal-7.19). */
function preAllocationFaults(preAllocations: Readonly<Record<string, string>>): readonly PoolFault[] {
  const claims = new Map<string, string>();
  return Object.entries(preAllocations).flatMap(([claim, value]): readonly PoolFault[] => {
    const field = `spec.preAllocations[${claim}]`;
    const text = canonicalText(value);
    if (text === undefined) return addressFault('preAllocation', field, value);
    const other = claims.get(text);
    claims.set(text, other ?? claim);
    if (other === undefined) return [];
    return [{ rule: 'preAllocatedTwice', field, value, says: `is pre-allocated to the claim "${other}" already` }];
  });
}

function entryFaults(field: string, entry: Entry, strategy: IPPoolSpec['allocationStrategy']): readonly PoolFault[] {
  const faults = [...boundsFaults(field, entry), ...serverFaults(field, entry)];
  return strategy === 'random' && faults.length === 0 ? chanceFault(field, entry) : faults;
}

/** What is wrong with the bounds of an entry. */
export function boundsFaults(field: string, bounds: Bounds): readonly PoolFault[] {
  const { start, end, subnet } = bounds;
  if (start === undefined && end === undefined && subnet === undefined) {
    return [{ rule: 'boundless', field, value: '', says: 'must have at least one of start, end and subnet' }];
  }
  return [
    ...optional(`${field}.start`, start, boundFault),
    ...optional(`${field}.end`, end, boundFault),
    ...optional(`${field}.subnet`, subnet, subnetFault),
    ...reversedFault(`${field}.end`, bounds),
  ];
}

function boundFault(field: string, value: string): readonly PoolFault[] {
  return readAddress(value) === undefined ? [{ rule: 'bound', field, value, says: NO_ADDRESS }] : [];
}

function subnetFault(field: string, value: string): readonly PoolFault[] {
  return parseSubnet(value) === undefined
    ? [{ rule: 'subnet', field, value, says: 'is not a subnet like 10.0.0.0/24' }]
    : [];
}

function reversedFault(field: string, { start, end }: Bounds): readonly PoolFault[] {
  const first = readAddress(start ?? '');
  const last = readAddress(end ?? '');
  if (first === undefined || last === undefined || compare(first, last) <= 0) return [];
  return [{ rule: 'reversed', field, value: addressText(last), says: `is before the start ${addressText(first)}` }];
}

function chanceFault(field: string, entry: Entry): readonly PoolFault[] {
  const count = countOf(entry);
  if (count !== undefined && count <= MOST_COUNTED) return [];
  const why = count === undefined ? 'it gives out no countable range' : 'its range is too large to count';
  return [
    { rule: 'uncountable', field, value: '', says: `cannot be used with the allocationStrategy "random": ${why}` },
  ];
}

const OUTSIDE = {
  preAllocatedOutside: { field: 'spec.preAllocations', says: 'is out of bounds of the pools given' },
  inUseOutside: { field: 'spec.pools', says: 'is in use but out of bounds of the pools given' },
} as const;

function outside(pools: readonly Entry[], value: string, rule: keyof typeof OUTSIDE): readonly PoolFault[] {
  const address = readAddress(value);
  return address === undefined || isInSome(pools, address) ? [] : [{ rule, value, ...OUTSIDE[rule] }];
}

const isInSome = (pools: readonly Entry[], address: Address): boolean => pools.some(entry => isWithin(entry, address));
