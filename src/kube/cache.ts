// Cached reads, in types: what an informer holds and how a controller looks things up in it.

import type { ListOptions } from './api.ts';
import type { Kind } from './kind.ts';
import type { KubeObject, ObjectKey } from './object.ts';

/** One thing that happened to one object in the cache. `previous` is absent on first sight. */
export interface CacheChange<T> {
  readonly type: 'added' | 'updated' | 'deleted';
  readonly object: T;
  readonly previous?: T;
}

/** A local copy of one kind (or a selection of it), kept by list and watch. Objects are frozen, without managedFields. */
export interface Informer<T extends KubeObject> {
  readonly kind: Kind<T>;
  get(key: ObjectKey): T | undefined;
  /** All objects, or those of one namespace. */
  list(namespace?: string): readonly T[];
  /** Objects for which index `name` (declared with `index`) yields `value`: O(matches). */
  by(name: string, value: string): readonly T[];
  /** Declares an index. The same name twice is the same index. */
  index(name: string, keysOf: (object: T) => readonly string[]): void;
  /** Calls back on every change from now on; the returned function ends it. */
  onChange(listener: (change: CacheChange<T>) => void): () => void;
  /** Whether a complete list has been taken over at least once. */
  readonly synced: boolean;
  /** Resolves when `synced`; rejects with the signal's reason. */
  whenSynced(signal?: AbortSignal): Promise<void>;
  /** Whether this cache holds everything up to `version` now. Absent: `reaches` tells. */
  holds?(version: string): boolean;
  /**
   * Resolves when this cache holds everything up to `version`; without one, everything up to now. By the watch, or,
   * where that takes too long or versions are no numbers, by a new list. Absent: the cache is never behind (doubles).
   */
  reaches?(version: string | undefined, signal: AbortSignal): Promise<void>;
}

/** The caches of one process: one informer per kind and selection, shared by all who ask. */
export interface Caches {
  /** The informer of this kind and selection, started on first asking. */
  of<T extends KubeObject>(kind: Kind<T>, selection?: ListOptions): Informer<T>;
}
