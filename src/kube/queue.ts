// Which object a controller looks at next: one pass per key at a time, changes before routine rechecks.

import type { Clock } from '../base/clock.ts';
import type { Random } from '../base/random.ts';

/** A `change` (something happened) goes before a `routine` recheck (a timer, a restart). */
export type Lane = 'change' | 'routine';

/** One key taken for a pass, and what put it in: the first few reasons. */
export interface Entry {
  readonly key: string;
  readonly lane: Lane;
  readonly why: readonly string[];
}

interface Waiting {
  lane: Lane;
  readonly why: string[];
}

/** Reasons kept per entry; more of them say nothing new. */
const MOST_REASONS = 4;

/** After so many changes in a row one routine entry goes first, so that a busy cluster still rechecks. */
const CHANGES_PER_ROUTINE = 20;

const LONGEST_BACKOFF_MS = 120_000;

/** The queue of one controller. It holds each key at most once, so it is bounded by the objects that exist. */
export class Queue {
  private readonly clock: Clock;
  private readonly random: Random;
  /** What is due, in the order of each lane. */
  private readonly due: Readonly<Record<Lane, Set<string>>> = { change: new Set(), routine: new Set() };
  private readonly waiting = new Map<string, Waiting>();
  /** Keys with a pass going on. */
  private readonly busy = new Set<string>();
  private readonly timers = new Map<string, { readonly dueMs: number; readonly cancel: () => void }>();
  private readonly failures = new Map<string, number>();
  private readonly takers: ((entry: Entry | undefined) => void)[] = [];
  private changesInARow = 0;
  private closed = false;

  constructor(clock: Clock, random: Random) {
    this.clock = clock;
    this.random = random;
  }

  /** Puts a key in, or adds the reason to the entry that is there. A change lifts a routine entry to its lane. */
  add(key: string, why: string, lane: Lane): void {
    if (this.closed) return;
    const entry = this.waiting.get(key);
    if (entry === undefined) this.waiting.set(key, { lane, why: [why] });
    else merge(entry, why, lane);
    if (this.busy.has(key)) return; // its turn comes when the pass that goes on has ended
    this.line(key);
    this.serve();
  }

  /** Puts a key in after `ms`, unless an earlier timer of the same key is set. */
  addAfter(key: string, why: string, ms: number, lane: Lane = 'routine'): void {
    const dueMs = this.clock.monotonic() + ms;
    const earlier = this.timers.get(key);
    if (this.closed || (earlier !== undefined && earlier.dueMs <= dueMs)) return;
    earlier?.cancel();
    const cancel = this.clock.after(ms, () => {
      this.timers.delete(key);
      this.add(key, why, lane);
    });
    this.timers.set(key, { dueMs, cancel });
  }

  /** Puts a key in again after a failure: later each time, and never all at once. Answers the delay in milliseconds. */
  backOff(key: string, why: string, { firstMs, atLeastMs = 0 }: { firstMs: number; atLeastMs?: number }): number {
    const failures = this.failures.get(key) ?? 0;
    this.failures.set(key, failures + 1);
    const growingMs = Math.min(LONGEST_BACKOFF_MS, firstMs * 2 ** Math.min(failures, 20));
    const delayMs = atLeastMs + Math.ceil(growingMs / 2) + this.random.below(Math.ceil(growingMs / 2) + 1);
    this.addAfter(key, why, delayMs, 'change');
    return delayMs;
  }

  /** The pass of this key went well (or its object is gone): the next failure starts with a short delay again. */
  succeed(key: string): void {
    this.failures.delete(key);
  }

  /** The next key; undefined once the queue is closed. Its timer, if any, is off: the pass sets the next one. */
  take(): Promise<Entry | undefined> {
    return new Promise(resolve => {
      this.takers.push(resolve);
      this.serve();
    });
  }

  /** Ends the pass of a taken key. */
  done(key: string): void {
    this.busy.delete(key);
    if (!this.waiting.has(key)) return;
    this.line(key);
    this.serve();
  }

  /** The pass of a taken key begins only now: what was added since it was taken asks for no other. */
  cover(key: string): void {
    if (this.busy.has(key)) this.waiting.delete(key);
  }

  /** How many keys are due now. */
  depth(lane: Lane): number {
    return this.due[lane].size;
  }

  /** Gives out nothing more and cancels every timer. Passes that go on may still end. */
  close(): void {
    this.closed = true;
    for (const { cancel } of this.timers.values()) cancel();
    this.timers.clear();
    this.serve();
  }

  private line(key: string): void {
    const lane = this.waiting.get(key)?.lane ?? 'routine';
    if (lane === 'change') this.due.routine.delete(key);
    this.due[lane].add(key);
  }

  private serve(): void {
    while (this.takers.length > 0) {
      const entry = this.closed ? undefined : this.next();
      if (entry === undefined && !this.closed) return;
      this.takers.shift()?.(entry);
    }
  }

  private next(): Entry | undefined {
    const lane = this.laneInTurn();
    const [key] = this.due[lane];
    if (key === undefined) return undefined;
    const why = this.waiting.get(key)?.why ?? [];
    this.due[lane].delete(key);
    this.waiting.delete(key);
    this.timers.get(key)?.cancel();
    this.timers.delete(key);
    this.busy.add(key);
    return { key, lane, why };
  }

  private laneInTurn(): Lane {
    if (this.due.routine.size === 0) return 'change';
    if (this.due.change.size === 0 || this.changesInARow >= CHANGES_PER_ROUTINE) {
      this.changesInARow = 0;
      return 'routine';
    }
    this.changesInARow++;
    return 'change';
  }
}

function merge(entry: Waiting, why: string, lane: Lane): void {
  if (lane === 'change') entry.lane = 'change';
  if (entry.why.length < MOST_REASONS && !entry.why.includes(why)) entry.why.push(why);
}
