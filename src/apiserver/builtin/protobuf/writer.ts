// Writes protobuf wire format from the end to the start: a message's length is known once its body is written.

const INITIAL_BYTES = 1024;

export const VARINT = 0;
export const FIXED64 = 1;
export const DELIMITED = 2;

/** Everything is written in reverse: the last field first, the value before its length, the length before its tag. */
export class ReverseWriter {
  #buffer = Buffer.allocUnsafe(INITIAL_BYTES);
  #start = INITIAL_BYTES;

  /** How many bytes are written: the difference of two marks is the length of what lies between. */
  get mark(): number {
    return this.#buffer.length - this.#start;
  }

  tag(number: number, wireType: number): void {
    this.unsigned(number * 8 + wireType);
  }

  /** The tag and length of a field whose body was written since `mark`. */
  delimit(number: number, mark: number): void {
    this.unsigned(this.mark - mark);
    this.tag(number, DELIMITED);
  }

  bytes(value: Uint8Array): void {
    this.#reserve(value.length);
    this.#start -= value.length;
    this.#buffer.set(value, this.#start);
  }

  string(value: string): void {
    const length = Buffer.byteLength(value);
    this.#reserve(length);
    this.#start -= length;
    this.#buffer.write(value, this.#start);
  }

  /** A signed integer as int32 and int64 fields carry it: negative ones take ten bytes. */
  integer(value: number): void {
    if (value >= 0) this.unsigned(value);
    else this.#negative(value);
  }

  unsigned(value: number): void {
    const length = varintLength(value);
    this.#reserve(length);
    this.#start -= length;
    let rest = value;
    let at = this.#start;
    while (rest >= 0x80) {
      this.#buffer[at++] = (rest % 0x80) | 0x80;
      rest = Math.floor(rest / 0x80);
    }
    this.#buffer[at] = rest;
  }

  double(value: number): void {
    this.#reserve(8);
    this.#start -= 8;
    this.#buffer.writeDoubleLE(value, this.#start);
  }

  finish(): Uint8Array {
    return this.#buffer.subarray(this.#start);
  }

  #negative(value: number): void {
    let rest = BigInt.asUintN(64, BigInt(value));
    const bytes = new Uint8Array(10);
    for (let i = 0; i < 9; i++) {
      bytes[i] = Number(rest & 0x7fn) | 0x80;
      rest >>= 7n;
    }
    bytes[9] = Number(rest);
    this.bytes(bytes);
  }

  #reserve(count: number): void {
    if (count <= this.#start) return;
    const used = this.mark;
    const grown = Buffer.allocUnsafe(Math.max(this.#buffer.length * 2, used + count));
    this.#buffer.copy(grown, grown.length - used, this.#start);
    this.#buffer = grown;
    this.#start = grown.length - used;
  }
}

function varintLength(value: number): number {
  let length = 1;
  for (let rest = value; rest >= 0x80; rest = Math.floor(rest / 0x80)) length++;
  return length;
}
