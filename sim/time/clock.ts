// A clock that stands still until it is told to move: every timer is listed and fired by whoever explores.

import { setImmediate as turn } from 'node:timers/promises';
import { type Clock, sleepOn } from '../../src/base/clock.ts';

/** A timer that has not fired. Due in monotonic milliseconds; equal ones fire in the order they were set. */
export interface PendingTimer {
  readonly id: number;
  readonly dueMs: number;
  readonly fn: () => void;
}

export interface VirtualClock extends Clock {
  /** What has not fired yet, soonest first. */
  pending(): readonly PendingTimer[];
  /** Fires this timer, now or ahead of its turn; time moves on to where it was due. False when it is not pending. */
  fire(id: number): boolean;
  /** Fires the soonest timer. False when there is none. */
  fireNext(): boolean;
  /** Moves time by `ms`, firing what falls due in order and letting the program settle after each. */
  advance(ms: number): Promise<void>;
  /** Jumps from timer to timer until `condition` holds. False when it does not within `withinMs`. */
  runUntil(condition: () => boolean, withinMs: number): Promise<boolean>;
  /** Moves the wall clock alone, forwards or back, as an administrator or NTP would. */
  jumpWall(ms: number): void;
}

/** Lets every microtask run that is due: after it, the program waits for a timer or an answer. */
export const settled = (): Promise<void> => turn();

/** A virtual clock that starts at `startMs` (2026-01-01 unless told otherwise). */
export function virtualClock(startMs = Date.UTC(2026, 0, 1)): VirtualClock {
  return new Timeline(startMs);
}

class Timeline implements VirtualClock {
  private wallOffsetMs: number;
  private atMs = 0;
  private lastId = 0;
  /** Sorted by due time, then id. */
  private readonly timers: PendingTimer[] = [];

  constructor(startMs: number) {
    this.wallOffsetMs = startMs;
  }

  now(): number {
    return Math.floor(this.wallOffsetMs + this.atMs);
  }

  monotonic(): number {
    return this.atMs;
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return sleepOn(this, ms, signal);
  }

  after(ms: number, fn: () => void): () => void {
    const timer = { id: ++this.lastId, dueMs: this.atMs + Math.max(0, ms), fn };
    this.timers.splice(this.placeOf(timer), 0, timer);
    return () => {
      this.take(timer);
    };
  }

  deadline(ms: number): AbortSignal {
    const controller = new AbortController();
    this.after(ms, () => controller.abort(new DOMException(`no answer within ${ms} ms`, 'TimeoutError')));
    return controller.signal;
  }

  pending(): readonly PendingTimer[] {
    return [...this.timers];
  }

  fire(id: number): boolean {
    const timer = this.timers.find(candidate => candidate.id === id);
    return timer !== undefined && this.fireTimer(timer);
  }

  fireNext(): boolean {
    const timer = this.timers[0];
    return timer !== undefined && this.fireTimer(timer);
  }

  async advance(ms: number): Promise<void> {
    const untilMs = this.atMs + ms;
    await settled();
    while ((this.timers[0]?.dueMs ?? Number.POSITIVE_INFINITY) <= untilMs) {
      this.fireNext();
      await settled();
    }
    this.atMs = untilMs;
  }

  async runUntil(condition: () => boolean, withinMs: number): Promise<boolean> {
    const untilMs = this.atMs + withinMs;
    await settled();
    while (!condition()) {
      if ((this.timers[0]?.dueMs ?? Number.POSITIVE_INFINITY) > untilMs) return false;
      this.fireNext();
      await settled();
    }
    return true;
  }

  jumpWall(ms: number): void {
    this.wallOffsetMs += ms;
  }

  private fireTimer(timer: PendingTimer): boolean {
    this.take(timer);
    this.atMs = Math.max(this.atMs, timer.dueMs);
    timer.fn();
    return true;
  }

  private take(timer: PendingTimer): void {
    const at = this.placeOf(timer);
    if (this.timers[at] === timer) this.timers.splice(at, 1);
  }

  private placeOf(timer: PendingTimer): number {
    let low = 0;
    let high = this.timers.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const other = this.timers[middle];
      if (other !== undefined && isBefore(other, timer)) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

function isBefore(one: PendingTimer, other: PendingTimer): boolean {
  return one.dueMs < other.dueMs || (one.dueMs === other.dueMs && one.id < other.id);
}
