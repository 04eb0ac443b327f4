// How the frames of watches are written: several at once, the same bytes for all, and while the server is busy in turns.

import type { EventStream } from '../../kube/transport.ts';
import { ServerResponse } from './plain-http.ts';
import { type Client, type ClientResponse, room, type Writable } from './server-client.ts';
import type { Reader } from './server-unread.ts';

/**
 * How much is gathered for one write: more would only wait in memory for a slow client. With the frame that goes beyond it
 * it is still one piece for a reader (server-unread.ts): what is cut is copied for each.
 */
const BATCH_BYTES = 48 * 1024;
/** While the server is busy, a stream is written to this often (api-9). */
const TURN_MS = 20;
const STEP_MS = 2;
/** The share of its time in which a server may work and still not count as busy: a client that shares its machine needs the rest. */
const BUSY = 0.5;
const LOOK_EVERY_MS = 20;

/** Frames that are written at once: as they are, and as one chunk of HTTP/1.1. */
export interface Joined {
  readonly bytes: Uint8Array;
  readonly chunk: Uint8Array;
}

/** The frame and what else is there already: one write for each costs more than the bytes do. A large one is not copied. */
export function withReady(frame: Uint8Array, stream: EventStream): Joined {
  if (frame.length >= BATCH_BYTES) return asChunk(frame);
  const more = stream.ready?.(BATCH_BYTES - frame.length);
  // Streams of one kind come through the same places: what was joined for one is written to all others.
  const known = written.get(more ?? frame);
  if (known?.frame === frame && known.more === more) return known.joined;
  const made = joined(frame, more);
  written.set(more ?? frame, { frame, more, joined: made });
  return made;
}

interface Written {
  readonly frame: Uint8Array;
  readonly more: Uint8Array | undefined;
  readonly joined: Joined;
}

/** By the last of the bytes, for as long as somebody keeps those. */
const written = new WeakMap<Uint8Array, Written>();

function joined(frame: Uint8Array, more: Uint8Array = NOTHING): Joined {
  const size = frame.length + more.length;
  const head = Buffer.from(`${size.toString(16)}\r\n`);
  const chunk = Buffer.concat([head, frame, more, CHUNK_END]);
  return { chunk, bytes: chunk.subarray(head.length, head.length + size) };
}

/** The chunk of HTTP/1.1 is made when it is asked for. */
const asChunk = (bytes: Uint8Array): Joined => ({
  bytes,
  get chunk() {
    return joined(bytes).chunk;
  },
});

/** At most so many bytes of the frames, from a place on. */
function pieceOf(frames: Joined, at: number, maxBytes: number): Joined {
  const { length } = frames.bytes;
  return at === 0 && length <= maxBytes ? frames : asChunk(frames.bytes.subarray(at, at + maxBytes));
}

const NOTHING = new Uint8Array();
const CHUNK_END = Buffer.from('\r\n');

export interface LastWrite {
  /** By the monotonic clock, in milliseconds. */
  readonly at: number;
  readonly bytes: number;
}

/** Where frames go. */
export interface Outlet {
  /** Whether more can be written now; else once `writable` says so. `written`: the memory is needed no more. */
  write(frames: Joined, written?: (error?: Error | null) => void): boolean;
  readonly writable: Writable;
}

/**
 * For an answer whose head is out. Node writes a chunk of HTTP/1.1 as three buffers, which TLS copies into one for each
 * client: the whole chunk in one buffer is the same for all, and copied for none.
 */
export function outletOf(response: ClientResponse): Outlet {
  const socket = response instanceof ServerResponse && response.chunkedEncoding ? response.socket : null;
  // Behind another answer on its connection it has no socket yet.
  if (socket === null) return { write: ({ bytes }, written) => response.write(bytes, written), writable: response };
  return { write: ({ chunk }, written) => socket.write(chunk, written), writable: socket };
}

/** Writes the frames piece by piece, no faster than they are read: what is not read is held once for all (api-7). */
export async function writeFrames(frames: Joined, outlet: Outlet, { client, reader }: Reading): Promise<void> {
  for (let at = 0; at < frames.bytes.length && !client.gone; ) {
    const piece = pieceOf(frames, at, reader.mayTake());
    at += piece.bytes.length;
    if (outlet.write(piece)) continue;
    reader.waits(frames.bytes, piece.bytes.length);
    await room(outlet.writable, client);
    reader.goesOn();
  }
}

/** Who reads, and how much they have not read. */
interface Reading {
  readonly client: Client;
  readonly reader: Reader;
}

/**
 * Each write to a stream costs the same few system calls, however much it carries. A server that has time writes every
 * event at once; one that has none lets events gather for a moment, and so has time for more of them. Streams have their
 * turns one after the other: a client that got all of them at once would do nothing else for a while, then nothing at all.
 */
export class Turns {
  readonly #shareUsed: () => number;
  readonly #waiting: (() => void)[] = [];
  #lookedAt = Number.NEGATIVE_INFINITY;
  #isBusy = false;

  /** `shareUsed`: the share of its time in which this process has worked since it was last asked. */
  constructor(shareUsed: () => number = loopShare()) {
    this.#shareUsed = shareUsed;
  }

  /**
   * When a stream has its next turn after its last write; undefined: now. One that filled its write has more: if it waited,
   * a busy server would write so much a turn and no more, and leave every watcher behind.
   */
  turnAfter(last: LastWrite | undefined): Promise<void> | undefined {
    if (last === undefined || last.bytes >= BATCH_BYTES) return undefined;
    const now = performance.now();
    if (now - this.#lookedAt >= LOOK_EVERY_MS) {
      this.#isBusy = this.#shareUsed() > BUSY;
      this.#lookedAt = now;
    }
    if (!this.#isBusy || now - last.at >= TURN_MS) return undefined;
    return new Promise(resolve => {
      this.#waiting.push(resolve);
      if (this.#waiting.length === 1) this.#goOn(now);
    });
  }

  /** Those that wait longest have their turn: as many as let all have theirs in time. */
  #goOn(before: number): void {
    setTimeout(() => {
      const now = performance.now();
      const share = Math.min(1, (now - before) / TURN_MS);
      const due = this.#waiting.splice(0, Math.ceil(this.#waiting.length * share));
      for (const resolve of due) resolve();
      if (this.#waiting.length > 0) this.#goOn(now);
    }, STEP_MS);
  }
}

function loopShare(): () => number {
  let before = performance.eventLoopUtilization();
  return () => {
    const { utilization } = performance.eventLoopUtilization(before);
    before = performance.eventLoopUtilization();
    return utilization;
  };
}
