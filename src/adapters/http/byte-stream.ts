// The body of an HTTP answer as an event stream: chunks as they come, no faster than they are asked for.

import type { IncomingMessage } from 'node:http';
import type { EventStream } from '../../kube/transport.ts';

/** `next()` rejects when the connection breaks before the end. */
export class ByteStream implements EventStream {
  readonly #incoming: IncomingMessage;
  readonly #chunks: AsyncIterator<Buffer>;
  #isClosed = false;

  constructor(incoming: IncomingMessage) {
    this.#incoming = incoming;
    this.#chunks = (incoming as AsyncIterable<Buffer>)[Symbol.asyncIterator]();
  }

  async next(): Promise<Uint8Array | undefined> {
    try {
      const { done, value } = await this.#chunks.next();
      return done === true ? undefined : value;
    } catch (error) {
      if (this.#isClosed) return undefined;
      throw error;
    }
  }

  close(): void {
    this.#isClosed = true;
    this.#incoming.destroy();
  }
}
