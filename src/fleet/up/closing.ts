// What was started and must be ended: in reverse order, each although another failed (up-9).

import { type Clock, seconds } from '../../base/clock.ts';
import { messageOf } from '../../base/errors.ts';
import type { Log } from '../../base/log.ts';
import type { Program } from '../controllers.ts';

type Close = () => Promise<unknown>;

/** Longer than anything takes that ends in order: whoever told the fleet to end is not kept waiting for ever. */
const PATIENCE_MS = seconds(40);

type Around = { readonly log: Log; readonly clock: Clock };

export class Closing {
  readonly #around: Around;
  readonly #opened: (readonly [what: string, close: Close])[] = [];
  readonly #failed = Promise.withResolvers<never>();

  constructor(around: Around) {
    this.#around = around;
    // Whoever waits for it hears of it; before and after, nobody does.
    this.#failed.promise.catch(() => undefined);
  }

  /** Rejects when one of the programs has failed. */
  get failed(): Promise<never> {
    return this.#failed.promise;
  }

  add(what: string, close: Close): void {
    this.#opened.push([what, close]);
  }

  /** Starts a program, which ends when everything is closed. */
  run(what: string, program: Program): void {
    const stop = new AbortController();
    const running = program(stop.signal).catch((error: unknown) => {
      this.#around.log.error('A program of the fleet failed', { program: what, error: messageOf(error) });
      this.#failed.reject(error);
    });
    this.add(what, () => {
      stop.abort(new Error('the fleet stops'));
      return running;
    });
  }

  async close(): Promise<void> {
    for (const [what, close] of this.#opened.splice(0).reverse()) {
      await this.#inTime(close).catch((error: unknown) => {
        this.#around.log.error('Something could not be ended in order', { what, error: messageOf(error) });
      });
    }
  }

  async #inTime(close: Close): Promise<void> {
    const closed = new AbortController();
    const late = this.#around.clock.sleep(PATIENCE_MS, closed.signal).then(() => {
      throw new Error(`it did not end within ${PATIENCE_MS / 1000} s`);
    });
    try {
      await Promise.race([close(), late]);
    } finally {
      closed.abort();
      await late.catch(() => undefined);
    }
  }
}
