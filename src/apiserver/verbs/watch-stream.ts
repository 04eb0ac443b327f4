// One watch: it pulls from the shared history at its reader's pace, so a slow reader costs no memory and ends in 410 (api-7).

import { minutes, seconds } from '../../base/clock.ts';
import type { EventStream } from '../../kube/transport.ts';
import { joined } from '../answer/render.ts';
import { expired } from '../answer/status.ts';
import type { Core } from '../core.ts';
import type { JsonObject } from '../parts.ts';
import { rowOf } from '../store/serialise.ts';
import type { Change, Row, Tail } from '../store.ts';
import type { EventType, FrameWriter } from './watch-frames.ts';

/** How often a watch that asked for bookmarks gets one. */
const BOOKMARK_MS = minutes(1);
/** And how long before its time is up it gets the last one, to go on from there. */
const LAST_BOOKMARK_MS = seconds(2);
const INITIAL_END = 'k8s.io/initial-events-end';

export interface WatchSetup {
  readonly core: Core;
  readonly storage: string;
  /** Empty: all namespaces. */
  readonly namespace: string;
  readonly selects: ((object: JsonObject) => boolean) | undefined;
  readonly writer: FrameWriter;
  readonly initial: readonly Row[];
  readonly tail: Tail;
  /** Changes up to this revision are known to the client. */
  readonly fromRevision: number;
  readonly bookmarks: boolean;
  /** Tells the client where the initial events end (watch-list). */
  readonly announceInitialEnd: boolean;
  readonly timeoutMs: number;
}

export class WatchStream implements EventStream {
  readonly storage: string;
  readonly sameBytes = true;
  readonly #setup: WatchSetup;
  readonly #stops: (() => void)[] = [];
  #initialAt = 0;
  #endAnnounced: boolean;
  /** Whether it has come to changes that the client does not know. */
  #isFollowing = false;
  #bookmarkDue = false;
  #ended = false;
  #waiting: ((frame: Uint8Array | undefined) => void) | undefined;

  constructor(setup: WatchSetup) {
    this.#setup = setup;
    this.storage = setup.storage;
    this.#endAnnounced = !setup.announceInitialEnd;
    const { clock, watches } = setup.core;
    watches.add(this);
    this.#stops.push(() => watches.delete(this));
    this.#stops.push(setup.tail.onChange(() => this.#wake()));
    this.#stops.push(clock.after(setup.timeoutMs, () => this.close('the time of the watch is up')));
    if (setup.bookmarks) this.#scheduleBookmarks();
  }

