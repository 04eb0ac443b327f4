// The content of a file that grows and shrinks: written in place, because a long trace writes it many thousand times.

export class Bytes {
  #held: Buffer;
  #size: number;

  constructor(content: Buffer = Buffer.alloc(0)) {
    this.#held = Buffer.from(content);
    this.#size = content.length;
  }

  get content(): Buffer {
    return this.#held.subarray(0, this.#size);
  }

  write(offset: number, data: Buffer): void {
    this.#reserve(offset + data.length);
    data.copy(this.#held, offset);
    this.#size = Math.max(this.#size, offset + data.length);
  }

  /** What is cut off is gone; what is added is zero. */
  resize(size: number): void {
    this.#reserve(size);
    if (size < this.#size) this.#held.fill(0, size, this.#size);
    this.#size = size;
  }

  #reserve(size: number): void {
    if (size <= this.#held.length) return;
    const larger = Buffer.alloc(size * 2);
    this.#held.copy(larger, 0, 0, this.#size);
    this.#held = larger;
  }
}
