// The machine's own clock: what the program runs on outside fault runs.

import { type Clock, sleepOn } from '../../base/clock.ts';

/** Node fires longer timers at once (https://nodejs.org/api/timers.html), so they are waited for in parts. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Real time. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  sleep: (ms, signal) => sleepOn(systemClock, ms, signal),
  after,
  deadline: ms => AbortSignal.timeout(Math.ceil(Math.max(0, ms))),
};

function after(ms: number, fn: () => void): () => void {
  const dueMs = performance.now() + ms;
  let timer: NodeJS.Timeout;
  const armFor = (leftMs: number): void => {
    timer = setTimeout(ring, Math.min(Math.ceil(Math.max(0, leftMs)), LONGEST_TIMER_MS));
  };
  // Node's timers count in whole milliseconds of their loop's time, and fire up to one too early.
  const ring = (): void => {
    const leftMs = dueMs - performance.now();
    if (leftMs > 0) armFor(leftMs);
    else fn();
  };
  armFor(ms);
  return () => clearTimeout(timer);
}