  next(): Promise<Uint8Array | undefined> {
    const frame = this.#frame();
    if (frame !== undefined) return Promise.resolve(frame);
    if (this.#ended) return Promise.resolve(undefined);
    return new Promise(resolve => {
      this.#waiting = resolve;
    });
  }

  close(_reason: string): void {
    if (this.#ended) return;
    this.#ended = true;
    for (const stop of this.#stops) stop();
    this.#answer(undefined);
  }

  #wake(): void {
    if (this.#waiting === undefined) return;
    const frame = this.#frame();
    if (frame !== undefined) this.#answer(frame);
  }

  #answer(frame: Uint8Array | undefined): void {
    const waiting = this.#waiting;
    this.#waiting = undefined;
    waiting?.(frame);
  }

  ready(maxBytes: number): Uint8Array | undefined {
    const { core, tail } = this.#setup;
    const watched = this.#watchedAlike();
    if (watched === undefined) return this.#joined(maxBytes);
    const from = tail.position;
    const known = core.pieces.get(watched, from);
    if (known !== undefined) {
      tail.goOnAt(known.to);
      return known.bytes;
    }
    const bytes = this.#joined(maxBytes, position => core.pieces.isMeeting(watched, position));
    // The last frame of a stream that ends is about this stream alone.
    if (bytes !== undefined && !this.#ended) core.pieces.keep(watched, { from, to: tail.position, bytes });
    return bytes;
  }

  /** What all watches have in common that see the same events next; undefined: this one has something of its own. */
  #watchedAlike(): string | undefined {
    const { selects, writer, namespace } = this.#setup;
    if (selects !== undefined || !this.#isFollowing || this.#bookmarkDue || writer.form === undefined) return undefined;
    return `${this.storage} ${namespace} ${writer.form}`;
  }

  #joined(maxBytes: number, endsAt?: (position: number) => boolean): Uint8Array | undefined {
    const frames: Uint8Array[] = [];
    let size = 0;
    for (let frame = this.#frame(); frame !== undefined; frame = this.#frame()) {
      frames.push(frame);
      size += frame.length;
      if (size >= maxBytes || endsAt?.(this.#setup.tail.position) === true) break;
    }
    return frames.length > 1 ? joined(frames) : frames[0];
  }

  #frame(): Uint8Array | undefined {
    if (this.#ended) return undefined;
    const row = this.#setup.initial[this.#initialAt];
    if (row !== undefined) {
      this.#initialAt += 1;
      return this.#setup.writer.ofRow('ADDED', row);
    }
    if (!this.#endAnnounced) {
      this.#endAnnounced = true;
      return this.#bookmark(this.#setup.fromRevision, { [INITIAL_END]: 'true' });
    }
    return this.#fromTail();
  }

  #fromTail(): Uint8Array | undefined {
    for (let change = this.#setup.tail.take(); change !== undefined; change = this.#setup.tail.take()) {
      if (change === 'gone') return this.#fellBehind();
      const frame = this.#frameOf(change);
      if (frame !== undefined) return frame;
    }
    if (!this.#bookmarkDue) return undefined;
    this.#bookmarkDue = false;
    return this.#bookmark(Math.max(this.#setup.core.store.revision, this.#setup.fromRevision), undefined);
  }

  /** What the change means to this watch: objects enter and leave its selection. */
  #frameOf(change: Change): Uint8Array | undefined {
    const { namespace, selects, fromRevision } = this.#setup;
    const { row, previous } = change;
    if (row.revision <= fromRevision) return undefined;
    this.#isFollowing = true;
    if (namespace !== '' && row.namespace !== namespace) return undefined;
    const was = previous !== undefined && (selects?.(previous.object) ?? true);
    const is = change.type !== 'deleted' && (selects?.(row.object) ?? true);
    if (is) return this.#shared(was ? 'MODIFIED' : 'ADDED', row);
    if (!was) return undefined;
    // An object that leaves the selection is shown as it was, at the revision at which it left.
    return this.#shared('DELETED', change.type === 'deleted' ? row : rowOf(row, previous.object, row.revision));
  }

  #shared(type: EventType, row: Row): Uint8Array {
    return this.#setup.writer.ofRow(type, row, this.#setup.core.frames);
  }

  #bookmark(revision: number, annotations: JsonObject | undefined): Uint8Array {
    return this.#setup.writer.bookmark(revision, annotations);
  }

  #fellBehind(): Uint8Array {
    const { status } = expired('too old resource version: the watch fell behind the history that is kept');
    const frame = this.#setup.writer.ofStatus(JSON.parse(JSON.stringify(status)));
    this.close('the watch fell behind');
    return frame;
  }

  #scheduleBookmarks(): void {
    const { clock } = this.#setup.core;
    const every = (): void => {
      const stop = clock.after(BOOKMARK_MS, () => {
        this.#stops.splice(this.#stops.indexOf(stop), 1);
        this.#dueBookmark();
        every();
      });
      this.#stops.push(stop);
    };
    every();
    const lastMs = this.#setup.timeoutMs - LAST_BOOKMARK_MS;
    if (lastMs > 0) this.#stops.push(clock.after(lastMs, () => this.#dueBookmark()));
  }

  #dueBookmark(): void {
    this.#bookmarkDue = true;
    this.#wake();
  }
}
