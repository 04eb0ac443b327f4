// One SPDY/3.1 connection over any pipe of bytes, from either end: streams with headers, each read and written by itself.

import type { Duplex } from 'node:stream';
import { controlFrame, dataFrame, type Frame, FrameCutter, type Place, TYPE } from './spdy-frames.ts';
import { HeaderReader, type Headers, HeaderWriter } from './spdy-headers.ts';

/** One stream. What comes in is handed to the listener in order; `undefined` is the other side's end. */
export interface SpdyStream {
  readonly headers: Headers;
  listen(listener: (bytes: Buffer | undefined) => void): void;
  write(bytes: Uint8Array): void;
  /** Nothing more will be written. */
  end(): void;
}

export class SpdySession {
  /** Resolves when the pipe has ended. */
  readonly closed: Promise<void>;
  readonly #pipe: Duplex;
  readonly #onStream: (stream: SpdyStream) => void;
  readonly #cutter = new FrameCutter();
  readonly #reader = new HeaderReader();
  readonly #writer = new HeaderWriter();
  readonly #streams = new Map<number, OneStream>();
  #inbox: Promise<void> = Promise.resolve();
  #outbox: Promise<void> = Promise.resolve();
  #nextId: number;

  /** Streams that the other side opens are accepted and handed to `onStream`. */
  constructor(pipe: Duplex, side: 'client' | 'server', onStream: (stream: SpdyStream) => void) {
    this.#pipe = pipe;
    this.#onStream = onStream;
    this.#nextId = side === 'client' ? 1 : 2;
    pipe.on('data', (bytes: Buffer) => this.#take(bytes));
    pipe.on('error', () => undefined);
    this.closed = new Promise(resolve => pipe.once('close', resolve));
    // What came before the end is read first: it takes a moment to inflate headers.
    void this.closed.then(() => this.#inbox.catch(() => undefined)).then(() => this.#end());
  }

  /** Opens a stream; the other side's agreement is not waited for. */
  open(headers: Headers): SpdyStream {
    const id = this.#nextId;
    this.#nextId += 2;
    const stream = this.#keep(id, headers);
    this.#send(async () => {
      const block = await this.#writer.write(headers);
      return controlFrame(TYPE.synStream, Buffer.concat([uint32(id), uint32(0), Buffer.alloc(2), block]), 'more');
    });
    return stream;
  }

  /** Ends the pipe once everything is written. */
  close(): void {
    void this.#outbox.then(() => this.#pipe.end());
  }

  #end(): void {
    for (const stream of this.#streams.values()) stream.deliver(undefined);
    void Promise.all([this.#inbox, this.#outbox]).then(() => {
      this.#reader.close();
      this.#writer.close();
    });
  }

  #take(bytes: Buffer): void {
    this.#inbox = this.#inbox.then(async () => {
      for (const frame of this.#cutter.push(bytes)) await this.#one(frame);
    });
    this.#inbox.catch(() => this.#pipe.destroy());
  }

  async #one(frame: Frame): Promise<void> {
    if (frame.kind === 'data') return this.#data(frame.stream, frame.payload, frame.fin);
    if (frame.type === TYPE.synStream) return this.#opened(frame.payload, frame.fin);
    if (frame.type === TYPE.synReply) return void (await this.#reader.read(frame.payload.subarray(4)));
    if (frame.type === TYPE.rstStream) return this.#streams.get(frame.payload.readUInt32BE(0))?.deliver(undefined);
    if (frame.type === TYPE.ping && this.#isTheirs(frame.payload.readUInt32BE(0))) {
      this.#send(async () => controlFrame(TYPE.ping, frame.payload, 'more'));
    }
  }

  /** A ping of ours that comes back is not sent on. */
  #isTheirs = (id: number): boolean => id % 2 !== this.#nextId % 2;

  async #opened(payload: Buffer, fin: boolean): Promise<void> {
    const id = payload.readUInt32BE(0);
    const stream = this.#keep(id, await this.#reader.read(payload.subarray(10)));
    this.#send(async () => {
      const block = await this.#writer.write({});
      return controlFrame(TYPE.synReply, Buffer.concat([uint32(id), block]), 'more');
    });
    this.#onStream(stream);
    if (fin) stream.deliver(undefined);
  }

  #data(id: number, payload: Buffer, fin: boolean): void {
    const stream = this.#streams.get(id);
    if (payload.length > 0) stream?.deliver(payload);
    if (fin) stream?.deliver(undefined);
  }

  #keep(id: number, headers: Headers): OneStream {
    const stream = new OneStream(headers, (bytes, place) => this.#send(async () => dataFrame(id, bytes, place)));
    this.#streams.set(id, stream);
    return stream;
  }

  /** Frames leave in the order in which they were asked for, though compressing takes a moment. */
  #send(frame: () => Promise<Buffer>): void {
    this.#outbox = this.#outbox.then(async () => {
      const bytes = await frame();
      if (this.#pipe.writable) this.#pipe.write(bytes);
    });
    this.#outbox.catch(() => this.#pipe.destroy());
  }
}

class OneStream implements SpdyStream {
  readonly headers: Headers;
  readonly #send: (bytes: Uint8Array, place: Place) => void;
  readonly #early: (Buffer | undefined)[] = [];
  #listener: ((bytes: Buffer | undefined) => void) | undefined;
  #hasEnded = false;
  #isOver = false;

  constructor(headers: Headers, send: (bytes: Uint8Array, place: Place) => void) {
    this.headers = headers;
    this.#send = send;
  }

  listen(listener: (bytes: Buffer | undefined) => void): void {
    this.#listener = listener;
    for (const bytes of this.#early.splice(0)) listener(bytes);
  }

  deliver(bytes: Buffer | undefined): void {
    if (this.#isOver) return;
    this.#isOver = bytes === undefined;
    if (this.#listener === undefined) this.#early.push(bytes);
    else this.#listener(bytes);
  }

  write(bytes: Uint8Array): void {
    if (!this.#hasEnded) this.#send(bytes, 'more');
  }

  end(): void {
    if (!this.#hasEnded) this.#send(Buffer.alloc(0), 'last');
    this.#hasEnded = true;
  }
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}
