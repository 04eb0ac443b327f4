// Remembers the last unbroken run of "absent" answers per subject, so that two of them can become a proof (safe-2).

import type { Clock } from '../base/clock.ts';
import type { Sighting } from '../base/sighting.ts';
import { apartMs, type Evidence, evidence, READS_APART_MS } from './proof.ts';

/** What the answers so far amount to. `again` says in how many milliseconds a further read can complete the pair. */
export type Standing =
  | { readonly kind: 'twice'; readonly reads: readonly [Evidence, Evidence] }
  | { readonly kind: 'once'; readonly againInMs: number }
  | { readonly kind: 'no'; readonly answer: 'present' | 'unknown'; readonly why: string };

/** Subjects remembered at once; the one noted longest ago is forgotten first, which only costs it a further read. */
const BOUND = 20_000;

/** In memory on purpose: after a restart the pair is read anew, and nothing is released from an old answer. */
export class AbsenceJournal {
  readonly #clock: Clock;
  readonly #first = new Map<string, Evidence>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Notes one answer about `subject`. `apartMs`: 5 s (safe-2), or what a stricter rule asks (safe-5: 90 s). */
  note(subject: string, sighting: Sighting<unknown>, apart: number = READS_APART_MS): Standing {
    if (sighting.kind !== 'absent') {
      this.#first.delete(subject);
      return {
        kind: 'no',
        answer: sighting.kind,
        why: sighting.kind === 'unknown' ? sighting.reason : `${subject} is there`,
      };
    }
    const now = evidence(this.#clock, sighting.asked, sighting.subject, 'absent');
    const first = this.#first.get(subject);
    if (first === undefined || isStale(first, now)) {
      this.#remember(subject, now);
      return { kind: 'once', againInMs: apart };
    }
    const soFarMs = apartMs(first, now);
    return soFarMs >= apart ? { kind: 'twice', reads: [first, now] } : { kind: 'once', againInMs: apart - soFarMs };
  }

  /** Drops what is known of a subject: it was released, or it is no longer asked about. */
  forget(subject: string): void {
    this.#first.delete(subject);
  }

  #remember(subject: string, first: Evidence): void {
    this.#first.delete(subject);
    if (this.#first.size >= BOUND) {
      const oldest = this.#first.keys().next();
      if (oldest.done !== true) this.#first.delete(oldest.value);
    }
    this.#first.set(subject, first);
  }
}

/** A first answer from before the wall clock went back says nothing (safe-21). */
function isStale(first: Evidence, now: Evidence): boolean {
  return now.wallMs < first.wallMs;
}
