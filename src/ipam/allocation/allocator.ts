// Gives out the addresses of one pool: what objects, claims and pre-allocations hold is known, and no address is given twice.

import type { Random } from '../../base/random.ts';
import { canonicalText } from '../addresses/address.ts';
import { type Choice, choose, preAllocated, type Wish } from './choice.ts';
import { HeldAddresses } from './held-addresses.ts';
import type { Plan } from './plan.ts';

const NO_PLAN: Plan = { namePrefix: '', strategy: 'sequential', ranges: [], preAllocations: new Map() };

export interface AllocatorOptions {
  readonly random: Random;
  /** Milliseconds that only grow. */
  readonly monotonic: () => number;
  /** How long an address that was let go is kept back; 0: not at all. */
  readonly coolDownMs: number;
  /** Called with each address that nobody holds any more; who is kept waiting by its cool-down learns until when. */
  readonly freed: (text: string) => void;
}

/**
 * One for each pool, for both kinds of claims, so that they cannot be given the same address. It holds what it gave to a claim
 * from then on, whether or not the object is there yet: until the claim is gone.
 */
export class Allocator {
  plan: Plan = NO_PLAN;
  private readonly options: AllocatorOptions;
  private readonly held = new HeldAddresses();
  /** What each claim holds, by holder. */
  private readonly claims = new Map<string, string>();
  /** What each object holds, by holder. */
  private readonly objects = new Map<string, string>();

  constructor(options: AllocatorOptions) {
    this.options = options;
  }

  /** The spec has changed, or the pool is gone (undefined). Pre-allocations of a pool that is being deleted hold nothing. */
  replan(plan: Plan = NO_PLAN): void {
    const before = this.plan;
    this.plan = plan;
    for (const [claim, text] of plan.preAllocations) this.held.hold(text, preAllocated(claim));
    for (const [claim, text] of before.preAllocations) {
      if (plan.preAllocations.get(claim) !== text) this.drop(text, preAllocated(claim), 0);
    }
  }

  /** An object is there; its address counts however it is spelled, in the ranges or not. */
  seeObject(holder: string, spelled: string): void {
    this.move(this.objects, holder, canonicalText(spelled));
  }

  loseObject(holder: string): void {
    this.move(this.objects, holder, undefined);
  }

  /** A claim says (by its status) which address is its own, or was given one. */
  bind(holder: string, text: string): void {
    this.move(this.claims, holder, text);
  }

  /** The claim is gone, or what it was given turned out to be another's. */
  unbind(holder: string): void {
    this.move(this.claims, holder, undefined);
  }

  /** What the claim was given before. */
  boundTo(holder: string): string | undefined {
    return this.claims.get(holder);
  }

  /** Gives the claim what it was given before, if only it holds that, or else what it may have; and holds that for it. */
  give(wish: Wish): Choice {
    this.held.warmUp(this.options.monotonic());
    const again = this.choiceAgain(wish);
    const choice = again ?? choose(wish, this.plan, this.held, this.options.random);
    if (choice.kind === 'given') this.bind(wish.holder, choice.text);
    else this.unbind(wish.holder);
    return choice;
  }

  /** What the claim was given turned out to be another's, of whom nothing is known yet: nobody gets it for that long. */
  keepBack(holder: string, text: string, atLeastMs: number): void {
    this.held.coolDown(text, this.options.monotonic() + Math.max(atLeastMs, this.options.coolDownMs));
    this.unbind(holder);
  }

  /** Milliseconds until the next address has cooled down; undefined when none does. */
  untilWarm(): number | undefined {
    const nowMs = this.options.monotonic();
    const nextMs = this.held.warmUp(nowMs);
    return nextMs === undefined ? undefined : nextMs - nowMs;
  }

  /** Who holds an address. */
  holdersOf(text: string): ReadonlySet<string> {
    return this.held.holdersOf(text);
  }

  get isBlank(): boolean {
    return this.held.isBlank;
  }

  /** An address that was lost, or whose making was interrupted, is given to its claim again (metal-S16). */
  private choiceAgain(wish: Wish): Choice | undefined {
    const text = this.claims.get(wish.holder);
    if (text === undefined) return undefined;
    const choice = choose({ ...wish, requested: wish.requested || text }, this.plan, this.held, this.options.random);
    return choice.kind === 'given' && choice.text === text ? choice : undefined;
  }

  private move(of: Map<string, string>, holder: string, text: string | undefined): void {
    const before = of.get(holder);
    if (before === text) return;
    if (text !== undefined) {
      of.set(holder, text);
      this.held.hold(text, holder);
    } else of.delete(holder);
    if (before !== undefined) this.drop(before, holder, this.options.coolDownMs);
  }

  private drop(text: string, holder: string, coolDownMs: number): void {
    if (!this.held.letGo(text, holder)) return;
    if (coolDownMs > 0) this.held.coolDown(text, this.options.monotonic() + coolDownMs);
    this.options.freed(text);
  }
}
