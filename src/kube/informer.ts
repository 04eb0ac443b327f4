// The caches of a process: one list and watch per kind and selection, shared by all who ask.

import { messageOf } from '../base/errors.ts';
import type { Log } from '../base/log.ts';
import type { Counter, Gauge, Metrics } from '../base/metrics.ts';
import type { Random } from '../base/random.ts';
import type { ListOptions } from './api.ts';
import type { CacheChange, Caches, Informer } from './cache.ts';
import { type Kind, resourceName } from './kind.ts';
import { type KubeObject, keyText, type ObjectKey } from './object.ts';
import { Reflector } from './reflector.ts';
import type { Caller } from './request.ts';
import { ObjectStore } from './store.ts';
import { isAtLeast } from './version.ts';
import type { WatchNews } from './watch.ts';

/** How long a cache may take to show a write that was answered, before its list is read again. */
const CATCH_UP_MS = 5000;

export interface CachesOptions {
  readonly caller: Caller;
  readonly random: Random;
  readonly log: Log;
  readonly metrics: Metrics;
  /** Told of each object that a list or watch shows, as it came: with its managedFields, which the caches do not keep. */
  readonly seen?: (kind: Kind, object: KubeObject) => void;
}

/** Caches that run, and can be stopped. */
export interface RunningCaches extends Caches {
  /** Which caches there are and whether each has its first list: what readiness answers. */
  states(): readonly { readonly name: string; readonly synced: boolean }[];
  /** Ends every watch. Caches keep what they hold. */
  stop(): Promise<void>;
}

const EVERYTHING: ListOptions = {};

/** Caches over `caller`. Each starts when it is first asked for. */
export function caches(options: CachesOptions): RunningCaches {
  const running = new Map<string, { readonly synced: boolean }>();
  /** The caches of whole kinds by the kind at hand: a name is made of text, and asked for many times in each pass. */
  const whole = new Map<Kind, unknown>();
  const stopping = new AbortController();
  const runs: Promise<void>[] = [];
  const objects = options.metrics.gauge({
    name: 'pippin_cache_objects',
    help: 'Objects held in the cache of a kind and selection',
    labels: ['cache'],
  });
  const failures = options.metrics.counter({
    name: 'pippin_watch_failures_total',
    help: 'Lists and watches that failed, by cause; each is tried again by itself',
    labels: ['cache', 'cause'],
  });
  return {
    of<T extends KubeObject>(kind: Kind<T>, selection: ListOptions = EVERYTHING): Informer<T> {
      const known = selection === EVERYTHING ? whole.get(kind) : undefined;
      if (known !== undefined) return known as WatchedKind<T>;
      const name = cacheName(kind, selection);
      let informer = running.get(name) as WatchedKind<T> | undefined;
      if (informer === undefined) {
        informer = new WatchedKind(kind, selection, { ...options, name, objects, failures });
        running.set(name, informer);
        runs.push(informer.run(stopping.signal));
      }
      if (selection === EVERYTHING) whole.set(kind, informer);
      return informer;
    },
    states: () => [...running].map(([name, { synced }]) => ({ name, synced })),
    stop: async () => {
      stopping.abort(new Error('the caches are stopped'));
      await Promise.all(runs);
    },
  };
}

function cacheName(kind: Kind, { namespace, labels, fields }: ListOptions): string {
  const chosen = Object.entries({ namespace, labels, fields }).filter(([, value]) => value !== undefined);
  const part = kind.metadataOnly ? ['metadata'] : [];
  return [`${resourceName(kind)}/${kind.version}`, ...part, ...chosen.map(([name, value]) => `${name}:${value}`)].join(
    ' ',
  );
}

interface Around extends CachesOptions {
  readonly name: string;
  readonly objects: Gauge;
  readonly failures: Counter;
}

interface Waiter {
  readonly version: string | undefined;
  readonly list: number;
  readonly resolve: () => void;
}

class WatchedKind<T extends KubeObject> implements Informer<T> {
  readonly kind: Kind<T>;
  synced = false;
  private version = '';
  /** How many objects the metric says there are. */
  private told = -1;
  private readonly store = new ObjectStore<T>();
  private readonly reflector: Reflector<T>;
  private readonly around: Around;
  private readonly listeners = new Set<(change: CacheChange<T>) => void>();
  private readonly waiters = new Set<Waiter>();

  constructor(kind: Kind<T>, selection: ListOptions, around: Around) {
    this.kind = kind;
    this.around = around;
    this.reflector = new Reflector({
      ...around,
      kind,
      selection,
      random: around.random.stream(`watch ${around.name}`),
      known: this.store.objects,
      tell: news => this.learn(news),
      failed: cause => around.failures.add({ cache: around.name, cause }),
    });
  }

  run(signal: AbortSignal): Promise<void> {
    return this.reflector.run(signal);
  }

  get(key: ObjectKey): T | undefined {
    return this.store.objects.get(keyText(key));
  }

  list(namespace?: string): readonly T[] {
    return this.store.list(namespace);
  }

  by(name: string, value: string): readonly T[] {
    return this.store.by(name, value);
  }

  index(name: string, keysOf: (object: T) => readonly string[]): void {
    this.store.index(name, keysOf);
  }

  onChange(listener: (change: CacheChange<T>) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  whenSynced(signal?: AbortSignal): Promise<void> {
    return this.synced ? Promise.resolve() : this.until({ version: undefined, list: 1 }, signal);
  }

  holds(version: string): boolean {
    return this.synced && isAtLeast(this.version, version) === true;
  }

  async reaches(version: string | undefined, signal: AbortSignal): Promise<void> {
    if (version !== undefined && this.holds(version)) return;
    const waiting = this.until({ version, list: this.reflector.listsBegun + 1 }, signal);
    if (version === undefined || isAtLeast(this.version, version) === undefined) {
      this.reflector.relist();
      return waiting;
    }
    const cancel = this.around.caller.clock.after(CATCH_UP_MS, () => this.reflector.relist());
    return waiting.finally(cancel);
  }

  private until(need: Omit<Waiter, 'resolve'>, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const waiter = {
        ...need,
        resolve: () => {
          signal?.removeEventListener('abort', giveUp);
          resolve();
        },
      };
      const giveUp = (): void => {
        this.waiters.delete(waiter);
        reject(signal?.reason);
      };
      signal?.addEventListener('abort', giveUp, { once: true });
      this.waiters.add(waiter);
    });
  }

  /** News of one step: the version moves on only when all of it is in the store. */
  private learn(news: readonly WatchNews<T>[]): void {
    for (const piece of news) {
      if (piece.type === 'seen') this.around.seen?.(this.kind, piece.object);
      for (const change of this.store.apply(piece)) this.tell(change);
      if (piece.type === 'synced' || piece.type === 'progress') this.moveOn(piece);
    }
    if (this.told === this.store.objects.size) return;
    this.told = this.store.objects.size;
    this.around.objects.set(this.told, { cache: this.around.name });
  }

  private moveOn({ type, version }: { type: 'synced' | 'progress'; version: string }): void {
    this.version = version;
    if (type === 'synced') this.synced = true;
    const list = type === 'synced' ? this.reflector.listsBegun : 0;
    for (const waiter of this.waiters) {
      if (waiter.list > list && (waiter.version === undefined || !this.holds(waiter.version))) continue;
      this.waiters.delete(waiter);
      waiter.resolve();
    }
  }

  private tell(change: CacheChange<T>): void {
    for (const listener of this.listeners) {
      try {
        listener(change);
      } catch (error) {
        this.around.log.error('A listener of a cache failed; the others go on', { error: messageOf(error) });
      }
    }
  }
}
