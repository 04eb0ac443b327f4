// The changes that are still remembered: per storage for watches and old pages, over all for the bounds.

import type { Change, HistoryBounds, Tail } from '../store.ts';

/** The remembered changes of one storage. `compacted`: the newest revision that was forgotten. */
class Log {
  readonly changes: Change[] = [];
  readonly listeners = new Set<(change: Change) => void>();
  /** How many changes were forgotten: absolute position of `changes[0]`. */
  forgotten = 0;
  compacted: number;
  /** Changes at the front that are forgotten but not yet cut off: cutting one by one would cost O(n). */
  #dead = 0;

  constructor(compacted: number) {
    this.compacted = compacted;
  }

  at(position: number): Change | undefined {
    return this.changes[position - this.forgotten + this.#dead];
  }

  get end(): number {
    return this.forgotten + this.changes.length - this.#dead;
  }

  forgetOldest(): void {
    this.compacted = this.at(this.forgotten)?.row.revision ?? this.compacted;
    this.forgotten += 1;
    this.#dead += 1;
    if (this.#dead * 2 < this.changes.length) return;
    this.changes.splice(0, this.#dead);
    this.#dead = 0;
  }

  /** The position of the first change after `revision`. */
  positionAfter(revision: number): number {
    let low = this.forgotten;
    let high = this.end;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.at(middle)?.row.revision ?? 0) <= revision) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** All remembered changes. */
export class History {
  readonly #bounds: HistoryBounds;
  readonly #logs = new Map<string, Log>();
  /** Oldest first, over all storages: which storage forgets next. */
  #order: { storage: string; bytes: number }[] = [];
  #forgottenOrder = 0;
  #bytes = 0;
  #compacted: number;

  constructor(bounds: HistoryBounds, compacted: number) {
    this.#bounds = bounds;
    this.#compacted = compacted;
  }

  /** Remembers `change` and answers what had to be forgotten for it. */
  add(change: Change): readonly Change[] {
    const bytes = change.row.body.length;
    this.#log(change.row.storage).changes.push(change);
    this.#order.push({ storage: change.row.storage, bytes });
    this.#bytes += bytes;

    const forgotten: Change[] = [];
    while (this.#size() > this.#bounds.changes || (this.#bytes > this.#bounds.bytes && this.#size() > 1)) {
      forgotten.push(...this.#forgetOldest());
    }
    return forgotten;
  }

  /** Tells the followers of this change's storage. */
  announce(change: Change): void {
    for (const listener of [...this.#log(change.row.storage).listeners]) listener(change);
  }

  forgetAll(): readonly Change[] {
    const forgotten: Change[] = [];
    while (this.#size() > 0) forgotten.push(...this.#forgetOldest());
    return forgotten;
  }

  tail(storage: string, revision: number): Tail | undefined {
    const log = this.#log(storage);
    if (revision < log.compacted) return undefined;
    let position = log.positionAfter(revision);
    return {
      get position() {
        return position;
      },
      goOnAt(reached) {
        position = reached;
      },
      take() {
        if (position < log.forgotten) return 'gone';
        const change = log.at(position);
        if (change !== undefined) position += 1;
        return change;
      },
      onChange(fn) {
        log.listeners.add(fn);
        return () => log.listeners.delete(fn);
      },
    };
  }

  /** The changes of a storage after `revision`, newest first; undefined when some were forgotten. */
  since(storage: string, revision: number): readonly Change[] | undefined {
    const log = this.#log(storage);
    if (revision < log.compacted) return undefined;
    const changes: Change[] = [];
    for (let position = log.end - 1; position >= log.forgotten; position -= 1) {
      const change = log.at(position);
      if (change === undefined || change.row.revision <= revision) break;
      changes.push(change);
    }
    return changes;
  }

  #log(storage: string): Log {
    let log = this.#logs.get(storage);
    if (log === undefined) {
      log = new Log(this.#compacted);
      this.#logs.set(storage, log);
    }
    return log;
  }

  #size(): number {
    return this.#order.length - this.#forgottenOrder;
  }

  #forgetOldest(): readonly Change[] {
    const oldest = this.#order[this.#forgottenOrder];
    if (oldest === undefined) return [];
    this.#forgottenOrder += 1;
    this.#bytes -= oldest.bytes;
    if (this.#forgottenOrder * 2 > this.#order.length) {
      this.#order = this.#order.slice(this.#forgottenOrder);
      this.#forgottenOrder = 0;
    }
    const log = this.#log(oldest.storage);
    const change = log.at(log.forgotten);
    log.forgetOldest();
    return change === undefined ? [] : [change];
  }
}
