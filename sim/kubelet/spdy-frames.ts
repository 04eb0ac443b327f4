// Frames of SPDY/3.1 as Kubernetes uses them: streams with headers, data, half-closes, pings. No flow control.

const CONTROL = 0x8003;
const HEAD_BYTES = 8;

/** A remote that announces more is lying: Kubernetes' own ends write far smaller frames. */
const MAX_FRAME_BYTES = 1 << 20;

export const TYPE = {
  synStream: 1,
  synReply: 2,
  rstStream: 3,
  settings: 4,
  ping: 6,
  goAway: 7,
  windowUpdate: 9,
} as const;

export type Frame =
  | { readonly kind: 'data'; readonly stream: number; readonly fin: boolean; readonly payload: Buffer }
  | { readonly kind: 'control'; readonly type: number; readonly fin: boolean; readonly payload: Buffer };

/** Cuts a byte stream into frames. */
export class FrameCutter {
  #rest: Buffer = Buffer.alloc(0);

  push(bytes: Uint8Array): Frame[] {
    this.#rest = Buffer.concat([this.#rest, bytes]);
    const frames: Frame[] = [];
    for (let size = this.#size(); size !== undefined; size = this.#size()) {
      frames.push(frameOf(this.#rest.subarray(0, size)));
      this.#rest = this.#rest.subarray(size);
    }
    return frames;
  }

  #size(): number | undefined {
    if (this.#rest.length < HEAD_BYTES) return undefined;
    const length = this.#rest.readUIntBE(5, 3);
    if (length > MAX_FRAME_BYTES) throw new Error(`a SPDY frame of ${length} bytes`);
    return this.#rest.length < HEAD_BYTES + length ? undefined : HEAD_BYTES + length;
  }
}

function frameOf(bytes: Buffer): Frame {
  const fin = (bytes.readUInt8(4) & 1) === 1;
  const payload = bytes.subarray(HEAD_BYTES);
  const isControl = (bytes.readUInt8(0) & 0x80) !== 0;
  if (isControl) return { kind: 'control', type: bytes.readUInt16BE(2), fin, payload };
  return { kind: 'data', stream: bytes.readUInt32BE(0), fin, payload };
}

/** Whether the stream goes on after this frame. */
export type Place = 'more' | 'last';

export function dataFrame(stream: number, payload: Uint8Array, place: Place): Buffer {
  const head = Buffer.alloc(HEAD_BYTES);
  head.writeUInt32BE(stream);
  return finished(head, payload, place);
}

export function controlFrame(type: number, payload: Uint8Array, place: Place): Buffer {
  const head = Buffer.alloc(HEAD_BYTES);
  head.writeUInt16BE(CONTROL);
  head.writeUInt16BE(type, 2);
  return finished(head, payload, place);
}

function finished(head: Buffer, payload: Uint8Array, place: Place): Buffer {
  head.writeUInt8(place === 'last' ? 1 : 0, 4);
  head.writeUIntBE(payload.length, 5, 3);
  return Buffer.concat([head, payload]);
}
