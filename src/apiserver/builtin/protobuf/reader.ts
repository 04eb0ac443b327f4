// Reads protobuf wire format out of bytes that a client sent: every length is checked before it is believed.

import { inexact } from '../../request/exact-numbers.ts';
import { DELIMITED, FIXED64, VARINT } from './writer.ts';

const FIXED32 = 5;
/** Six bytes of seven bits: more than any length that fits in memory, and exact as a number. */
const LARGEST_UNIT = 0x80 ** 5;

/** One field as it lies on the wire, its value not yet read. */
export interface WireField {
  readonly number: number;
  readonly wireType: number;
}

export class Reader {
  readonly #bytes: Buffer;
  #at: number;
  readonly #end: number;

  constructor(bytes: Uint8Array, start = 0, end: number = bytes.length) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
    this.#at = start;
    this.#end = end;
  }

  get atEnd(): boolean {
    return this.#at >= this.#end;
  }

  /** The next field's tag; undefined at the end of the message. */
  next(): WireField | undefined {
    if (this.#at >= this.#end) return undefined;
    const tag = this.unsigned();
    const number = Math.floor(tag / 8);
    if (number === 0) throw new Error('protobuf: illegal tag 0');
    return { number, wireType: tag % 8 };
  }

  skip(field: WireField): void {
    if (field.wireType === VARINT) this.bigint();
    else if (field.wireType === FIXED64) this.#take(8);
    else if (field.wireType === DELIMITED) this.#take(this.unsigned());
    else if (field.wireType === FIXED32) this.#take(4);
    else throw new Error(`protobuf: illegal wire type ${field.wireType}`);
  }

  /** `called`: the field's name. */
  expect({ wireType, number }: WireField, expected: number, called = String(number)): void {
    if (wireType !== expected) throw new Error(`proto: wrong wireType = ${wireType} for field ${inGo(called)}`);
  }

  /** A reader of a nested message, which this one then has passed. */
  message(): Reader {
    const length = this.unsigned();
    const start = this.#take(length);
    return new Reader(this.#bytes, start, start + length);
  }

  /** A copy: the request's buffer is not kept alive by one field of it. */
  bytes(): Buffer {
    const length = this.unsigned();
    const start = this.#take(length);
    return Buffer.from(this.#bytes.subarray(start, start + length));
  }

  string(): string {
    const length = this.unsigned();
    const start = this.#take(length);
    return this.#bytes.toString('utf8', start, start + length);
  }

  double(): number {
    return this.#bytes.readDoubleLE(this.#take(8));
  }

  /** An int32 or int64, sign included; `called`: the field's name. */
  integer(called = 'a field'): number {
    const first = this.#bytes[this.#at];
    if (first !== undefined && first < 0x80 && this.#at < this.#end) {
      this.#at++;
      return first;
    }
    const whole = BigInt.asIntN(64, this.bigint());
    const near = Number(whole);
    if (!Number.isSafeInteger(near) && String(near) !== String(whole)) throw new Error(inexact(String(whole), called));
    return near;
  }

  /** A tag or a length. */
  unsigned(): number {
    let value = 0;
    for (let unit = 1; unit <= LARGEST_UNIT; unit *= 0x80) {
      const byte = this.#bytes[this.#take(1)] ?? 0;
      value += (byte & 0x7f) * unit;
      if (byte < 0x80) return value;
    }
    throw new Error('protobuf: number out of range');
  }

  bigint(): bigint {
    let value = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = this.#bytes[this.#take(1)] ?? 0;
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
    throw new Error('protobuf: varint is too long');
  }

  #take(count: number): number {
    const start = this.#at;
    if (count > this.#end - start) throw new Error('unexpected EOF');
    this.#at = start + count;
    return start;
  }
}

/** The field's name as Go's decoder says it. */
const inGo = (name: string): string =>
  name === 'metadata' ? 'ObjectMeta' : `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`;
