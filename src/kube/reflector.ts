// Keeps one watch going against a server: does what the watch machine asks for, and survives every error.

import { messageOf } from '../base/errors.ts';
import type { Log } from '../base/log.ts';
import type { Random } from '../base/random.ts';
import type { ListOptions } from './api.ts';
import { ApiError, isExpired } from './errors.ts';
import { acceptedFor, type Kind, pathOf, resourceName } from './kind.ts';
import { listAll, selectionQuery, typed } from './listing.ts';
import type { KubeObject } from './object.ts';
import { answerUnreadable, ask, type Caller, parseJson } from './request.ts';
import { readOnce } from './shared-frames.ts';
import type { EventStream } from './transport.ts';
import {
  type FailureCause,
  type Known,
  startOfWatch,
  step,
  type WatchInput,
  type WatchNews,
  type WatchRequest,
  type WatchStep,
} from './watch.ts';

/** Two bookmark periods of a kube-apiserver (about a minute each) and some: a stream without a byte for so long is dead. */
const SILENCE_MS = 130_000;

const FIRST_BACKOFF_MS = 500;
const LONGEST_BACKOFF_MS = 30_000;

export interface Reflection<T extends KubeObject> {
  readonly caller: Caller;
  readonly kind: Kind<T>;
  readonly selection: ListOptions;
  readonly random: Random;
  readonly log: Log;
  /** What is known, to tell what vanished; and where news go. */
  readonly known: Known;
  readonly tell: (news: readonly WatchNews<T>[]) => void;
  readonly failed: (cause: FailureCause) => void;
}

interface OpenWatch {
  readonly stream: EventStream;
  readonly sinceMs: number;
  /** When its last frame came. */
  heardMs: number;
  silent: boolean;
  cancelAlarm: () => void;
}

/** One list and watch, for as long as it runs. */
export class Reflector<T extends KubeObject> {
  /** Lists begun so far: a list begun after some moment knows all that happened before it. */
  listsBegun = 0;
  private readonly to: Reflection<T>;
  private watch: OpenWatch | undefined;
  private relistWanted = false;
  private listBegunMs = 0;

  constructor(reflection: Reflection<T>) {
    this.to = reflection;
  }

  /** Ends, without error, only when `signal` aborts. */
  async run(signal: AbortSignal): Promise<void> {
    signal.addEventListener('abort', () => this.watch?.stream.close('stopped'), { once: true });
    let { state, request }: Pick<WatchStep<T>, 'state' | 'request'> = startOfWatch;
    while (!signal.aborted) {
      const input = await this.perform(request, signal);
      if (signal.aborted) break;
      const result: WatchStep<T> = step(state, input, this.to.known);
      this.to.tell(result.news);
      ({ state, request } = result);
    }
    // An alarm that is left behind keeps the process from ending.
    this.leave();
  }

  /** Asks for a list that begins after now. */
  relist(): void {
    this.relistWanted = true;
    this.watch?.stream.close('a new list is wanted');
  }

  private async perform(request: WatchRequest, signal: AbortSignal): Promise<WatchInput<T>> {
    try {
      if (request.ask !== 'next') this.leave();
      if (request.ask === 'sleep') return await this.sleep(request, signal);
      if (request.ask === 'list') return await this.list(signal);
      if (this.relistWanted) return { type: 'relist' };
      if (request.ask === 'watch') return await this.open(request.version, signal);
      return await this.next();
    } catch (error) {
      return this.failure(error, signal);
    }
  }

  private async sleep(
    { failures, atLeastMs }: { failures: number; atLeastMs: number },
    signal: AbortSignal,
  ): Promise<WatchInput<T>> {
    const longestMs = Math.min(LONGEST_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** Math.min(failures, 10));
    await this.to.caller.clock.sleep(atLeastMs + this.to.random.below(longestMs), signal);
    return { type: 'slept' };
  }

  private async list(signal: AbortSignal): Promise<WatchInput<T>> {
    const { caller, kind, selection } = this.to;
    this.relistWanted = false;
    this.listsBegun++;
    this.listBegunMs = caller.clock.monotonic();
    const { items, resourceVersion } = await listAll(caller, kind, selection, signal);
    return { type: 'listed', items, version: resourceVersion };
  }

