// The store itself: decides writes against the newest state, hands them to a journal, and shows them once durable.

import { messageOf } from '../../base/errors.ts';
import {
  type Change,
  defaultHistory,
  type HistoryBounds,
  keyInStorage,
  MAX_OBJECT_BYTES,
  type Range,
  type RangeOptions,
  type Row,
  type Store,
  type StoreKey,
  storeClosed,
  type Tail,
  type Write,
  type WriteAnswer,
} from '../store.ts';
import { History } from './history.ts';
import { Rows } from './rows.ts';
import { rowOf } from './serialise.ts';

/** What makes changes durable. */
export interface Journal {
  /** Durable on return, all or nothing. `forgotten` revisions are needed no more; `compacted` is the newest forgotten. */
  commit(changes: readonly Change[], forgotten: readonly number[], compacted: number): void;
  /** Runs `flush` soon: later calls before it are grouped into it. */
  soon(flush: () => void): void;
  close(): void;
}

/** What a journal held at the start: changes in the order of their revisions. */
export interface Recovered {
  readonly changes: readonly Change[];
  readonly compacted: number;
}

interface Pending {
  readonly changes: readonly [Change, ...Change[]];
  readonly resolve: (answer: WriteAnswer) => void;
  readonly reject: (error: Error) => void;
}

/** A store in memory whose changes go through `journal` first; without one they are applied at once. */
export class JournaledStore implements Store {
  readonly #journal: Journal | undefined;
  readonly #rows = new Rows();
  readonly #history: History;
  readonly #listeners = new Set<(change: Change) => void>();
  /** Newest states that are not durable yet; undefined: removed. */
  readonly #head = new Map<string, Row | undefined>();
  #pending: Pending[] = [];
  /** Conflicts are answered after the flush, so that a reader then finds what it conflicted with. */
  #afterFlush: (() => void)[] = [];
  #forgotten: number[] = [];
  #compacted: number;
  #revision: number;
  #next: number;
  #closed: string | undefined;
  #flushing = false;

  constructor(journal?: Journal, recovered?: Recovered, bounds: HistoryBounds = defaultHistory) {
    this.#journal = journal;
    this.#compacted = recovered?.compacted ?? 0;
    this.#history = new History(bounds, this.#compacted);
    // etcd's first revision is 1, before any write.
    this.#revision = Math.max(1, this.#compacted);
    for (const change of recovered?.changes ?? []) this.#recover(change);
    this.#next = this.#revision;
  }

  get revision(): number {
    return this.#revision;
  }

  get(key: StoreKey): Row | undefined {
    return this.#rows.get(key);
  }

