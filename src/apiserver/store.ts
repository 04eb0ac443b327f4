// What the API keeps objects in: one revision counter, every change a row, history kept for watches (as in etcd).

import { defineError } from '../base/errors.ts';
import type { JsonObject } from './parts.ts';

/** Where an object is kept: `storage` is a resource's storageName; `namespace` is empty for cluster-scoped ones. */
export interface StoreKey {
  readonly storage: string;
  readonly namespace: string;
  readonly name: string;
}

/** One object at one revision. */
export interface Row extends StoreKey {
  readonly revision: number;
  /** The object in its stored version, with this revision as its resourceVersion: parsed when it is asked for. */
  readonly object: JsonObject;
  readonly apiVersion: string;
  readonly kind: string;
  /** The object as JSON, serialised once, without `apiVersion` and `kind`: these two depend on who asks. */
  readonly body: Uint8Array;
}

/** One change of one object. For `deleted`, `row` is the last state, stamped with the revision of the deletion. */
export interface Change {
  readonly type: 'added' | 'modified' | 'deleted';
  readonly row: Row;
  readonly previous: Row | undefined;
}

/** A write that holds only if the object is still at `expected` (0: not there). */
export interface Write extends StoreKey {
  readonly expected: number;
  /** The new state; for a removal, the last state as watchers shall see it. Its resourceVersion is set by the store. */
  readonly object: JsonObject;
  /** `afterwards`: the state is written, and the object removed in the next revision, both or neither. */
  readonly remove?: true | 'afterwards';
}

export type WriteAnswer =
  | { readonly kind: 'written'; readonly row: Row }
  | { readonly kind: 'conflict'; readonly current: Row | undefined }
  /** The object is larger than one may be; nothing was written. */
  | { readonly kind: 'tooLarge' };

export interface RangeOptions {
  readonly namespace?: string;
  /** Keys up to and including this one (`keyInStorage`) are left out. */
  readonly after?: string;
  readonly limit?: number;
  /** The state at this earlier revision instead of the newest. */
  readonly at?: number;
}

export interface Range {
  readonly rows: readonly Row[];
  /** How many rows of the range follow these. */
  readonly remaining: number;
  readonly revision: number;
}

/** The changes of one storage, one by one, from a revision on. */
export interface Tail {
  /** How many changes of this storage came before the next one: equal for all tails that are at the same place. */
  readonly position: number;
  /** The next change; undefined when there is none yet; `gone` when it was compacted away before it was taken. */
  take(): Change | 'gone' | undefined;
  /** Goes on at a position that another tail of this storage has reached. */
  goOnAt(position: number): void;
  /** Calls `fn` on every change from now on, until the returned function is called. */
  onChange(fn: (change: Change) => void): () => void;
}

/** Reads answer from memory and only what is durable; a write's promise resolves once it is durable. */
export interface Store {
  /** The newest durable revision. */
  readonly revision: number;
  get(key: StoreKey): Row | undefined;
  /** Rows in the order of their keys. Undefined when `at` was compacted away. */
  range(storage: string, options?: RangeOptions): Range | undefined;
  write(write: Write): Promise<WriteAnswer>;
  /** Changes after `revision`; undefined when some of them were compacted away. */
  tail(storage: string, revision: number): Tail | undefined;
  /** Calls `fn` on every change of every storage, in order, as soon as it is durable. */
  onChange(fn: (change: Change) => void): () => void;
  /** Forgets all history up to now: watches and pages from earlier revisions get 410. */
  compact(): void;
  close(): Promise<void>;
}

/** How much history is kept: whichever bound is reached first forgets the oldest change. */
export interface HistoryBounds {
  readonly changes: number;
  readonly bytes: number;
}

export const defaultHistory: HistoryBounds = { changes: 20_000, bytes: 64 * 1024 * 1024 };

/** etcd's default bound on one request. */
export const MAX_OBJECT_BYTES = 1.5 * 1024 * 1024;

/** The key inside a storage; its order is the order of lists, as in etcd. */
export function keyInStorage(key: { readonly namespace: string; readonly name: string }): string {
  return key.namespace === '' ? key.name : `${key.namespace}/${key.name}`;
}

export const storeClosed = defineError('PIPPIN_E_STORE_CLOSED', {
  retry: 'never',
  remedy: 'Start the API server again; what was acknowledged is kept',
  says: (why: string) => `The API's store no longer takes writes: ${why}`,
});
