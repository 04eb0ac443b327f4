// Runs a controller that works by key: its queue, its workers, and what the end of each pass sets in motion.

import { minutes } from '../base/clock.ts';
import type { ListOptions } from './api.ts';
import type { Informer } from './cache.ts';
import type { CacheRead, KubeWorld, WokenBy } from './controller.ts';
import { retryAfterOf, retryOf } from './failure.ts';
import type { Kind } from './kind.ts';
import { notingApi } from './noting-api.ts';
import { type KubeObject, keyText, type ObjectKey, parseKey } from './object.ts';
import { OwnWrites } from './own-writes.ts';
import { PassRate } from './pass-rate.ts';
import { PassReport } from './pass-report.ts';
import { type Entry, Queue } from './queue.ts';
import type { PassResult } from './step-pass.ts';
import { Waking, wakeByOther, wakeByOwn } from './waking.ts';

/** What a controller that works by key is to its runner. */
export interface Keyed<W> {
  readonly name: string;
  readonly kind: Kind;
  readonly selection?: ListOptions;
  readonly wokenBy?: readonly WokenBy<W>[];
  readonly reads?: readonly CacheRead[];
  readonly heeds?: (object: KubeObject) => boolean;
  readonly workers?: number;
  readonly wakes?: (world: W, wake: (key: ObjectKey) => void) => void;
  pass(key: ObjectKey, object: KubeObject | undefined, world: W): Promise<PassResult>;
}

/** After an error that only a change can end: looked at again all the same, in case the change went unseen. */
const RECHECK_AFTER_NEVER_MS = minutes(10);

/** A key with too many passes in a second waits this long. */
const HELD_BACK_MS = 1000;

const CONFLICT_BACKOFF_MS = 20;
const ERROR_BACKOFF_MS = 500;

export const kindOfRead = (read: CacheRead): Kind => ('of' in read ? read.of : read);

const cacheOfRead = (read: CacheRead, { caches }: Pick<KubeWorld, 'caches'>): Informer<KubeObject> =>
  'of' in read ? caches.of(read.of, read.selection) : caches.of(read);

/** The world as one controller sees it: its own writes are noted, its log lines bear its name. */
export function worldOf<W extends KubeWorld>(world: W, name: string, writes: OwnWrites): W {
  return Object.create(world, {
    api: { value: notingApi(world.api, writes), enumerable: true, writable: true },
    log: { value: world.log.with({ controller: name }), enumerable: true },
  });
}

/** Runs until `signal` aborts and every pass that had begun has ended. */
export async function runKeyed<W extends KubeWorld>(keyed: Keyed<W>, world: W, signal: AbortSignal): Promise<void> {
  const run = new KeyedRun(keyed, world, signal);
  await run.run();
}

class KeyedRun<W extends KubeWorld> {
  private readonly keyed: Keyed<W>;
  private readonly world: W;
  private readonly signal: AbortSignal;
  private readonly writes: OwnWrites;
  private readonly queue: Queue;
  private readonly waking: Waking;
  private readonly informer: Informer<KubeObject>;
  /** The caches that must not be older than own writes at a pass. */
  private readonly readCaches: readonly Informer<KubeObject>[];
  private readonly report: PassReport;
  private readonly rate: PassRate;

  constructor(keyed: Keyed<W>, world: W, signal: AbortSignal) {
    this.keyed = keyed;
    this.signal = signal;
    this.writes = new OwnWrites(world.clock, [keyed.kind, ...(keyed.reads ?? []).map(kindOfRead)]);
    this.world = worldOf(world, keyed.name, this.writes);
    this.queue = new Queue(world.clock, world.random.stream(`queue ${keyed.name}`));
    this.informer = world.caches.of(keyed.kind, keyed.selection);
    this.waking = new Waking(this.queue);
    this.readCaches = [this.informer, ...(keyed.reads ?? []).map(read => cacheOfRead(read, world))];
    this.rate = new PassRate(world.clock);
    this.report = new PassReport(keyed.name, world.metrics, this.world.log);
  }

  async run(): Promise<void> {
    const { keyed, world, queue, waking, signal } = this;
    const others = (keyed.wokenBy ?? []).map(woken => ({
      woken,
      informer: world.caches.of(woken.kind, woken.selection),
    }));
    const unsubscribe = [
      wakeByOwn(this.informer, { waking, queue, heeds: keyed.heeds }),
      ...others.map(({ woken, informer }) => wakeByOther(woken, informer, waking, this.world)),
    ];
    keyed.wakes?.(this.world, key => queue.add(keyText(key), 'woken', 'change'));
    signal.addEventListener('abort', () => queue.close(), { once: true });
    try {
      await Promise.all(
        [...this.readCaches, ...others.map(({ informer }) => informer)].map(each => each.whenSynced(signal)),
      );
      await Promise.all(Array.from({ length: keyed.workers ?? 4 }, () => this.work()));
    } catch (error) {
      if (!signal.aborted) throw error;
    } finally {
      queue.close();
      for (const stop of unsubscribe) stop();
    }
  }

  private async work(): Promise<void> {
    if (this.signal.aborted) return;
    for (;;) {
      const entry = await this.queue.take();
      if (entry === undefined) return;
      await this.turn(entry);
      this.queue.done(entry.key);
      this.report.due(this.queue);
    }
  }

  private async turn({ key, why }: Entry): Promise<void> {
    this.report.due(this.queue);
    if (this.rate.exceededBy(key)) {
      this.report.heldBack(key, why);
      this.queue.addAfter(key, 'held back', HELD_BACK_MS, 'change');
      return;
    }
    const startedMs = this.world.clock.monotonic();
    this.world.log.debug('A pass begins', { key, why });
    const result = await this.pass(key);
    if (this.signal.aborted && result.error !== undefined) return;
    this.report.passed(result.outcome, this.world.clock.monotonic() - startedMs);
    this.settle(key, result);
  }

  private async pass(key: string): Promise<PassResult> {
    try {
      const behind = this.readCaches.filter(cache => !this.writes.isShownBy(cache));
      if (behind.length > 0) await Promise.all(behind.map(cache => this.writes.shownBy(cache, this.signal)));
      this.waking.passBegins(key);
      const object = this.informer.get(parseKey(key));
      if (object !== undefined && this.world.concerns?.(object) === false) return { outcome: 'skipped' };
      return await this.keyed.pass(parseKey(key), object, this.world);
    } catch (error) {
      return { outcome: 'failed', error };
    }
  }

  private settle(key: string, { error, recheckMs, concluded, on }: PassResult): void {
    const isThere = this.informer.get(parseKey(key)) !== undefined;
    this.waking.passEnds(key, { concluded: isThere ? concluded : undefined, on });
    if (recheckMs !== undefined) this.queue.addAfter(key, 'recheck', recheckMs);
    if (error === undefined) this.queue.succeed(key);
    else this.retry(key, error);
  }

  private retry(key: string, error: unknown): void {
    this.report.failed(key, error);
    const retry = retryOf(error);
    if (retry === 'never') {
      this.queue.addAfter(key, 'recheck after a failure', RECHECK_AFTER_NEVER_MS);
      return;
    }
    const firstMs = retry === 'conflict' ? CONFLICT_BACKOFF_MS : ERROR_BACKOFF_MS;
    this.queue.backOff(key, 'retry', { firstMs, atLeastMs: retryAfterOf(error) });
  }
}