  private async open(version: string, signal: AbortSignal): Promise<WatchInput<T>> {
    const { caller, kind, selection, random } = this.to;
    const answer = await ask(caller, {
      method: 'GET',
      path: pathOf(kind, selection.namespace === undefined ? {} : { namespace: selection.namespace }),
      accept: acceptedFor(kind),
      query: {
        ...selectionQuery(selection),
        watch: 'true',
        allowWatchBookmarks: 'true',
        resourceVersion: version,
        timeoutSeconds: String(300 + random.below(301)),
      },
      signal,
    });
    if (answer.stream === undefined) return this.failedBy('unreadable');
    const nowMs = caller.clock.monotonic();
    const watch = {
      stream: answer.stream,
      sinceMs: nowMs,
      heardMs: nowMs,
      silent: false,
      cancelAlarm: () => undefined,
    };
    this.watch = watch;
    this.listenFor(watch, SILENCE_MS);
    return { type: 'opened' };
  }

  /** One timer for the whole watch: setting one for each frame costs more than reading it. */
  private listenFor(watch: OpenWatch, ms: number): void {
    const { clock } = this.to.caller;
    watch.cancelAlarm = clock.after(ms, () => {
      const leftMs = watch.heardMs + SILENCE_MS - clock.monotonic();
      if (leftMs > 0) return this.listenFor(watch, leftMs);
      watch.silent = true;
      watch.stream.close('silent');
    });
  }

  private async next(): Promise<WatchInput<T>> {
    const { watch } = this;
    if (watch === undefined) return this.failedBy('unanswered');
    const frame = await watch.stream.next();
    watch.heardMs = this.to.caller.clock.monotonic();
    if (frame !== undefined) return this.read(watch.stream, frame);
    if (watch.silent) return this.failedBy('silent');
    if (this.relistWanted) return { type: 'relist' };
    const now = this.to.caller.clock.monotonic();
    return { type: 'ended', lastedMs: now - watch.sinceMs, listAgeMs: now - this.listBegunMs };
  }

  private read(stream: EventStream, bytes: Uint8Array): WatchInput<T> {
    const { type, object } = readOnce<T>(stream, bytes, frame =>
      parseJson(frame, `WATCH ${resourceName(this.to.kind)}`),
    );
    if (type === undefined || object?.metadata === undefined) return this.failedBy('unreadable');
    const { kind } = this.to;
    const named = kind.metadataOnly && type !== 'ERROR' ? typed(kind, object) : object;
    return { type: 'frame', frame: { type, object: named } };
  }

  private leave(): void {
    this.watch?.cancelAlarm();
    this.watch?.stream.close('over');
    this.watch = undefined;
  }

  private failure(error: unknown, signal: AbortSignal): WatchInput<T> {
    if (signal.aborted) return { type: 'relist' };
    return this.failedBy(causeOf(error), error);
  }

  private failedBy(cause: FailureCause, error?: unknown): WatchInput<T> {
    const lastedMs = this.watch === undefined ? 0 : this.to.caller.clock.monotonic() - this.watch.sinceMs;
    this.leave();
    this.to.failed(cause);
    this.to.log.warn(FAILURES[cause], {
      kind: this.to.kind.kind,
      cause,
      ...(error === undefined ? {} : { error: messageOf(error) }),
    });
    const retryAfterMs = error instanceof ApiError ? error.retryAfterMs : undefined;
    return { type: 'failed', cause, lastedMs, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) };
  }
}

const FAILURES: Readonly<Record<FailureCause, string>> = {
  expired: 'A watch fell too far behind; reading the list again',
  refused: 'A list or watch was refused; it is tried again after a pause',
  unanswered: 'A list or watch got no good answer; it is tried again after a pause',
  silent: 'A watch was silent for too long; reading the list again',
  unreadable: 'A watch made no sense; reading the list again after a pause',
};

function causeOf(error: unknown): FailureCause {
  if (isExpired(error)) return 'expired';
  if (answerUnreadable.is(error)) return 'unreadable';
  if (!(error instanceof ApiError)) return 'unanswered';
  return error.httpStatus === 429 || error.httpStatus >= 500 ? 'unanswered' : 'refused';
}
