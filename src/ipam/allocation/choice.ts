// Which address of a pool a claim gets: its pre-allocation, the one it asks for, or the first free one; or why it gets none.

import { type Address, addressText } from '../../base/ip.ts';
import type { Random } from '../../base/random.ts';
import { readAddress } from '../addresses/address.ts';
import type { AddressRange } from '../addresses/range.ts';
import { COOLING, type HeldAddresses } from './held-addresses.ts';
import { type AddressValues, type Plan, valuesOf } from './plan.ts';

/** What a claim may ask for. */
export interface Wish {
  readonly claim: string;
  /** By which it holds what it was given before. */
  readonly holder: string;
  /** The annotation `ipAddress`. */
  readonly requested?: string | undefined;
}

export interface Given {
  readonly kind: 'given';
  readonly text: string;
  readonly values: AddressValues;
}

/** `message` is upstream's, to the letter: people and programs know it. */
export interface Refused {
  readonly kind: 'refused';
  readonly reason: 'PoolExhausted' | 'AllocationFailed';
  readonly message: string;
  readonly detail?: string;
  /** The one address whose freeing would help. */
  readonly awaits?: string;
}

/** Nothing is wrong: the address that is meant is not free yet. */
export interface NotYet {
  readonly kind: 'not yet';
  readonly what: string;
  readonly awaits: string;
}

export type Choice = Given | Refused | NotYet;

/** The holder that a pre-allocation is: the claim of that name, of either kind. */
export const preAllocated = (claim: string): string => `the pre-allocation of "${claim}"`;

const NOT_AVAILABLE = 'Requested IP not available';

/** Draws chance for pools with that strategy alone. Changes nothing. */
export function choose(wish: Wish, plan: Plan, held: HeldAddresses, random: Random): Choice {
  const reserved = plan.preAllocations.get(wish.claim);
  const asked = wish.requested ?? '';
  const requested = asked === '' ? undefined : readAddress(asked);
  if (asked !== '' && requested === undefined) {
    return failed(`Invalid ipAddress annotation ${JSON.stringify(asked)}: not a valid IP address`);
  }
  if (reserved !== undefined && requested !== undefined && addressText(requested) !== reserved) {
    return failed('PreAllocation and requested ip address are conflicting');
  }
  if (reserved !== undefined) return chooseReserved(reserved, wish, plan, held);
  if (requested !== undefined) return chooseRequested(requested, wish, plan, held);
  return chooseFree(plan, held, random);
}

function chooseReserved(text: string, wish: Wish, plan: Plan, held: HeldAddresses): Choice {
  const values = valuesIn(plan, text);
  if (values === undefined) return failed('Pre-allocated IP out of bounds', detailOf(plan.idle));
  // Its claim alone ever has it, so a host of another claim that still answers under it is not feared.
  const [blocker] = blockersOf(text, wish, held).filter(holder => holder !== COOLING);
  if (blocker === undefined) return { kind: 'given', text, values };
  return { kind: 'not yet', what: `${text}, which is pre-allocated to it, to be let go by ${blocker}`, awaits: text };
}

function chooseRequested(address: Address, wish: Wish, plan: Plan, held: HeldAddresses): Choice {
  const text = addressText(address);
  const values = valuesIn(plan, text);
  if (values === undefined) return failed(NOT_AVAILABLE, detailOf(`${text} is in no range of the pool`, plan.idle));
  const blockers = blockersOf(text, wish, held);
  const [blocker] = blockers;
  if (blocker === undefined) return { kind: 'given', text, values };
  if (blockers.every(holder => holder === COOLING)) {
    return { kind: 'not yet', what: `the cool-down of ${text} to end`, awaits: text };
  }
  return failed(NOT_AVAILABLE, { detail: `${text} is held by ${blocker}`, awaits: text });
}

function chooseFree(plan: Plan, held: HeldAddresses, random: Random): Choice {
  for (const { range, values } of plan.ranges) {
    const address = freeIn(range, plan.strategy, { held, random });
    if (address !== undefined) return { kind: 'given', text: addressText(address), values };
  }
  return { kind: 'refused', reason: 'PoolExhausted', message: 'Exhausted IP Pools', ...detailOf(plan.idle) };
}

interface From {
  readonly held: HeldAddresses;
  readonly random: Random;
}

/** The lowest, or the first from a random place on, from the beginning again where the end is reached. */
function freeIn(range: AddressRange, strategy: Plan['strategy'], { held, random }: From): Address | undefined {
  const { family, first, last } = range;
  const start = strategy === 'random' ? first + randomBelow(last - first + 1n, random) : first;
  const ahead = held.firstFree({ family, bits: start });
  if (ahead.bits <= last) return ahead;
  const lowest = start === first ? ahead : held.firstFree({ family, bits: first });
  return lowest.bits <= last ? lowest : undefined;
}

/** 8 bytes more than the bound has: what is uneven about the remainder is beyond notice. */
function randomBelow(bound: bigint, random: Random): bigint {
  const length = Math.ceil(bound.toString(16).length / 2) + 8;
  const drawn = random.bytes(length).reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n);
  return drawn % bound;
}

function valuesIn(plan: Plan, text: string): AddressValues | undefined {
  const address = readAddress(text);
  return address === undefined ? undefined : valuesOf(plan, address);
}

/** Who but this claim holds the address. */
function blockersOf(text: string, { claim, holder }: Wish, held: HeldAddresses): readonly string[] {
  return [...held.holdersOf(text)].filter(each => each !== holder && each !== preAllocated(claim));
}

function detailOf(...words: readonly (string | undefined)[]): Pick<Refused, 'detail'> {
  const said = words.filter(each => each !== undefined);
  return said.length === 0 ? {} : { detail: said.join('; ') };
}

function failed(message: string, more: Pick<Refused, 'detail' | 'awaits'> = {}): Refused {
  return { kind: 'refused', reason: 'AllocationFailed', message, ...more };
}
