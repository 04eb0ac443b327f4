// Claims of one pool that have no address: who is woken when one is freed, and who when the pool changes.

import type { ObjectKey } from '../../kube/object.ts';

export interface Waiter {
  /** Of the claim. */
  readonly kind: string;
  readonly key: ObjectKey;
  /** The pool as it was when the claim began to wait. */
  readonly seen: string;
  /** The one address that it waits for; absent: any. */
  readonly awaits?: string | undefined;
  readonly wake: () => void;
}

/**
 * Bounded by the claims that exist. As many are woken as addresses are freed, the longest waiting first: waking all of them
 * each time would cost a pass of each for every address.
 */
export class Waiting {
  private readonly forAny = new Map<string, Waiter>();
  private readonly forOne = new Map<string, Waiter>();

  /** A claim that waits already keeps its turn. */
  add(holder: string, waiter: Waiter): void {
    const [of, other] = waiter.awaits === undefined ? [this.forAny, this.forOne] : [this.forOne, this.forAny];
    other.delete(holder);
    of.set(holder, waiter);
  }

  remove(holder: string): void {
    this.forAny.delete(holder);
    this.forOne.delete(holder);
  }

  /** Wakes all who wait for this very address, or else the first who takes any; that one goes to the end of the line. */
  freed(text: string): void {
    const meant = [...this.forOne.values()].filter(({ awaits }) => awaits === text);
    for (const { wake } of meant) wake();
    const [first] = meant.length > 0 ? [] : this.forAny;
    if (first === undefined) return;
    const [holder, waiter] = first;
    this.forAny.delete(holder);
    this.forAny.set(holder, waiter);
    waiter.wake();
  }

  /** Those who saw the pool otherwise. */
  surprisedBy(seen: string): readonly Waiter[] {
    return [...this.forAny.values(), ...this.forOne.values()].filter(waiter => waiter.seen !== seen);
  }

  get isEmpty(): boolean {
    return this.forAny.size + this.forOne.size === 0;
  }
}
