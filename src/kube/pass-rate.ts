// Bounds how often one object is looked at: a controller whose own writes wake it must not become a hot loop.

import { type Clock, seconds } from '../base/clock.ts';

/** More than any burst of true changes needs. */
const MOST_PASSES = 100;

const WINDOW_MS = seconds(1);

/** Counts the passes of each key within a second. */
export class PassRate {
  private readonly clock: Clock;
  private windowMs = 0;
  private readonly passes = new Map<string, number>();

  constructor(clock: Clock) {
    this.clock = clock;
  }

  /** Counts a pass that is about to begin. True: it is one too many, and has to wait. */
  exceededBy(key: string): boolean {
    const nowMs = this.clock.monotonic();
    if (nowMs - this.windowMs >= WINDOW_MS) {
      this.windowMs = nowMs;
      this.passes.clear();
    }
    const count = (this.passes.get(key) ?? 0) + 1;
    this.passes.set(key, count);
    return count > MOST_PASSES;
  }
}
