// The objects that a cache holds, and what is quick to find among them: by key, by namespace, by declared index.

import { invariant } from '../base/errors.ts';
import type { CacheChange } from './cache.ts';
import { ingest } from './freeze.ts';
import { type KubeObject, keyOf, keyText } from './object.ts';
import { heldOnce } from './shared-frames.ts';
import type { WatchNews } from './watch.ts';

type Objects<T> = Map<string, T>;

/** The index every store has: `list(namespace)`. */
const BY_NAMESPACE = '';

/** Most lookups by owner or by name find nothing. */
const NONE: readonly never[] = Object.freeze([]);

class Index<T extends KubeObject> {
  private readonly keysOf: (object: T) => readonly string[];
  private readonly groups = new Map<string, Objects<T>>();

  constructor(keysOf: (object: T) => readonly string[]) {
    this.keysOf = keysOf;
  }

  put(key: string, object: T): void {
    for (const value of this.keysOf(object)) {
      const group = this.groups.get(value) ?? new Map<string, T>();
      this.groups.set(value, group.set(key, object));
    }
  }

  drop(key: string, object: T): void {
    for (const value of this.keysOf(object)) {
      const group = this.groups.get(value);
      group?.delete(key);
      if (group?.size === 0) this.groups.delete(value);
    }
  }

  get(value: string): readonly T[] {
    const group = this.groups.get(value);
    return group === undefined ? NONE : [...group.values()];
  }
}

/** Frozen objects by key, with indexes; says what each piece of news changed. */
export class ObjectStore<T extends KubeObject> {
  readonly objects: Objects<T> = new Map();
  private readonly indexes = new Map<string, Index<T>>();
  /** The answer to `list()`, until something changes. */
  private all: readonly T[] | undefined;

  constructor() {
    this.index(BY_NAMESPACE, object => [object.metadata.namespace ?? '']);
  }

  index(name: string, keysOf: (object: T) => readonly string[]): void {
    if (this.indexes.has(name)) return;
    const index = new Index(keysOf);
    for (const [key, object] of this.objects) index.put(key, object);
    this.indexes.set(name, index);
  }

  list(namespace?: string): readonly T[] {
    if (namespace !== undefined) return this.by(BY_NAMESPACE, namespace);
    this.all ??= Object.freeze([...this.objects.values()]);
    return this.all;
  }

  by(name: string, value: string): readonly T[] {
    const index = this.indexes.get(name);
    invariant(index !== undefined, `index "${name}" is declared before it is read`);
    return index.get(value);
  }

  apply(news: WatchNews<T>): readonly CacheChange<T>[] {
    if (news.type === 'seen') return this.see(heldOnce(news.object, ingest));
    if (news.type === 'gone') return this.lose(news.key, news.last);
    return [];
  }

  private see(object: T): readonly CacheChange<T>[] {
    const key = keyText(keyOf(object));
    const previous = this.objects.get(key);
    if (previous === undefined) return [this.put(key, object)];
    // Deleted and created again between two lists: another object, although the name is the same.
    if (previous.metadata.uid !== object.metadata.uid) return [...this.lose(key, undefined), this.put(key, object)];
    if (previous.metadata.resourceVersion === object.metadata.resourceVersion) return [];
    return [this.put(key, object, previous)];
  }

  private put(key: string, object: T, previous?: T): CacheChange<T> {
    if (previous !== undefined) this.drop(key, previous);
    this.objects.set(key, object);
    for (const index of this.indexes.values()) index.put(key, object);
    this.all = undefined;
    return previous === undefined ? { type: 'added', object } : { type: 'updated', object, previous };
  }

  private lose(key: string, last: T | undefined): readonly CacheChange<T>[] {
    const previous = this.objects.get(key);
    if (previous === undefined) return [];
    this.drop(key, previous);
    this.objects.delete(key);
    return [{ type: 'deleted', object: last === undefined ? previous : heldOnce(last, ingest), previous }];
  }

  private drop(key: string, object: T): void {
    for (const index of this.indexes.values()) index.drop(key, object);
    this.all = undefined;
  }
}
