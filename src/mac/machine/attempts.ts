// When a host was last tried: how long it has been silent, and how long it is to be left alone after a failure.

import type { Clock } from '../../base/clock.ts';

interface Attempts {
  silentSinceMs: number | undefined;
  heldUntilMs: number;
}

/** Machines remembered at once; one that is forgotten is tried at once, which harms nothing. */
const BOUND = 10_000;

/** In memory: what must survive a restart (the count of failures) is in the machine's status. */
export class AttemptTimes {
  readonly #clock: Clock;
  readonly #byUid = new Map<string, Attempts>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Milliseconds since the first unanswered call of this silence. */
  silentMs(uid: string): number {
    const attempts = this.#of(uid);
    attempts.silentSinceMs ??= this.#clock.monotonic();
    return this.#clock.monotonic() - attempts.silentSinceMs;
  }

  /** The host answered, or its silence was counted: the next silence is a new one. */
  heard(uid: string): void {
    this.#of(uid).silentSinceMs = undefined;
  }

  /** Leaves the host alone for a while: the status write of a failure would wake the next attempt at once. */
  hold(uid: string, ms: number): void {
    this.#of(uid).heldUntilMs = this.#clock.monotonic() + ms;
  }

  /** Milliseconds until the next attempt; 0 when it may begin. */
  heldMs(uid: string): number {
    return Math.max(0, this.#of(uid).heldUntilMs - this.#clock.monotonic());
  }

  #of(uid: string): Attempts {
    const known = this.#byUid.get(uid);
    if (known !== undefined) return known;
    if (this.#byUid.size >= BOUND) this.#byUid.clear();
    const fresh = { silentSinceMs: undefined, heldUntilMs: 0 };
    this.#byUid.set(uid, fresh);
    return fresh;
  }
}
