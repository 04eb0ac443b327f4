// One kept TLS connection of the bench's client, HTTP/1.1 by hand: the server is measured, not a client library.

import { connect, type TLSSocket } from 'node:tls';
import { type Answer, Responses } from './responses.ts';

export interface Target {
  readonly url: string;
  readonly caPem: string;
  readonly token: string;
}

export interface Request {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Path and query. */
  readonly path: string;
  readonly contentType?: string;
  readonly body?: string;
}

/** Asks one thing at a time. */
export interface Connection {
  send(request: Request): Promise<Answer>;
  close(): void;
}

/** Rejects what waits when the connection breaks. */
export async function connection(target: Target): Promise<Connection> {
  let waiting: PromiseWithResolvers<Answer> | undefined;
  const responses = new Responses('answers', answer => {
    const answered = waiting;
    waiting = undefined;
    answered?.resolve(answer);
  });
  const socket = await connected(target, bytes => responses.take(bytes));
  socket.on('close', () => waiting?.reject(new Error('the server closed the connection')));
  return {
    send: request => {
      waiting = Promise.withResolvers<Answer>();
      socket.write(textOf(target, request));
      return waiting.promise;
    },
    close: () => socket.destroy(),
  };
}

/** A watch: tells how many events have arrived. */
export interface Watcher {
  readonly events: () => number;
  /** A server lets go of who reads too slowly. */
  readonly isOpen: () => boolean;
  close(): void;
}

/** Resolves once the server has begun to answer. */
export async function watcher(target: Target, path: string): Promise<Watcher> {
  let isOpen = true;
  const end = (): void => {
    isOpen = false;
  };
  const responses = new Responses('stream', end);
  const begun = Promise.withResolvers<void>();
  const socket = await connected(target, bytes => {
    responses.take(bytes);
    begun.resolve();
  });
  socket.once('close', () => begun.reject(new Error('the server closed the watch')));
  socket.on('close', end);
  socket.write(textOf(target, { method: 'GET', path }));
  await begun.promise;
  return { events: () => responses.lines, isOpen: () => isOpen, close: () => socket.destroy() };
}

/** All connections read into it, one after the other: a buffer for each read would be most of the client's work. */
const READ = Buffer.allocUnsafe(64 * 1024);

/** `take` must be done with the bytes when it returns. */
function connected({ url, caPem }: Target, take: (bytes: Buffer) => void): Promise<TLSSocket> {
  const { hostname, port } = new URL(url);
  const onread = {
    buffer: READ,
    callback: (size: number): boolean => {
      take(READ.subarray(0, size));
      return true;
    },
  };
  return new Promise((resolve, reject) => {
    const tls = { ca: caPem, ciphers: 'TLS_AES_128_GCM_SHA256' };
    const options = { host: hostname, port: Number(port), onread, ...tls };
    const socket = connect(options, () => resolve(socket));
    socket.setNoDelay(true);
    socket.on('error', reject);
  });
}

function textOf({ token }: Target, { method, path, contentType = 'application/json', body }: Request): string {
  const head = `${method} ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\nAccept: application/json\r\n`;
  if (body === undefined) return `${head}\r\n`;
  return `${head}Content-Type: ${contentType}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}
