// Conversations over a WebSocket: the first byte of each message is its channel (v4 and v5.channel.k8s.io).

import type { RawData, WebSocket } from 'ws';
import { type Conversation, sizeOf } from './session.ts';

export const CHANNEL_PROTOCOLS = ['v5.channel.k8s.io', 'v4.channel.k8s.io'] as const;

const CHANNEL = { stdin: 0, stdout: 1, stderr: 2, error: 3, resize: 4, close: 255 } as const;
const CLOSE_IN_ORDER = 1000;

/** A first empty message tells the client that it is connected. */
export function channelConversation(socket: WebSocket): Conversation {
  const input = new Inbox<Uint8Array | undefined>();
  const sizes = new Inbox<{ readonly width: number; readonly height: number }>();
  socket.on('message', (data: RawData) => {
    const message = bytesOf(data);
    const [channel, payload] = [message.at(0), message.subarray(1)];
    if (channel === CHANNEL.stdin) input.put(payload);
    if (channel === CHANNEL.resize) sizes.put(sizeOf(payload));
    // Only v5 can say that one channel is at its end.
    if (channel === CHANNEL.close && payload.at(0) === CHANNEL.stdin) input.put(undefined);
  });
  socket.on('close', () => input.put(undefined));
  socket.send(message(CHANNEL.stdout, Buffer.alloc(0)));
  return {
    write: (stream, bytes) => socket.send(message(CHANNEL[stream], bytes)),
    end: status => {
      socket.send(message(CHANNEL.error, Buffer.from(JSON.stringify(status))));
      socket.close(CLOSE_IN_ORDER);
    },
    onInput: listener => input.listen(listener),
    onResize: listener => sizes.listen(listener),
  };
}

export const message = (channel: number, payload: Uint8Array): Buffer =>
  Buffer.concat([Buffer.from([channel]), payload]);

export function bytesOf(data: RawData): Buffer {
  if (Array.isArray(data)) return Buffer.concat(data);
  return Buffer.isBuffer(data) ? data : Buffer.from(data);
}

/** Keeps what comes before somebody listens. */
export class Inbox<T> {
  readonly #waiting: T[] = [];
  #listener: ((item: T) => void) | undefined;

  put(item: T): void {
    if (this.#listener === undefined) this.#waiting.push(item);
    else this.#listener(item);
  }

  listen(listener: (item: T) => void): void {
    this.#listener = listener;
    for (const item of this.#waiting.splice(0)) listener(item);
  }
}
