// A sleep that can be cut short: what rings before it begins ends it at once.

import type { Clock } from '../base/clock.ts';

export class Alarm {
  private readonly clock: Clock;
  private rung = false;
  private wake: () => void = () => undefined;

  constructor(clock: Clock) {
    this.clock = clock;
  }

  /** Ends the sleep that goes on, or else the next one. */
  ring(): void {
    this.rung = true;
    this.wake();
  }

  /** Resolves after `ms`, or when it rings; rejects with the signal's reason. */
  sleep(ms: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const end = (settle: () => void): void => {
        cancelTimer();
        signal.removeEventListener('abort', aborted);
        this.wake = () => undefined;
        this.rung = false;
        settle();
      };
      const aborted = (): void => end(() => reject(signal.reason));
      const cancelTimer = this.clock.after(ms, () => end(resolve));
      this.wake = () => end(resolve);
      signal.addEventListener('abort', aborted, { once: true });
      if (signal.aborted) aborted();
      else if (this.rung) end(resolve);
    });
  }
}
