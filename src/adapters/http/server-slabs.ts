// Memory in which a large answer is put together, one write at a time: filled again once it is written.

import type { Joined } from './server-stream.ts';

/** One write: small ones cost more than their bytes do. */
const SLAB_BYTES = 128 * 1024;
/** Room for a chunk's length in hexadecimal digits before its bytes, and for the ends of lines. */
const HEAD_BYTES = 8;
const END = '\r\n';
/** Answers that are written at once have one each; more are made for the moment. */
const MAX_KEPT = 16;

class Slab {
  readonly #memory: Buffer = Buffer.allocUnsafeSlow(HEAD_BYTES + SLAB_BYTES + END.length);
  #end = HEAD_BYTES;

  /** Takes as much of the bytes as fits, and says how much that was. */
  take(bytes: Uint8Array): number {
    const fits = Math.min(bytes.length, HEAD_BYTES + SLAB_BYTES - this.#end);
    this.#memory.set(fits === bytes.length ? bytes : bytes.subarray(0, fits), this.#end);
    this.#end += fits;
    return fits;
  }

  get isEmpty(): boolean {
    return this.#end === HEAD_BYTES;
  }

  get isFull(): boolean {
    return this.#end === HEAD_BYTES + SLAB_BYTES;
  }

  /** What it holds, as it is and as one chunk of HTTP/1.1, until it is cleared. */
  get joined(): Joined {
    const head = `${(this.#end - HEAD_BYTES).toString(16)}${END}`;
    this.#memory.write(head, HEAD_BYTES - head.length, 'latin1');
    this.#memory.write(END, this.#end, 'latin1');
    return {
      bytes: this.#memory.subarray(HEAD_BYTES, this.#end),
      chunk: this.#memory.subarray(HEAD_BYTES - head.length, this.#end + END.length),
    };
  }

  clear(): void {
    this.#end = HEAD_BYTES;
  }
}

/** Fresh memory for each write would cost more than the copying: the system hands it out page by page. */
export class Slabs {
  readonly #free: Slab[] = [];

  take(): Slab {
    return this.#free.pop() ?? new Slab();
  }

  giveBack(slab: Slab): void {
    slab.clear();
    if (this.#free.length < MAX_KEPT) this.#free.push(slab);
  }

  /** The pieces in slabs, all of them full but the last. */
  *filled(pieces: Iterable<Uint8Array>): Generator<Slab> {
    let slab = this.take();
    for (const piece of pieces) {
      for (let taken = slab.take(piece); slab.isFull; taken += slab.take(piece.subarray(taken))) {
        yield slab;
        slab = this.take();
      }
    }
    if (slab.isEmpty) this.giveBack(slab);
    else yield slab;
  }
}
