// Lets the passes of one process do a thing one after the other.

export class OneAtATime {
  #last: Promise<unknown> = Promise.resolve();

  /** Runs `work` once everything that was asked for before has ended, however it ended. */
  run<T>(work: () => Promise<T>): Promise<T> {
    const mine = this.#last.then(work, work);
    this.#last = mine.catch(() => undefined);
    return mine;
  }
}
