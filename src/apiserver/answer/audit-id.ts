// The name of one request, for those who look for it in logs: the client's own, or one that counts up with the time.

import type { Clock } from '../../base/clock.ts';

/** What may stand in a header as it is. */
const PRINTABLE = /^[\x20-\x7e]+$/;

/** A UUID of version 7: the time, then a counter in place of chance, which runs that are played again must not spend. */
export class AuditIds {
  readonly #clock: Pick<Clock, 'now'>;
  #count = 0;

  constructor(clock: Pick<Clock, 'now'>) {
    this.#clock = clock;
  }

  of(asked: string | undefined): string {
    if (asked !== undefined && PRINTABLE.test(asked)) return asked;
    this.#count += 1;
    const time = Math.max(0, this.#clock.now()).toString(16).padStart(12, '0').slice(-12);
    const count = this.#count.toString(16).padStart(12, '0');
    return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-${count}`;
  }
}
