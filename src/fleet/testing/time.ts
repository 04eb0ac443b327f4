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
  return {
    clock,
    advance: ms => {
      if (Number.isFinite(ms) && ms >= 0) return clock.advance(ms);
      return Promise.reject(optionInvalid('advance', 'moved by 0 or more milliseconds', ms));
    },
  };
}
