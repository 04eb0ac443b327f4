// Decides, by a seed, what happens next: which answer arrives, which watch event, or how far the clock jumps.

import { settled, type VirtualClock } from '../../sim/time/clock.ts';
import type { Random } from '../../src/base/random.ts';

interface Held {
  readonly label: string;
  readonly release: () => void;
}

/** One run's order of things. Everything that leaves a process is held here until its turn. */
export class Schedule {
  /** What happened, in order: equal for equal seeds, byte for byte. */
  readonly trace: string[] = [];
  readonly #clock: VirtualClock;
  readonly #random: Random;
  readonly #held: Held[] = [];

  constructor(clock: VirtualClock, random: Random) {
    this.#clock = clock;
    this.#random = random;
  }

  /** Resolves when it is this one's turn. */
  hold(label: string): Promise<void> {
    return new Promise(resolve => {
      this.#held.push({ label, release: resolve });
    });
  }

  sleep(ms: number): Promise<void> {
    return this.#clock.sleep(ms);
  }

  /** Notes something that happened without being held (a crash, a restart). */
  note(label: string): void {
    this.trace.push(`${this.#clock.monotonic()} ${label}`);
  }

  /** Lets things happen until `until` holds. False when `withinMs` of virtual time passed, or nothing is left to happen. */
  async run(until: () => boolean, withinMs: number): Promise<boolean> {
    const endMs = this.#clock.monotonic() + withinMs;
    for (;;) {
      await settled();
      if (until()) return true;
      if (this.#releaseOne()) continue;
      const [next] = this.#clock.pending();
      if (next === undefined || next.dueMs > endMs) return false;
      this.#clock.fireNext();
    }
  }

  /** Lets `ms` of virtual time pass, with all that happens in it. */
  async pass(ms: number): Promise<void> {
    let over = false;
    this.#clock.after(ms, () => {
      over = true;
    });
    await this.run(() => over, ms);
  }

  #releaseOne(): boolean {
    if (this.#held.length === 0) return false;
    const [next] = this.#held.splice(this.#random.below(this.#held.length), 1);
    if (next === undefined) return false;
    this.note(next.label);
    next.release();
    return true;
  }
}
