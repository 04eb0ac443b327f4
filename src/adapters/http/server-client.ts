// Who is at the other end of an answer: whether they are still there, and whether they have read what was written.

import type { EventEmitter } from 'node:events';

/** What says when it can take more. */
export interface Writable {
  once(event: string, listener: () => void): unknown;
  off(event: string, listener: () => void): unknown;
  destroy(): unknown;
}

/** What answers over HTTP/2 and over HTTP/1.1 have in common. */
export interface ClientResponse extends EventEmitter {
  setHeader(name: string, values: readonly string[]): unknown;
  writeHead(status: number, headers: Readonly<Record<string, string>>): unknown;
  write(chunk: Uint8Array, written?: (error?: Error | null) => void): boolean;
  end(chunk?: Uint8Array | string): unknown;
  destroy(): unknown;
  /** HTTP/1.1 alone has it. */
  flushHeaders?(): void;
  /** HTTP/2 alone has it. */
  readonly stream?: { readonly session?: object | undefined };
  readonly socket?: object | null;
}

/** HTTP/1.1 and HTTP/2 answers agree on the event of a client that leaves and on nothing else. */
export interface Client {
  readonly gone: boolean;
  readonly leaves: Promise<void>;
}

export function clientOf(response: ClientResponse): Client {
  const { promise: leaves, resolve } = Promise.withResolvers<void>();
  const client = { gone: false, leaves };
  response.once('close', () => {
    client.gone = true;
    resolve();
  });
  return client;
}

/** What its answers share: HTTP/2 has many on one connection. */
export const connectionOf = (response: ClientResponse): object =>
  response.stream?.session ?? response.socket ?? response;

/** Resolves when more can be written or nobody is there any more; with `stallMs` a client that reads nothing is let go. */
export function room(response: Writable, client: Client, stallMs?: number): Promise<void> {
  // Its end is told once: whoever asks after it would wait for ever.
  if (client.gone) return client.leaves;
  const { promise, resolve } = Promise.withResolvers<void>();
  const late = stallMs === undefined ? undefined : setTimeout(() => response.destroy(), stallMs);
  // Both listeners go with either event: a watch waits thousands of times.
  const end = (): void => {
    clearTimeout(late);
    response.off('drain', end);
    response.off('close', end);
    resolve();
  };
  response.once('drain', end);
  response.once('close', end);
  return promise;
}

/** At the end of an HTTP/1.1 answer no more than this waits to be sent: well below what a socket takes at once. */
const LAST_BYTES = 16 * 1024;

interface Recipient {
  readonly response: ClientResponse;
  readonly client: Client;
  readonly stallMs: number;
}

/**
 * Ends an answer with these bytes. Who has read an answer may send the next request at once, maybe before its last bytes
 * are known here to be sent; with more than a socket's fill of them unsent Node pauses its parser in the middle of that
 * request, takes the rest of it for a parse error, and resets the connection. So the end waits for what is before it.
 */
export async function endWith(bytes: Uint8Array, { response, client, stallMs }: Recipient): Promise<void> {
  const cut = bytes.length - LAST_BYTES;
  if (cut <= LAST_BYTES || response.stream !== undefined) {
    response.end(bytes);
    return;
  }
  const sent = Promise.withResolvers<void>();
  const canTakeMore = response.write(bytes.subarray(0, cut), () => sent.resolve());
  if (!canTakeMore) await room(response, client, stallMs);
  await Promise.race([sent.promise, client.leaves]);
  if (!client.gone) response.end(bytes.subarray(cut));
}
