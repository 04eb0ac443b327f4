// When Events go: a while after they were last written, as by etcd's leases, in batches and without looking at the others (api-38).

import { type Clock, millisOf, minutes } from '../base/clock.ts';
import { messageOf } from '../base/errors.ts';
import type { Log } from '../base/log.ts';
import type { JsonObject } from './parts.ts';
import { isObject, listAt, objectAt, stringAt } from './rules/json.ts';
import { type Change, keyInStorage, type Row, type Store, type StoreKey } from './store.ts';

/** Events of both groups are kept there. */
const EVENTS = 'events';
/** As kube-apiserver's --event-ttl. */
export const EVENT_TTL_MS = minutes(60);
const BATCH_EVERY_MS = minutes(1);
const LONGEST_WAIT_MS = minutes(24 * 60);
/** Removed at once; other requests have their turn before the next so many. */
const AT_ONCE = 500;

interface Kept {
  readonly key: StoreKey;
  readonly revision: number;
  readonly dueMs: number;
}

interface ExpirySetup {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  /** 0: Events stay. */
  readonly ttlMs: number;
}

/** Removes what has expired until the returned function is called. */
export function expireEvents(setup: ExpirySetup): () => void {
  if (setup.ttlMs === 0) return () => undefined;
  const expiry = new Expiry(setup);
  expiry.resume();
  const unfollow = setup.store.onChange(change => expiry.sees(change));
  return () => {
    unfollow();
    expiry.end();
  };
}

class Expiry {
  readonly #setup: ExpirySetup;
  /** In the order in which they expire: whatever is written again goes to the end. */
  readonly #kept = new Map<string, Kept>();
  #stop: (() => void) | undefined;
  #lastBatchMs = Number.NEGATIVE_INFINITY;
  #isOver = false;

  constructor(setup: ExpirySetup) {
    this.#setup = setup;
  }

  /** After a start: what was written before then says itself when that was. */
  resume(): void {
    const { store, clock } = this.#setup;
    const now = clock.now();
    const written = (store.range(EVENTS)?.rows ?? []).map(row => ({ row, atMs: writtenAt(row.object, now) }));
    written.sort((a, b) => a.atMs - b.atMs);
    for (const { row, atMs } of written) this.#keep(row, atMs);
  }

  sees({ row, type }: Change): void {
    if (row.storage !== EVENTS) return;
    this.#kept.delete(keyInStorage(row));
    if (type !== 'deleted') this.#keep(row, this.#setup.clock.now());
  }

  end(): void {
    this.#isOver = true;
    this.#stop?.();
  }

  #keep(row: Row, writtenMs: number): void {
    const { storage, namespace, name, revision } = row;
    const dueMs = writtenMs + this.#setup.ttlMs;
    this.#kept.set(keyInStorage(row), { key: { storage, namespace, name }, revision, dueMs });
    if (this.#stop === undefined) this.#schedule();
  }

  /** For the first that expires, and for all that do so within a minute of each other. */
  #schedule(): void {
    const [first] = this.#kept.values();
    if (first === undefined || this.#isOver) return;
    const { clock } = this.#setup;
    const nextMs = this.#lastBatchMs + BATCH_EVERY_MS - clock.monotonic();
    // Never at once: whoever starts has other things to do. Nor so late that a timer cannot count so far.
    const waitMs = Math.min(Math.max(first.dueMs - clock.now(), nextMs, 1), LONGEST_WAIT_MS);
    this.#stop = clock.after(waitMs, () => {
      this.#lastBatchMs = clock.monotonic();
      this.#batch(clock.now())
        .catch((error: unknown) => this.#failed(error))
        .finally(() => {
          this.#stop = undefined;
          this.#schedule();
        });
    });
  }

  async #batch(nowMs: number): Promise<void> {
    while (!this.#isOver) {
      const due = this.#takeDue(nowMs);
      if (due.length === 0) return;
      await Promise.all(due.map(each => this.#remove(each)));
    }
  }

  /** What fails is not tried again before the next start: then the store takes no writes at all. */
  #takeDue(nowMs: number): readonly Kept[] {
    const due: Kept[] = [];
    for (const [key, each] of this.#kept) {
      if (each.dueMs > nowMs || due.length === AT_ONCE) break;
      this.#kept.delete(key);
      due.push(each);
    }
    return due;
  }

  /** Whoever watches is shown it as it was; one that was written meanwhile stays. */
  async #remove({ key, revision }: Kept): Promise<void> {
    const { store } = this.#setup;
    const row = store.get(key);
    if (row?.revision !== revision) return;
    await store.write({ ...key, expected: revision, object: row.object, remove: true });
  }

  #failed(error: unknown): void {
    if (!this.#isOver) this.#setup.log.error('Expired Events could not be removed', { error: messageOf(error) });
  }
}

/** By the server's own stamps: those of clients may be of any time. */
function writtenAt(object: JsonObject, now: number): number {
  const metadata = objectAt(object, 'metadata');
  const owners = listAt(metadata, 'managedFields').filter(isObject);
  const times = [metadata, ...owners].map(each => stringAt(each, each === metadata ? 'creationTimestamp' : 'time'));
  const known = times.map(millisOf).filter(each => !Number.isNaN(each));
  return Math.min(now, Math.max(...known, 0));
}
