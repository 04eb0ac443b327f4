// The gate before every write of a program that must lead: closed unless the lease is proved, now.

import type { Clock } from '../base/clock.ts';
import { defineError } from '../base/errors.ts';
import { linkedSignal } from '../base/linked-signal.ts';
import type { Transport } from './transport.ts';

const notLeading = defineError('PIPPIN_E_NOT_LEADING', {
  retry: 'backoff',
  remedy: 'Another replica leads, or this one could not renew its lease in time; whoever leads does the work',
  says: (what: string) => `${what} was not begun: this program does not hold its lease`,
});

/** When the request that proved the lease was begun, by both clocks. */
export interface LeaseProof {
  readonly monotonicMs: number;
  readonly wallMs: number;
}

/** Opened by the election, asked by every write. */
export class LeaderGate {
  private readonly clock: Clock;
  private readonly validMs: number;
  private proof: LeaseProof | undefined;
  private term = new AbortController();

  /** A proof is good for `validMs`: less than others wait before they take the lease. */
  constructor(clock: Clock, validMs: number) {
    this.clock = clock;
    this.validMs = validMs;
  }

  /** Whether the lease is surely ours now. Its age is the larger one of both clocks; a wall clock that went back proves nothing (safe-21). */
  holds(): boolean {
    if (this.proof === undefined) return false;
    const monotonicMs = this.clock.monotonic() - this.proof.monotonicMs;
    const wallMs = this.clock.now() - this.proof.wallMs;
    return wallMs >= 0 && Math.max(monotonicMs, wallMs) < this.validMs;
  }

  /** Throws unless the lease is ours now: what a write to the outside asks just before it begins. */
  assertHeld(what: string): void {
    if (!this.holds()) throw notLeading(what);
  }

  /** `transport`, with every write behind this gate. Writes under way are given up when the term ends. */
  guard(transport: Transport): Transport {
    return async request => {
      if (request.method === 'GET') return transport(request);
      this.assertHeld(`${request.method} ${request.path}`);
      const { signal, release } = linkedSignal(this.term.signal, request.signal);
      return transport({ ...request, signal }).finally(release);
    };
  }

  /** The lease was proved by a request begun at `proof`. */
  open(proof: LeaseProof): void {
    if (this.term.signal.aborted) this.term = new AbortController();
    this.proof = proof;
  }

  /** The term is over. */
  close(why: string): void {
    this.proof = undefined;
    this.term.abort(notLeading(why));
  }
}
