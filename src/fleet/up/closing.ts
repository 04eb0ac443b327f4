// What was started and must be ended: in reverse order, each although another failed.

import { messageOf } from '../../base/errors.ts';
import type { Log } from '../../base/log.ts';
import type { Program } from '../controllers.ts';

type Close = () => Promise<unknown>;

export class Closing {
  readonly #log: Log;
  readonly #opened: (readonly [what: string, close: Close])[] = [];
  readonly #failed = Promise.withResolvers<never>();

  constructor(log: Log) {
    this.#log = log;
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
      this.#log.error('A program of the fleet failed', { program: what, error: messageOf(error) });
      this.#failed.reject(error);
    });
    this.add(what, () => {
      stop.abort(new Error('the fleet stops'));
      return running;
    });
  }

  async close(): Promise<void> {
    for (const [what, close] of this.#opened.splice(0).reverse()) {
      await close().catch((error: unknown) => {
        this.#log.error('Something could not be ended in order', { what, error: messageOf(error) });
      });
    }
  }
}
