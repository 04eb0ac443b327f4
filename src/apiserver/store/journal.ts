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

/** What makes changes durable. It is asked for one commit at a time. */
export interface Journal {
  /**
   * Resolves once all of it is durable; rejects when some of it may not be. `forgotten` revisions are needed no more;
   * `compacted` is the newest forgotten.
   */
  commit(changes: readonly Change[], forgotten: readonly number[], compacted: number): Promise<void>;
  /** Runs `flush` soon: what is written before it shares a commit. */
  soon(flush: () => void): void;
  close(): void;
}

/** What a journal held at the start: changes in the order of their revisions. */
export interface Recovered {
  readonly changes: readonly Change[];
  readonly compacted: number;
}

interface Waiting {
  readonly resolve: (answer: WriteAnswer) => void;
  readonly reject: (error: Error) => void;
}

interface Pending extends Waiting {
  readonly changes: readonly [Change, ...Change[]];
}

/** Writes that become durable together, or not at all. */
interface Group {
  readonly writes: Pending[];
  /** Told after the writes, so that a reader then finds what its write conflicted with. */
  readonly conflicts: (Waiting & { readonly key: StoreKey })[];
}

/** The newest state of an object, while it is not durable yet. */
interface Head {
  readonly newest: Change;
  readonly group: Group;
}

/** A store in memory whose changes go through `journal` first; without one they are applied at once. */
export class JournaledStore implements Store {
  readonly #journal: Journal | undefined;
  readonly #rows = new Rows();
  readonly #history: History;
  readonly #listeners = new Set<(change: Change) => void>();
  readonly #heads = new Map<string, Head>();
  /** What no commit has taken yet. */
  #gathered = emptyGroup();
  #forgotten: number[] = [];
  #compacted: number;
  #revision: number;
  #next: number;
  #closed: string | undefined;
  #applying = false;
  /** The commits, while there are any. */
  #committing: Promise<void> | undefined;

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
    const head = this.#heads.get(headKey(write));
    const current = head === undefined ? this.#rows.get(write) : rowAfter(head.newest);
    if ((current?.revision ?? 0) !== write.expected) return this.#conflict(write, head);

    const changes = changesOf(write, current, this.#next + 1);
    if (changes[0].row.body.length > MAX_OBJECT_BYTES) return Promise.resolve({ kind: 'tooLarge' });
    this.#next += changes.length;
    const group = this.#gathered;
    this.#heads.set(headKey(write), { newest: changes[1] ?? changes[0], group });
    return new Promise((resolve, reject) => {
      group.writes.push({ changes, resolve, reject });
      this.#schedule();
    });
  }

  compact(): void {
    this.#forget(this.#history.forgetAll());
  }

  /** What was written before is made durable and acknowledged. */
  async close(): Promise<void> {
    this.#closed ??= 'it was closed';
    await this.#committing;
    this.#journal?.close();
  }

  /** A conflict with what is not durable yet is one only once that is. */
  #conflict(key: StoreKey, head: Head | undefined): Promise<WriteAnswer> {
    if (head === undefined) return Promise.resolve({ kind: 'conflict', current: this.#rows.get(key) });
    return new Promise((resolve, reject) => head.group.conflicts.push({ key, resolve, reject }));
  }

  #schedule(): void {
    if (this.#journal === undefined) this.#applyAll();
    else this.#committing ??= this.#commitAll(this.#journal);
  }

  /** A listener that writes meanwhile is served after all listeners have seen the change before. */
  #applyAll(): void {
    if (this.#applying) return;
    this.#applying = true;
    while (this.#gathered.writes.length > 0) this.#show(this.#takeGathered());
    this.#applying = false;
  }

  /** One commit at a time: all that is written during one shares the next, so that a slow disk makes groups larger. */
  async #commitAll(journal: Journal): Promise<void> {
    while (this.#gathered.writes.length > 0) {
      await new Promise<void>(resolve => journal.soon(resolve));
      await this.#commit(journal, this.#takeGathered());
    }
    this.#committing = undefined;
  }

  /** Makes a group durable, then visible, then acknowledges it (api-3). */
  async #commit(journal: Journal, group: Group): Promise<void> {
    const forgotten = this.#forgotten;
    this.#forgotten = [];
    const changes = group.writes.flatMap(one => one.changes);
    try {
      await journal.commit(changes, forgotten, this.#compacted);
    } catch (error) {
      this.#fail(group, error);
      return;
    }
    this.#show(group);
  }

  #takeGathered(): Group {
    const group = this.#gathered;
    this.#gathered = emptyGroup();
    return group;
  }

  #show({ writes, conflicts }: Group): void {
    for (const { changes } of writes) for (const change of changes) this.#apply(change);
    for (const { changes, resolve } of writes) resolve({ kind: 'written', row: (changes[1] ?? changes[0]).row });
    for (const { key, resolve } of conflicts) resolve({ kind: 'conflict', current: this.#rows.get(key) });
  }

  /** Whoever wrote is told so, also into the group after it, which may build on it; no later write may. */
  #fail(group: Group, error: unknown): void {
    this.#closed = messageOf(error);
    const groups = [group, this.#takeGathered()];
    this.#heads.clear();
    this.#next = this.#revision;
    const refused = groups.flatMap(({ writes, conflicts }) => [...writes, ...conflicts]);
    for (const { reject } of refused) reject(storeClosed.causedBy(error, messageOf(error)));
  }

  #apply(change: Change): void {
    this.#remember(change);
    const key = headKey(change.row);
    if (this.#heads.get(key)?.newest === change) this.#heads.delete(key);
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

const emptyGroup = (): Group => ({ writes: [], conflicts: [] });

const rowAfter = ({ type, row }: Change): Row | undefined => (type === 'deleted' ? undefined : row);

const headKey = (key: StoreKey): string => `${key.storage} ${keyInStorage(key)}`;

function changesOf(write: Write, previous: Row | undefined, revision: number): readonly [Change, ...Change[]] {
  const row = rowOf(write, write.object, revision);
  if (write.remove === true) return [{ type: 'deleted', row, previous }];
  const put: Change = { type: previous === undefined ? 'added' : 'modified', row, previous };
  if (write.remove === undefined) return [put];
  return [put, { type: 'deleted', row: rowOf(write, write.object, revision + 1), previous: row }];
}
