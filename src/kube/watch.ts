// The watch protocol as a pure step: from a state and what was heard to what is known and what to ask next.

import { type KubeObject, keyOf, keyText } from './object.ts';
import { isAtLeast } from './version.ts';

/** Where a watch is. `failures` counts tries in a row from which nothing came. */
export type WatchState =
  | { readonly at: 'listing'; readonly failures: number }
  | { readonly at: 'opening'; readonly version: string; readonly failures: number }
  | { readonly at: 'watching'; readonly version: string; readonly failures: number }
  | { readonly at: 'backingOff'; readonly failures: number; readonly version?: string };

/** One frame of a watch, parsed. An ERROR carries a Status. */
export interface WatchFrame<T> {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR';
  readonly object: T;
}

/** Why a list or watch came to nothing: too old, refused, no answer, no byte for too long, or no sense in it. */
export type FailureCause = 'expired' | 'refused' | 'unanswered' | 'silent' | 'unreadable';

export type WatchInput<T> =
  | { readonly type: 'listed'; readonly items: readonly T[]; readonly version: string }
  | { readonly type: 'opened' }
  | { readonly type: 'frame'; readonly frame: WatchFrame<T> }
  /** The server ended the watch in order. `listAgeMs`: since the last list began. */
  | { readonly type: 'ended'; readonly lastedMs: number; readonly listAgeMs: number }
  | {
      readonly type: 'failed';
      readonly cause: FailureCause;
      readonly lastedMs: number;
      readonly retryAfterMs?: number;
    }
  | { readonly type: 'slept' }
  /** Somebody needs to know the state as of now. */
  | { readonly type: 'relist' };

/** What the cache learns. `synced` follows a whole list, `progress` says that nothing is missing up to a version. */
export type WatchNews<T> =
  | { readonly type: 'seen'; readonly object: T }
  | { readonly type: 'gone'; readonly key: string; readonly last?: T }
  | { readonly type: 'synced' | 'progress'; readonly version: string };

export type WatchRequest =
  | { readonly ask: 'list' }
  | { readonly ask: 'watch'; readonly version: string }
  | { readonly ask: 'next' }
  | { readonly ask: 'sleep'; readonly failures: number; readonly atLeastMs: number };

export interface WatchStep<T> {
  readonly state: WatchState;
  readonly news: readonly WatchNews<T>[];
  readonly request: WatchRequest;
}

/** What the cache holds now, by key: a list says what of it vanished. */
export type Known = Pick<ReadonlyMap<string, unknown>, 'has' | 'keys'>;

/** A watch that lived this long worked, even if nothing happened in it. */
const WORKED_MS = 10_000;

/** After so many failures in a row the version itself is doubted (a server restored from a backup): list again. */
const FAILURES_TO_DOUBT = 3;

/** A list older than this is read again when its watch ends: an event that got lost is not lost for ever. */
const LIST_FRESH_MS = 30 * 60_000;

/** Where every watch starts. */
export const startOfWatch: WatchStep<never> = {
  state: { at: 'listing', failures: 0 },
  news: [],
  request: { ask: 'list' },
};

export function step<T extends KubeObject>(state: WatchState, input: WatchInput<T>, known: Known): WatchStep<T> {
  switch (input.type) {
    case 'listed':
      return takeOver(state, input, known);
    case 'opened':
      return {
        state: { at: 'watching', version: versionOf(state), failures: state.failures },
        news: [],
        request: next,
      };
    case 'frame':
      return hear(state, input.frame);
    case 'ended':
      return renew(state, input);
    case 'failed':
      return fail(state, input);
    case 'slept':
      return state.at === 'backingOff' && state.version !== undefined
        ? open(state.version, state.failures)
        : list(state.failures);
    case 'relist':
      return list(state.failures);
  }
}

const next: WatchRequest = { ask: 'next' };

function list<T>(failures: number): WatchStep<T> {
  return { state: { at: 'listing', failures }, news: [], request: { ask: 'list' } };
}

function open<T>(version: string, failures: number, news: readonly WatchNews<T>[] = []): WatchStep<T> {
  return { state: { at: 'opening', version, failures }, news, request: { ask: 'watch', version } };
}

function takeOver<T extends KubeObject>(
  state: WatchState,
  { items, version }: { items: readonly T[]; version: string },
  known: Known,
): WatchStep<T> {
  const listed = new Set(items.map(item => keyText(keyOf(item))));
  const vanished = [...known.keys()].filter(key => !listed.has(key));
  return open(version, state.failures, [
    ...vanished.map(key => ({ type: 'gone', key }) as const),
    ...items.map(object => ({ type: 'seen', object }) as const),
    { type: 'synced', version },
  ]);
}

function hear<T extends KubeObject>(state: WatchState, { type, object }: WatchFrame<T>): WatchStep<T> {
  if (type === 'ERROR') return fail(state, failedBy(object));
  const version = object.metadata?.resourceVersion;
  if (version === undefined) return fail(state, { cause: 'unreadable', lastedMs: 0 });
  // Within one watch versions grow: what is not newer was told before, and is not told twice.
  if (isAtLeast(versionOf(state), version) === true) return { state: heard(versionOf(state)), news: [], request: next };
  return { state: heard(version), news: [...newsOf(type, object), { type: 'progress', version }], request: next };
}

const heard = (version: string): WatchState => ({ at: 'watching', version, failures: 0 });

function newsOf<T extends KubeObject>(
  type: Exclude<WatchFrame<T>['type'], 'ERROR'>,
  object: T,
): readonly WatchNews<T>[] {
  if (type === 'BOOKMARK') return [];
  if (type === 'DELETED') return [{ type: 'gone', key: keyText(keyOf(object)), last: object }];
  return [{ type: 'seen', object }];
}

/** Any error within a stream means that its version is of no more use. */
function failedBy(status: unknown): Omit<Extract<WatchInput<never>, { type: 'failed' }>, 'type'> {
  const { details } = status as { details?: { retryAfterSeconds?: number } };
  const retryAfter = details?.retryAfterSeconds;
  return { cause: 'expired', lastedMs: 0, ...(retryAfter === undefined ? {} : { retryAfterMs: retryAfter * 1000 }) };
}

function renew<T>(state: WatchState, ended: { lastedMs: number; listAgeMs: number }): WatchStep<T> {
  if (state.failures > 0 && ended.lastedMs < WORKED_MS) return fail(state, { cause: 'unanswered', ...ended });
  if (ended.listAgeMs >= LIST_FRESH_MS) return list(0);
  // A watch that ends at once has not failed yet, but counts: a server that does this for ever is not asked in a loop.
  return open(versionOf(state), ended.lastedMs < WORKED_MS ? 1 : 0);
}

function fail<T>(
  state: WatchState,
  { cause, lastedMs, retryAfterMs = 0 }: { cause: FailureCause; lastedMs: number; retryAfterMs?: number },
): WatchStep<T> {
  const failures = lastedMs >= WORKED_MS ? 1 : state.failures + 1;
  const listAgain = state.at === 'listing' || cause !== 'unanswered' || failures >= FAILURES_TO_DOUBT;
  const outOfDate = cause === 'expired' || cause === 'silent';
  if (outOfDate && failures === 1 && retryAfterMs === 0 && state.at !== 'listing') return list(failures);
  return {
    state: { at: 'backingOff', failures, ...(listAgain ? {} : { version: versionOf(state) }) },
    news: [],
    request: { ask: 'sleep', failures, atLeastMs: retryAfterMs },
  };
}

const versionOf = (state: WatchState): string => ('version' in state ? (state.version ?? '') : '');