  range(storage: string, options: RangeOptions = {}): Range | undefined {
    const { at } = options;
    if (at === undefined || at === this.#revision) return this.#rows.range(storage, options, this.#revision);
    return this.#rows.rangeAt(storage, options, at, this.#history);
  }

  tail(storage: string, revision: number): Tail | undefined {
    return this.#history.tail(storage, revision);
  }

  onChange(fn: (change: Change) => void): () => void {
    this.#listeners.add(fn);
    return () => this.#listeners.delete(fn);
  }

  write(write: Write): Promise<WriteAnswer> {
    if (this.#closed !== undefined) return Promise.reject(storeClosed(this.#closed));
    const current = this.#newest(write);
    if ((current?.revision ?? 0) !== write.expected) return this.#conflict(write);

    const changes = changesOf(write, current, this.#next + 1);
    if (changes[0].row.body.length > MAX_OBJECT_BYTES) return Promise.resolve({ kind: 'tooLarge' });
    this.#next += changes.length;
    this.#head.set(headKey(write), write.remove === undefined ? changes[0].row : undefined);
    return new Promise((resolve, reject) => {
      this.#pending.push({ changes, resolve, reject });
      this.#schedule();
    });
  }

  compact(): void {
    this.#forget(this.#history.forgetAll());
  }

  async close(): Promise<void> {
    this.#flush();
    this.#closed = 'it was closed';
    this.#journal?.close();
  }

  #newest(key: StoreKey): Row | undefined {
    const headed = headKey(key);
    return this.#head.has(headed) ? this.#head.get(headed) : this.#rows.get(key);
  }

  #conflict(key: StoreKey): Promise<WriteAnswer> {
    if (this.#pending.length === 0) return Promise.resolve({ kind: 'conflict', current: this.#rows.get(key) });
    return new Promise(resolve => {
      this.#afterFlush.push(() => resolve({ kind: 'conflict', current: this.#rows.get(key) }));
    });
  }

  #schedule(): void {
    if (this.#journal === undefined) this.#flush();
    else if (this.#pending.length === 1) this.#journal.soon(() => this.#flush());
  }

  /** A listener that writes meanwhile is served after all listeners have seen the change before. */
  #flush(): void {
    if (this.#flushing) return;
    this.#flushing = true;
    while (this.#pending.length > 0) this.#flushGroup();
    this.#flushing = false;
  }

  /** Makes what is pending durable, then visible, then acknowledges it (api-3). */
  #flushGroup(): void {
    const pending = this.#pending;
    this.#pending = [];
    const changes = pending.flatMap(one => one.changes);
    try {
      this.#journal?.commit(changes, this.#forgotten, this.#compacted);
    } catch (error) {
      this.#fail(pending, error);
      return;
    }
    this.#forgotten = [];
    for (const change of changes) this.#apply(change);
    for (const one of pending) one.resolve({ kind: 'written', row: (one.changes[1] ?? one.changes[0]).row });
    this.#answerConflicts();
  }

  /** Nothing of the group became durable; whoever wrote is told so, and no later write may build on it. */
  #fail(pending: readonly Pending[], error: unknown): void {
    this.#closed = messageOf(error);
    for (const { reject } of pending) reject(storeClosed.causedBy(error, messageOf(error)));
    this.#answerConflicts();
  }

  #answerConflicts(): void {
    const waiting = this.#afterFlush;
    this.#afterFlush = [];
    for (const answer of waiting) answer();
  }

  #apply(change: Change): void {
    this.#remember(change);
    if (this.#head.get(headKey(change.row)) === (change.type === 'deleted' ? undefined : change.row)) {
      this.#head.delete(headKey(change.row));
    }
    this.#history.announce(change);
    for (const listener of [...this.#listeners]) listener(change);
  }

  /** What is older than the compaction is state; what is newer is history too. */
  #recover({ type, row }: Change): void {
    const previous = this.#rows.get(row);
    const put = previous === undefined ? 'added' : 'modified';
    if (row.revision > this.#compacted) this.#remember({ type: type === 'deleted' ? type : put, row, previous });
    else if (type !== 'deleted') this.#rows.set(row);
    this.#revision = Math.max(this.#revision, row.revision);
  }

  #remember(change: Change): void {
    if (change.type === 'deleted') this.#rows.delete(change.row);
    else this.#rows.set(change.row);
    this.#revision = change.row.revision;
    this.#forget(this.#history.add(change));
  }

  #forget(changes: readonly Change[]): void {
    if (changes.length === 0) return;
    this.#compacted = changes.at(-1)?.row.revision ?? this.#compacted;
    if (this.#journal === undefined) return;
    for (const { type, row, previous } of changes) {
      if (previous !== undefined) this.#forgotten.push(previous.revision);
      if (type === 'deleted') this.#forgotten.push(row.revision);
    }
  }
}

const headKey = (key: StoreKey): string => `${key.storage} ${keyInStorage(key)}`;

function changesOf(write: Write, previous: Row | undefined, revision: number): readonly [Change, ...Change[]] {
  const row = rowOf(write, write.object, revision);
  if (write.remove === true) return [{ type: 'deleted', row, previous }];
  const put: Change = { type: previous === undefined ? 'added' : 'modified', row, previous };
  if (write.remove === undefined) return [put];
  return [put, { type: 'deleted', row: rowOf(write, write.object, revision + 1), previous: row }];
}
