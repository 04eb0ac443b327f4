// How the frames of watches are written: several at once, the same bytes for all, and while the server is busy in turns.

import type { EventStream } from '../../kube/transport.ts';

/** How much is written at once: more would only wait in memory for a slow client. */
const BATCH_BYTES = 64 * 1024;
/** While the server is busy, a stream is written to this often (api-9). */
const TURN_MS = 20;
/** The share of its time in which a server may work and still not count as busy. */
const BUSY = 0.8;
const LOOK_EVERY_MS = 20;

/** The frame and what else is there already: one write for each costs more than the bytes do. */
export function withReady(frame: Uint8Array, stream: EventStream): Uint8Array {
  const frames = [frame];
  let size = frame.length;
  while (size < BATCH_BYTES) {
    const more = stream.ready?.();
    if (more === undefined) break;
    frames.push(more);
    size += more.length;
  }
  return frames.length === 1 ? frame : joined(frames, size);
}

/** Streams of one kind are at the same place most of the time: what was joined for one is written to the next. */
let last: { readonly frames: readonly Uint8Array[]; readonly bytes: Uint8Array } | undefined;

function joined(frames: readonly Uint8Array[], size: number): Uint8Array {
  const known = isLast(frames) ? last?.bytes : undefined;
  if (known !== undefined) return known;
  const bytes = Buffer.concat(frames, size);
  last = { frames, bytes };
  return bytes;
}

const isLast = (frames: readonly Uint8Array[]): boolean =>
  last?.frames.length === frames.length && frames.every((frame, index) => frame === last?.frames[index]);

/**
 * Each write to a stream costs the same few system calls, however much it carries. A server that has time writes every
 * event at once; one that has none lets events gather for a moment, and so has time for more of them.
 */
export class Turns {
  readonly #shareUsed: () => number;
  #lookedAt = Number.NEGATIVE_INFINITY;
  #isBusy = false;
  #next: Promise<void> | undefined;

  /** `shareUsed`: the share of its time in which this process has worked since it was last asked. */
  constructor(shareUsed: () => number = loopShare()) {
    this.#shareUsed = shareUsed;
  }

  /** When a stream that was written to at `writtenAt` has its next turn; undefined: now. */
  turnAfter(writtenAt: number): Promise<void> | undefined {
    const now = performance.now();
    if (now - this.#lookedAt >= LOOK_EVERY_MS) {
      this.#isBusy = this.#shareUsed() > BUSY;
      this.#lookedAt = now;
    }
    if (!this.#isBusy || now - writtenAt >= TURN_MS) return undefined;
    // One timer for all, so that they find the same frames.
    this.#next ??= new Promise(resolve => {
      setTimeout(() => {
        this.#next = undefined;
        resolve();
      }, TURN_MS);
    });
    return this.#next;
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
