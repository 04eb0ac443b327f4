// Protobuf without any table of ours: field numbers and what stands behind them, nested as far as it parses.

const MAGIC = Buffer.from('k8s\0');
/** Seconds between 2001 and 2065 are a time that this run has made. */
const TIMES = { fromSeconds: 1_000_000_000, toSeconds: 3_000_000_000 };
const MAX_DEPTH = 24;

type Field = readonly [number, unknown];

/** The envelope and the message in it; not to be mistaken: a text where it is none. */
export function dumped(bytes: Buffer): unknown {
  if (!bytes.subarray(0, 4).equals(MAGIC)) return fieldsOf(bytes, 0) ?? `${bytes.length} bytes without an envelope`;
  return ['k8s', fieldsOf(bytes.subarray(4), 0) ?? `${bytes.length - 4} bytes that are no message`];
}

/** Undefined: no message. */
function fieldsOf(bytes: Buffer, depth: number): readonly Field[] | undefined {
  const fields: Field[] = [];
  const reader = new WireReader(bytes);
  while (!reader.atEnd) {
    const field = reader.field();
    if (field === undefined) return undefined;
    fields.push([field.number, field.value instanceof Buffer ? shown(field.value, depth) : field.value]);
  }
  return isTime(fields) ? [[1, '<time>']] : fields;
}

/** A time is its seconds and what is left of the last one. */
const isTime = ([first, second, ...more]: readonly Field[]): boolean =>
  first?.[0] === 1 &&
  typeof first[1] === 'number' &&
  first[1] > TIMES.fromSeconds &&
  first[1] < TIMES.toSeconds &&
  (second === undefined || (second[0] === 2 && typeof second[1] === 'number')) &&
  more.length === 0;

/** Texts, messages and bytes look alike on the wire: whatever reads as a message that starts with a low number is one. */
function shown(bytes: Buffer, depth: number): unknown {
  if (bytes.length === 0) return '';
  if (bytes.subarray(0, 4).equals(MAGIC)) return dumped(bytes);
  const isText = readsAsText(bytes);
  const first = bytes[0] ?? 0;
  if (depth < MAX_DEPTH && (!isText || first < 0x20)) {
    const fields = fieldsOf(bytes, depth + 1);
    if (fields !== undefined) return fields;
  }
  if (!isText) return `base64 ${bytes.toString('base64')}`;
  const text = bytes.toString();
  return /^[1-9]\d+$/.test(text) ? '<digits>' : text;
}

function readsAsText(bytes: Buffer): boolean {
  const text = bytes.toString();
  return (
    !text.includes('\ufffd') && !bytes.some(byte => byte < 0x20 && byte !== 0x09 && byte !== 0x0a && byte !== 0x0d)
  );
}

class WireReader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  get atEnd(): boolean {
    return this.#at >= this.#bytes.length;
  }

  /** Undefined: what stands here is no field. */
  field(): { number: number; value: number | string | Buffer } | undefined {
    const tag = this.#varint();
    if (tag === undefined) return undefined;
    const number = Number(tag >> 3n);
    if (number < 1 || number > 20_000) return undefined;
    const value = this.#value(Number(tag & 7n));
    return value === undefined ? undefined : { number, value };
  }

  #value(type: number): number | string | Buffer | undefined {
    if (type === 0) return varintShown(this.#varint());
    if (type === 1) return hexOf(this.#take(8));
    if (type === 5) return hexOf(this.#take(4));
    if (type !== 2) return undefined;
    const length = this.#varint();
    return length === undefined || length > 100_000_000n ? undefined : this.#take(Number(length));
  }

  #take(count: number): Buffer | undefined {
    if (this.#at + count > this.#bytes.length) return undefined;
    this.#at += count;
    return this.#bytes.subarray(this.#at - count, this.#at);
  }

  #varint(): bigint | undefined {
    let value = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = this.#bytes[this.#at];
      if (byte === undefined) return undefined;
      this.#at += 1;
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
    return undefined;
  }
}

/** Negative ones are written as 64 bits. */
function varintShown(value: bigint | undefined): number | string | undefined {
  if (value === undefined) return undefined;
  const signed = BigInt.asIntN(64, value);
  return Number.isSafeInteger(Number(signed)) ? Number(signed) : signed.toString();
}

const hexOf = (bytes: Buffer | undefined): string | undefined => bytes && `0x${bytes.toString('hex')}`;
