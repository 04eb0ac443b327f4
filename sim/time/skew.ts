// The same time as another machine's clock shows it: off by some, and running faster or slower.

import { type Clock, sleepOn } from '../../src/base/clock.ts';

export interface Skew {
  /** How fast this clock runs: 1.1 gains six minutes an hour. */
  readonly rate: number;
  /** What its wall clock is ahead. */
  readonly aheadMs: number;
}

/** A clock that shows `true time` with this skew. Changing the skew's `aheadMs` later is a jump of its wall clock. */
export function skewed(trueTime: Clock, skew: Skew): Clock {
  const clock: Clock = {
    now: () => Math.floor(trueTime.now() + skew.aheadMs + trueTime.monotonic() * (skew.rate - 1)),
    monotonic: () => trueTime.monotonic() * skew.rate,
    after: (ms, fn) => trueTime.after(ms / skew.rate, fn),
    sleep: (ms, signal) => sleepOn(clock, ms, signal),
    deadline: ms => trueTime.deadline(ms / skew.rate),
  };
  return clock;
}
