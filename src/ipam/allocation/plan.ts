// What a pool's spec says about giving out addresses, read once per change: its ranges in order, and who has a claim to what.

import { type Address, addressText } from '../../base/ip.ts';
import type { IPPool } from '../../kinds/generated/ip-pool.generated.ts';
import { readAddress } from '../addresses/address.ts';
import { type AddressRange, inRange, rangeOf } from '../addresses/range.ts';
import { idleRanges } from '../pool/idle-ranges.ts';
import { few } from './few.ts';

/** What an address of a pool comes with. */
export interface AddressValues {
  readonly prefix?: number;
  readonly gateway?: string;
  readonly dnsServers: readonly string[];
}

export interface Plan {
  readonly namePrefix: string;
  readonly strategy: 'sequential' | 'random';
  /** In the order of the spec. An entry that gives out nothing is not among them. */
  readonly ranges: readonly { readonly range: AddressRange; readonly values: AddressValues }[];
  /** Canonical text by name of the claim: an address is the same however it is spelled. */
  readonly preAllocations: ReadonlyMap<string, string>;
  /** Why entries, or the whole pool, give out nothing, for claims that get nothing. */
  readonly idle?: string;
}

/** An unreadable entry or pre-allocation is left out: the rest of the pool serves on, and poolFaults tells of it. */
export function planOf(pool: IPPool): Plan {
  const { spec } = pool;
  const { prefix, gateway, dnsServers = [], pools = [], preAllocations = {} } = spec ?? {};
  const ranges = pools.flatMap(entry => {
    const range = rangeOf(entry);
    const own = { prefix: entry.prefix || prefix, gateway: entry.gateway ?? gateway };
    const values = { ...defined(own), dnsServers: entry.dnsServers?.length ? entry.dnsServers : dnsServers };
    return range === undefined ? [] : [{ range, values }];
  });
  const reserved = Object.entries(preAllocations).flatMap(([claim, text]) => {
    const address = readAddress(text);
    return address === undefined ? [] : [[claim, addressText(address)] as const];
  });
  const strategy = spec?.allocationStrategy ?? 'sequential';
  const plan = { namePrefix: spec?.namePrefix ?? '', strategy, ranges, preAllocations: new Map(reserved) };
  const idle = idleRanges(pool);
  return idle.length === 0 ? plan : { ...plan, idle: `see IPPool ${pool.metadata.name}, ${few(idle)}` };
}

function defined({ prefix, gateway }: { prefix: number | undefined; gateway: string | undefined }): {
  prefix?: number;
  gateway?: string;
} {
  return { ...(prefix === undefined ? {} : { prefix }), ...(gateway === undefined ? {} : { gateway }) };
}

/** What an address comes with; undefined when no range of the pool has it. */
export function valuesOf({ ranges }: Plan, address: Address): AddressValues | undefined {
  return ranges.find(({ range }) => inRange(range, address))?.values;
}

/** `<namePrefix>-<address>`, dots and colons as dashes, none at the end: the name is the lock on the address. */
export function objectName(namePrefix: string, text: string): string {
  return `${namePrefix}-${text.replaceAll(/[.:]/g, '-')}`.replace(/-+$/, '');
}

/** The address that an object of this name stands for; undefined when the name is not of this pool's making. */
export function addressOfName(namePrefix: string, name: string): string | undefined {
  if (!name.startsWith(`${namePrefix}-`)) return undefined;
  const dashed = name.slice(namePrefix.length + 1);
  const spelled = [dashed.replaceAll('-', '.'), dashed.replaceAll('-', ':'), `${dashed.replaceAll('-', ':')}::`];
  for (const text of spelled) {
    const address = readAddress(text);
    if (address !== undefined && objectName(namePrefix, addressText(address)) === name) return addressText(address);
  }
  return undefined;
}
