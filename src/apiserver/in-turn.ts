// What the server writes by itself, one thing after the other: what fails is told, and the next is done all the same.

import { messageOf } from '../base/errors.ts';
import type { Log } from '../base/log.ts';

export class InTurn {
  readonly #log: Log;
  #last: Promise<void> = Promise.resolve();
  #isOver = false;

  constructor(log: Log) {
    this.#log = log;
  }

  /** `what` is told when it fails: a sentence about what was not done. */
  next(what: string, work: () => Promise<void>): void {
    this.#last = this.#last
      .then(() => (this.#isOver ? undefined : work()))
      .catch((error: unknown) => {
        // A store that is being closed takes no writes any more, and needs none.
        if (!this.#isOver) this.#log.error(what, { error: messageOf(error) });
      });
  }

  /** Nothing more is begun, and what fails from now on failed because of the end. */
  end(): void {
    this.#isOver = true;
  }
}
