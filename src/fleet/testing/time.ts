// Which time an API for tests lives in: this machine's, or one that moves only when it is told to.

import { systemClock } from '../../adapters/system/clock.ts';
import type { Clock } from '../../base/clock.ts';
import { clockIsReal, optionInvalid } from './errors.ts';

export interface TestTime {
  readonly clock: Clock;
  advance(ms: number): Promise<void>;
}

export async function timeFrom(virtualStartMs: number | undefined): Promise<TestTime> {
  if (virtualStartMs === undefined) return { clock: systemClock, advance: () => Promise.reject(clockIsReal()) };

  const { virtualClock } = await import('../../../sim/time/clock.ts');
  const clock = virtualClock(virtualStartMs);
  // One after the other: two at once move the clock by their sum.
  let last: Promise<unknown> = Promise.resolve();
  return {
    clock,
    advance: ms => {
      if (!Number.isFinite(ms) || ms < 0) {
        return Promise.reject(optionInvalid('advance', 'moved by 0 or more milliseconds', ms));
      }
      const moved = last.then(() => clock.advance(ms));
      last = moved.catch(() => undefined);
      return moved;
    },
  };
}
