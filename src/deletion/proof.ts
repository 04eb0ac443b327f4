// What counts as proof that a thing is gone, and for how long. Only this file can build an `Absent`.

import type { Clock } from '../base/clock.ts';
import { invariant } from '../base/errors.ts';

/** One answer: who was asked, by which id, what came back, and when (both clocks, safe-21). */
export interface Evidence {
  readonly asked: string;
  readonly subject: string;
  readonly answer: string;
  readonly wallMs: number;
  readonly monotonicMs: number;
}

/** Two absent answers count only when they are at least this far apart (safe-2). */
export const READS_APART_MS = 5_000;

/** A proof from reads is spent while it is no older than this. */
export const PROOF_AGE_MS = 60_000;

type Reads = readonly [first: Evidence, last: Evidence];

/** The thing is gone, and here is why we know. Built here only; checked again where it is spent. */
export class Absent {
  readonly kind = 'absent';
  readonly subject: string;
  /** One sentence for the event: why this counts. */
  readonly because: string;
  readonly evidence: readonly Evidence[];
  /** Makes the class nominal: no object literal is an `Absent`. */
  readonly #built = true;

  private constructor(subject: string, because: string, evidence: readonly Evidence[]) {
    this.subject = subject;
    this.because = because;
    this.evidence = evidence;
  }

  /** safe-2: two absent answers about the same subject, far enough apart, nothing else between (the journal sees to that). */
  static byTwoReads(subject: string, because: string, reads: Reads): Absent {
    const [first, last] = reads;
    invariant(first.subject === last.subject, 'both reads asked for the same thing', reads);
    invariant(apartMs(first, last) >= READS_APART_MS, 'the two reads are at least 5 s apart (safe-2)', reads);
    return new Absent(subject, because, reads);
  }

  /** safe-4, safe-21: a recorded release does not age; the fresh read shows that the host is not back under this name. */
  static byRecord(subject: string, because: string, freshRead: Evidence): Absent {
    return new Absent(subject, because, [freshRead]);
  }

  /** safe-6: a person said so, on this very object. */
  static byWord(subject: string, because: string, word: Evidence): Absent {
    return new Absent(subject, because, [word]);
  }

  /** safe-21: the newest answer is fresh by both clocks, and the wall clock has not gone back since. */
  isStillTrue(clock: Clock): boolean {
    const last = this.evidence.at(-1);
    return this.#built && last !== undefined && ageMs(last, clock) <= PROOF_AGE_MS;
  }
}

/** The thing is there, or nobody can tell: the finalizer stays, and this says which proof is missing. */
export interface NotProved {
  readonly kind: 'present' | 'unknown';
  readonly subject: string;
  /** CamelCase, for events: `HostHeldElsewhere`, `HostStillRented`, `CloudNotAnswering` ... */
  readonly reason: string;
  /** What is missing, as a sentence a person can act on. */
  readonly missing: string;
  /** When a further look can complete the proof, if that is known. */
  readonly recheckMs?: number;
}

export type Proof = Absent | NotProved;

/** Notes an answer with the time of both clocks. */
export function evidence(clock: Clock, asked: string, subject: string, answer: string): Evidence {
  return { asked, subject, answer, wallMs: clock.now(), monotonicMs: clock.monotonic() };
}

/** The larger of both ages; infinite when the wall clock went back (safe-21). */
function ageMs(of: Evidence, clock: Clock): number {
  const wallMs = clock.now() - of.wallMs;
  return wallMs < 0 ? Number.POSITIVE_INFINITY : Math.max(wallMs, clock.monotonic() - of.monotonicMs);
}

/** How far apart two answers surely are: the smaller of what both clocks say. */
export function apartMs(first: Evidence, last: Evidence): number {
  return Math.min(last.wallMs - first.wallMs, last.monotonicMs - first.monotonicMs);
}
