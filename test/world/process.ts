// A program of the fleet as a thing that can crash: it runs in this process, under a life that can end at any call.

import type { Clock } from '../../src/base/clock.ts';
import type { FaultLine } from '../faults/fault-line.ts';

/** What a life gets: its number, by which its calls are known, and the signal that ends it. */
export interface Life {
  readonly number: number;
  readonly signal: AbortSignal;
}

/** Programs by name. A crashed one is started again after `restartMs`, as its supervisor would. */
export class Processes {
  readonly #clock: Clock;
  readonly #restartMs: number;
  readonly #programs = new Map<string, (life: Life) => void>();
  readonly #running = new Map<string, AbortController>();
  #line: FaultLine | undefined;

  constructor(clock: Clock, restartMs: number) {
    this.#clock = clock;
    this.#restartMs = restartMs;
  }

  /** The fault line that numbers lives; set once, right after both exist. */
  under(line: FaultLine): void {
    this.#line = line;
  }

  /** Starts a program. `begin` must return at once; what it started ends with the signal. */
  start(name: string, begin: (life: Life) => void): void {
    this.end(name);
    this.#programs.set(name, begin);
    this.#begin(name, begin);
  }

  /** Ends a program for good: its calls are answered no more. */
  end(name: string): void {
    this.#programs.delete(name);
    this.#stop(name);
  }

  /** The program dies where it stands, and comes back after a while. */
  crash(name: string): void {
    this.#stop(name);
    const begin = this.#programs.get(name);
    if (begin === undefined) return;
    this.#clock.after(this.#restartMs, () => {
      if (this.#programs.get(name) === begin && !this.#running.has(name)) this.#begin(name, begin);
    });
  }

  names(): readonly string[] {
    return [...this.#running.keys()];
  }

  /** Ends everything: the run is over. */
  endAll(): void {
    for (const name of [...this.#programs.keys()]) this.end(name);
  }

  #begin(name: string, begin: (life: Life) => void): void {
    const controller = new AbortController();
    this.#running.set(name, controller);
    begin({ number: this.#line?.begin(name) ?? 1, signal: controller.signal });
  }

  #stop(name: string): void {
    const running = this.#running.get(name);
    this.#running.delete(name);
    this.#line?.begin(name);
    running?.abort(new Error(`${name} ended`));
  }
}
