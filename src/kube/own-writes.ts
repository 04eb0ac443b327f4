// A controller sees its own writes: what it wrote is noted here, and no pass begins on a cache that is older.

import { type Clock, minutes } from '../base/clock.ts';
import { defineError } from '../base/errors.ts';
import { linkedSignal } from '../base/linked-signal.ts';
import type { Informer } from './cache.ts';
import { type Kind, resourceName } from './kind.ts';
import { type KubeObject, keyText, type ObjectKey, parseKey } from './object.ts';
import { isAtLeast } from './version.ts';

/** How long a cache may take to show a write that has no version of its own, before its list is read again. */
const CATCH_UP_MS = 5000;

/** How long a pass waits for that: longer, and it fails for all to see. */
const PATIENCE_MS = minutes(1);

const cacheBehind = defineError('PIPPIN_E_CACHE_BEHIND', {
  retry: 'backoff',
  remedy: 'The log says why lists and watches of this kind fail: until they work, nothing is done on old knowledge',
  says: (kind: string) => `The cache of ${kind}s does not show what was written: no pass may rest on it`,
});

/** Whether the cache, by what it holds under a key (or does not hold), shows a write. */
export type Shows = (cached: KubeObject | undefined) => boolean;

interface Noted {
  /** The newest version that a write of this kind was answered with. */
  version?: string;
  /** Writes whose answer was lost, or whose version cannot be compared: only a list begun after them tells. Counted. */
  unclear: number;
  cleared: number;
  /** Writes that are answered without a version, by key. */
  readonly shows: Map<string, Shows>;
}

/**
 * The writes of one controller to the kinds whose caches it reads. Bounded by these, and by the deletions that the
 * caches have yet to show; a write of any other kind is held against no cache, so it is not kept.
 */
export class OwnWrites {
  private readonly clock: Clock;
  private readonly noted: ReadonlyMap<string, Noted>;

  constructor(clock: Clock, reads: readonly Kind[]) {
    this.clock = clock;
    this.noted = new Map(reads.map(kind => [resourceName(kind), { unclear: 0, cleared: 0, shows: new Map() }]));
  }

  /** Notes a write that was answered with the object, or (undefined) one whose answer did not come. */
  note(kind: Kind, version: string | undefined): void {
    const noted = this.noted.get(resourceName(kind));
    if (noted === undefined) return;
    if (version === undefined || (noted.version !== undefined && isAtLeast(version, noted.version) === undefined)) {
      noted.unclear++;
    } else if (noted.version === undefined || isAtLeast(version, noted.version) === true) {
      noted.version = version;
    }
  }

  /** Notes a write that the cache shows once `shows` holds for what is under `key`. */
  noteUntil(kind: Kind, key: ObjectKey, shows: Shows): void {
    this.noted.get(resourceName(kind))?.shows.set(keyText(key), shows);
  }

  /** Whether `informer` holds every write noted so far: most often it does, and nothing has to be waited for. */
  isShownBy(informer: Informer<KubeObject>): boolean {
    const noted = this.noted.get(resourceName(informer.kind));
    if (noted === undefined || isBlank(noted)) return true;
    const { version, unclear, cleared } = noted;
    if (unclear > cleared || (version !== undefined && informer.holds?.(version) !== true)) return false;
    return pruned(informer, noted);
  }

  /** Resolves when `informer` holds every write noted so far; rejects when that takes too long, or with the signal's reason. */
  async shownBy(informer: Informer<KubeObject>, signal: AbortSignal): Promise<void> {
    const noted = this.noted.get(resourceName(informer.kind));
    if (noted === undefined || isBlank(noted)) return;
    const giveUp = new AbortController();
    const cancel = this.clock.after(PATIENCE_MS, () => giveUp.abort(cacheBehind(informer.kind.kind)));
    const linked = linkedSignal(signal, giveUp.signal);
    await this.shown(informer, noted, linked.signal).finally(() => {
      cancel();
      linked.release();
    });
  }

  private async shown(informer: Informer<KubeObject>, noted: Noted, signal: AbortSignal): Promise<void> {
    if (noted.unclear > noted.cleared) return readAnew(informer, noted, signal);
    if (noted.version !== undefined) await informer.reaches?.(noted.version, signal);
    if (!(await this.allShown(informer, noted, signal))) await readAnew(informer, noted, signal);
  }

  /** Waits until every key shows its write. False when that takes too long. */
  private allShown(informer: Informer<KubeObject>, noted: Noted, signal: AbortSignal): Promise<boolean> {
    if (pruned(informer, noted)) return Promise.resolve(true);
    return new Promise((resolve, reject) => {
      const end = (settle: () => void): void => {
        cancelTimer();
        stopListening();
        signal.removeEventListener('abort', aborted);
        settle();
      };
      const aborted = (): void => end(() => reject(signal.reason));
      const cancelTimer = this.clock.after(CATCH_UP_MS, () => end(() => resolve(false)));
      const stopListening = informer.onChange(() => {
        if (pruned(informer, noted)) end(() => resolve(true));
      });
      signal.addEventListener('abort', aborted, { once: true });
    });
  }
}

async function readAnew(informer: Informer<KubeObject>, noted: Noted, signal: AbortSignal): Promise<void> {
  const { unclear } = noted;
  const before = new Map(noted.shows);
  await informer.reaches?.(undefined, signal);
  noted.cleared = Math.max(noted.cleared, unclear);
  for (const [key, shows] of before) if (noted.shows.get(key) === shows) noted.shows.delete(key);
}

const isBlank = ({ version, unclear, cleared, shows }: Noted): boolean =>
  version === undefined && unclear <= cleared && shows.size === 0;

/** Drops what the cache shows; whether nothing is left. */
function pruned(informer: Informer<KubeObject>, { shows }: Noted): boolean {
  for (const [key, holds] of shows) if (holds(informer.get(parseKey(key)))) shows.delete(key);
  return shows.size === 0;
}
