// The embedded API on a port: HTTP/2 and HTTP/1.1 over TLS around a Transport.

import type { IncomingMessage } from 'node:http';
import {
  createSecureServer,
  type Http2SecureServer,
  type Http2ServerRequest,
  type Http2ServerResponse,
} from 'node:http2';
import { type AddressInfo, Socket } from 'node:net';
import { defineError } from '../../base/errors.ts';
import { type Log, silentLog } from '../../base/log.ts';
import type { EventStream } from '../../kube/transport.ts';
import type { KubeletConnections } from './kubelets.ts';
import { boundHandshakes } from './server-handshakes.ts';
import { defaultLimits, Load, type ServerLimits } from './server-limits.ts';
import { type Exchange, type Served, serveRequest } from './server-request.ts';
import { serveLast, serveUnparsed } from './server-unparsed.ts';
import { serveUpgrade } from './server-upgrade.ts';

export interface TlsFiles {
  readonly certificatePem: string;
  readonly privateKeyPem: string;
  /** Client certificates of this authority are believed. */
  readonly clientAuthorityPem: string;
}

export interface ServerOptions {
  readonly serve: Served;
  readonly tls: TlsFiles;
  /** 0: any free port. */
  readonly port: number;
  /** Loopback unless told otherwise. */
  readonly host?: string;
  readonly log?: Log;
  readonly limits?: ServerLimits;
  /** Where upgraded connections are carried on to. */
  readonly kubelets?: KubeletConnections;
}

export interface ApiServer {
  readonly port: number;
  /** Ends all streams and connections. */
  close(): Promise<void>;
}

export const portTaken = defineError('PIPPIN_E_PORT_TAKEN', {
  retry: 'never',
  remedy: 'Stop the program that listens there, or choose another port',
  says: (host: string, port: number) => `Port ${port} on ${host} is taken`,
});

/** As long as Go's servers keep an idle connection. */
const IDLE_MS = 180_000;

/** Each holds a little memory for whoever is at its other end. */
const MAX_CONNECTIONS = 4096;

/** How long open requests get to end when the server closes. */
const CLOSE_MS = 1000;

/**
 * Node's defaults are for browsers: a Go client keeps hundreds of watches on one connection, opens and cancels
 * thousands, and reads lists of many megabytes at once. Its memory is bounded by what the handler answers.
 */
const HTTP2_OPTIONS = {
  maxSessionMemory: 2048,
  streamResetBurst: 20_000,
  streamResetRate: 2_000,
  // A selector of many labels makes a long line: as long as Go's servers take it. In HTTP/2, nghttp2 ends the
  // connection at a line of more than 64 KiB as it is encoded, whatever is said here; HTTP/1.1 has no such bound.
  maxHeaderSize: 1024 * 1024,
  settings: { maxConcurrentStreams: 1000, initialWindowSize: 1024 * 1024, maxHeaderListSize: 1024 * 1024 },
} as const;

/** Listens; rejects when the port is taken. */
export async function serveApi(options: ServerOptions): Promise<ApiServer> {
  const { tls, port, host = '127.0.0.1', log = silentLog, limits = defaultLimits } = options;
  const server = createSecureServer({
    ...HTTP2_OPTIONS,
    handshakeTimeout: limits.handshakeMs,
    allowHTTP1: true,
    // HTTP/2 sets it by itself. Without it the next event waits until the client's system acknowledges the one before.
    noDelay: true,
    cert: tls.certificatePem,
    key: tls.privateKeyPem,
    ca: tls.clientAuthorityPem,
    requestCert: true,
    // A certificate of somebody else's is judged per request, as the real server does: 401, not a broken handshake.
    rejectUnauthorized: false,
  });
  // Longer than any client keeps a connection idle: else a request could meet its end. Not in the types, but read.
  Object.assign(server, { keepAliveTimeout: IDLE_MS, maxConnections: MAX_CONNECTIONS });
  const open = new OpenConnections(server);
  boundHandshakes(server, limits.handshakes);
  const load = new Load(limits);
  const answer = (request: Exchange['request'], response: Exchange['response']): void => {
    serveRequest({ serve: options.serve, request, response, streams: open.streams, load }).catch((error: unknown) => {
      log.error('A request could not be answered', { error: String(error) });
      response.destroy();
    });
  };
  server.on('request', answer);
  server.on('clientError', (error: Error, socket: Socket) => serveUnparsed(error, socket, answer));
  // Nothing is connected to here: it is a method like any other.
  server.on('connect', (request: Http2ServerRequest & IncomingMessage, to: Http2ServerResponse | Socket) => {
    if (to instanceof Socket) serveLast(request, to, answer);
    else answer(request, to);
  });
  server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => {
    const { serve, kubelets } = options;
    serveUpgrade({ serve, request, socket, head, streams: open.streams, load, kubelets }).catch((error: unknown) => {
      log.error('A connection could not be upgraded', { error: String(error) });
      socket.destroy();
    });
  });
  await listening(server, host, port);
  return { port: (server.address() as AddressInfo).port, close: () => open.close() };
}

function listening(server: Http2SecureServer, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      reject(error.code === 'EADDRINUSE' ? portTaken.causedBy(error, host, port) : error);
    });
    server.listen(port, host, resolve);
  });
}

/** What must be ended when the server closes: watches first, so that their clients see an end and no error. */
class OpenConnections {
  readonly streams = new Set<EventStream>();
  readonly #sockets = new Set<Socket>();
  readonly #server: Http2SecureServer;

  constructor(server: Http2SecureServer) {
    this.#server = server;
    server.on('connection', (socket: Socket) => {
      this.#sockets.add(socket);
      socket.once('close', () => this.#sockets.delete(socket));
    });
    server.on('session', session => {
      session.once('close', () => session.destroy());
    });
  }

  async close(): Promise<void> {
    const closed = new Promise<void>(resolve => this.#server.close(() => resolve()));
    for (const stream of this.streams) stream.close('the server stops');
    const cut = setTimeout(() => this.#cut(), this.streams.size === 0 ? 0 : CLOSE_MS);
    await Promise.race([closed, this.#drained()]);
    clearTimeout(cut);
    this.#cut();
    await closed;
  }

  /** Resolves soon after the last watch has ended. */
  async #drained(): Promise<void> {
    while (this.streams.size > 0) await new Promise(resolve => setTimeout(resolve, 10));
    await new Promise(resolve => setTimeout(resolve, 20));
  }

  #cut(): void {
    for (const socket of this.#sockets) socket.destroy();
  }
}
