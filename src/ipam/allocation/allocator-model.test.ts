// The allocator against a list that a child could keep: 10,000 random sequences of claims and objects that come and go.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { seededRandom } from '../../../sim/time/random.ts';
import type { IPPool } from '../../kinds/generated/ip-pool.generated.ts';
import { Allocator } from './allocator.ts';
import type { Choice } from './choice.ts';
import { planOf } from './plan.ts';

const ADDRESSES = ['10.0.0.253', '10.0.0.254', '10.0.0.255', '10.0.1.0', '10.0.1.1', '10.0.1.2'];
const [RESERVED = ''] = ADDRESSES.slice(1);
const RESERVED_FOR = 7;
const EVERYBODY = [0, 1, 2, 3, 4, 5, 6, 7];

const pool = (allocationStrategy: 'sequential' | 'random'): IPPool => ({
  apiVersion: 'ipam.metal3.io/v1alpha1',
  kind: 'IPPool',
  metadata: { name: 'p' },
  spec: {
    namePrefix: 'p',
    allocationStrategy,
    pools: [
      { start: '10.0.0.253', end: '10.0.1.0' },
      { start: '10.0.1.1', end: '10.0.1.2' },
    ],
    preAllocations: { [`c${RESERVED_FOR}`]: RESERVED },
  },
});

const addressOf = (one: number): string => ADDRESSES[one % ADDRESSES.length] ?? '';

type Act = 'give' | 'ask' | 'end' | 'object' | 'no object';

class Model {
  readonly claims = new Map<number, string>();
  readonly objects = new Map<number, string>();
  private readonly allocator: Allocator;
  private readonly isRandom: boolean;

  constructor(isRandom: boolean, seed: number) {
    this.isRandom = isRandom;
    this.allocator = new Allocator({
      random: seededRandom(seed),
      monotonic: () => 0,
      coolDownMs: 0,
      freed: text => assert.ok(!this.isHeld(text), `${text} was freed while it is held`),
    });
    this.allocator.replan(planOf(pool(isRandom ? 'random' : 'sequential')));
  }

  act(what: Act, one: number): void {
    if (what === 'end') this.end(one);
    else if (what === 'object') this.put(one);
    else if (what === 'no object') this.take(one);
    else this.give(one, what === 'ask' ? addressOf(one) : undefined);
  }

  end(one: number): void {
    this.claims.delete(one);
    this.allocator.unbind(`IPClaim c${one}`);
  }

  take(one: number): void {
    this.objects.delete(one);
    this.allocator.loseObject(`IPAddress ${one}`);
  }

  give(one: number, requested?: string): Choice {
    const allowed = this.allowed(one, requested);
    this.claims.delete(one);
    const choice = this.allocator.give({ claim: `c${one}`, holder: `IPClaim c${one}`, requested });
    if (choice.kind !== 'given') assert.deepEqual(allowed, []);
    else if (this.isRandom) assert.ok(allowed.includes(choice.text));
    else assert.equal(choice.text, allowed[0]);
    if (choice.kind === 'given') this.claims.set(one, choice.text);
    return choice;
  }

  private put(one: number): void {
    this.objects.set(one, addressOf(one));
    this.allocator.seeObject(`IPAddress ${one}`, addressOf(one));
  }

  /** What the claim may get, the lowest first. */
  private allowed(one: number, requested: string | undefined): readonly string[] {
    const free = ADDRESSES.filter(text => !this.isHeldAgainst(one, text));
    const before = this.claims.get(one);
    if (one === RESERVED_FOR && requested !== undefined && requested !== RESERVED) return [];
    if (one === RESERVED_FOR) return free.filter(text => text === RESERVED);
    if (requested !== undefined) return free.filter(text => text === requested);
    return before !== undefined && free.includes(before) ? [before] : free;
  }

  private isHeldAgainst(one: number, text: string): boolean {
    const byOther = [...this.claims].some(([who, its]) => its === text && who !== one);
    return byOther || [...this.objects.values()].includes(text) || (text === RESERVED && one !== RESERVED_FOR);
  }

  private isHeld(text: string): boolean {
    return [...this.claims.values(), ...this.objects.values(), RESERVED].includes(text);
  }
}

test('10,000 random sequences: as the list says, nothing twice, and nothing lost', () => {
  const act = fc.tuple(fc.constantFrom<Act>('give', 'give', 'ask', 'end', 'object', 'no object'), fc.nat({ max: 7 }));

  fc.assert(
    fc.property(fc.array(act, { maxLength: 40 }), fc.boolean(), fc.nat(), (acts, isRandom, seed) => {
      const model = new Model(isRandom, seed);
      for (const [what, one] of acts) model.act(what, one);

      for (const one of EVERYBODY) {
        model.end(one);
        model.take(one);
      }
      const given = [RESERVED_FOR, 0, 1, 2, 3, 4].map(one => model.give(one).kind);

      assert.deepEqual(given, Array(6).fill('given'));
    }),
    { numRuns: 10_000, seed: 7 },
  );
});
