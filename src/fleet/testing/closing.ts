// How what a start has begun ends: in the opposite order, once, and wholly even when a part of it fails.

export class Closing {
  readonly #parts: (() => Promise<void>)[] = [];
  #closed: Promise<void> | undefined;

  get isClosed(): boolean {
    return this.#closed !== undefined;
  }

  add(close: () => Promise<void>): void {
    this.#parts.push(close);
  }

  /** Can be called again: it then waits for the first call. */
  close(): Promise<void> {
    this.#closed ??= this.#closeAll();
    return this.#closed;
  }

  async #closeAll(): Promise<void> {
    const failures: unknown[] = [];
    for (const close of this.#parts.splice(0).reverse()) {
      await close().catch((error: unknown) => {
        failures.push(error);
      });
    }
    if (failures.length > 0) throw failures[0];
  }
}
