// The name of one request, for those who look for it in logs: the client's own, or one that counts up with the time.

import type { Clock } from '../../base/clock.ts';

/** What may stand in a header as it is. */
const PRINTABLE = /^[\x20-\x7e]+$/;

/** A UUID of version 7: the time, then a counter in place of chance, which runs that are played again must not spend. */
export class AuditIds {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #variant: '8000' | 'b000';
  #count = 0;

  /** Two that count at once have a variant each, so that no name is given twice. */
  constructor(clock: Pick<Clock, 'now'>, variant: '8000' | 'b000' = '8000') {
    this.#clock = clock;
    this.#variant = variant;
  }

  of(asked: string | undefined): string {
    if (asked !== undefined && PRINTABLE.test(asked)) return asked;
    this.#count += 1;
    const time = Math.max(0, this.#clock.now()).toString(16).padStart(12, '0').slice(-12);
    const count = this.#count.toString(16).padStart(12, '0');
    return `${time.slice(0, 8)}-${time.slice(8)}-7000-${this.#variant}-${count}`;
  }
}
