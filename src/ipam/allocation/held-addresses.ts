// Which addresses of one pool are held and by whom, and the first that is not: by objects, claims and pre-allocations.

import type { Address } from '../../base/ip.ts';
import { NumberSet } from '../../base/number-set.ts';
import { type Family, readAddress } from '../addresses/address.ts';

/** What stands for an address that nobody holds and that is not given out again yet. */
export const COOLING = 'cool-down';

/**
 * Addresses by canonical text. An address may have several holders (its object, its claim, its pre-allocation), and is free
 * when it has none. Bounded by the objects and claims that exist and the pre-allocations of the spec.
 */
export class HeldAddresses {
  private readonly holders = new Map<string, Set<string>>();
  private readonly taken: Readonly<Record<Family, NumberSet>> = { 4: new NumberSet(), 6: new NumberSet() };
  /** Until when, in the order in which they end: all cool down for as long. */
  private readonly cooling = new Map<string, number>();

  hold(text: string, holder: string): void {
    const address = readAddress(text);
    if (address === undefined) return;
    const holders = this.holders.get(text) ?? new Set();
    this.holders.set(text, holders.add(holder));
    if (holders.size === 1) this.taken[address.family].add(address.bits);
  }

  /** Whether the address is free by that. */
  letGo(text: string, holder: string): boolean {
    const holders = this.holders.get(text);
    const address = readAddress(text);
    if (address === undefined || holders?.delete(holder) !== true || holders.size > 0) return false;
    this.holders.delete(text);
    this.taken[address.family].delete(address.bits);
    return true;
  }

  /** The address is not given out before this time (metal-7.22): who had it may still answer under it. */
  coolDown(text: string, untilMs: number): void {
    this.hold(text, COOLING);
    this.cooling.delete(text);
    this.cooling.set(text, untilMs);
  }

  /** Those that have cooled down are free. Answers when the next one is; undefined when none is left. */
  warmUp(nowMs: number): number | undefined {
    for (const [text, untilMs] of this.cooling) {
      if (untilMs > nowMs) return untilMs;
      this.cooling.delete(text);
      this.letGo(text, COOLING);
    }
    return undefined;
  }

  holdersOf(text: string): ReadonlySet<string> {
    return this.holders.get(text) ?? new Set();
  }

  /** The first from this one on that nobody holds. */
  firstFree({ family, bits }: Address): Address {
    return { family, bits: this.taken[family].firstAbsent(bits) };
  }

  get isBlank(): boolean {
    return this.holders.size === 0;
  }
}
