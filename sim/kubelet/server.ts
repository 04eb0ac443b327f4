// A Node's kubelet for tests: the HTTPS endpoints that an API server connects to, over scripted containers.

import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import type { TLSSocket } from 'node:tls';
import { laterLines, linesOf, logText } from './logs.ts';
import { type Target, targetOf } from './target.ts';
import { upgraded } from './upgrades.ts';

export interface KubeletSetup {
  readonly certificatePem: string;
  readonly privateKeyPem: string;
  /** Whose client certificates are believed; a request without one is refused. */
  readonly clientAuthorityPem: string;
}

export interface SimKubelet extends AsyncDisposable {
  readonly port: number;
}

/** Listens on a free port of the loopback interface. */
export async function simKubelet(setup: KubeletSetup): Promise<SimKubelet> {
  const open = new Set<Duplex>();
  const server = createServer({
    cert: setup.certificatePem,
    key: setup.privateKeyPem,
    ca: setup.clientAuthorityPem,
    requestCert: true,
    rejectUnauthorized: false,
  });
  server.on('secureConnection', socket => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
    socket.on('error', () => undefined);
  });
  server.on('request', (request, response) => answer(request, response));
  server.on('upgrade', (request, socket, head) => upgrade(request, socket, head));
  await listening(server);
  return {
    port: (server.address() as AddressInfo).port,
    [Symbol.asyncDispose]: async () => {
      const closed = new Promise(resolve => server.close(resolve));
      for (const socket of open) socket.destroy();
      await closed;
    },
  };
}

const listening = (server: Server): Promise<void> => new Promise(resolve => server.listen(0, '127.0.0.1', resolve));

const isKnown = (request: IncomingMessage): boolean => (request.socket as TLSSocket).authorized;

function answer(request: IncomingMessage, response: ServerResponse): void {
  const target = targetOf(request.url ?? '');
  if (!isKnown(request)) plain(response, 401, 'Unauthorized');
  else if (target.kind === 'healthz') plain(response, 200, 'ok');
  else if (target.kind === 'containerLogs') logs(target, response);
  else if (target.kind === 'unknown') plain(response, 404, '404 page not found\n');
  else plain(response, 400, 'Upgrade request required');
}

function plain(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' });
  response.end(text);
}

/** A follower gets a little more, and then the container ends. */
function logs(target: Target, response: ServerResponse): void {
  const { query, container, pod } = target;
  if (pod.startsWith('gone')) {
    plain(response, 404, `pod ${JSON.stringify(pod)} does not exist`);
    return;
  }
  const run = query.get('previous') === 'true' ? 'previous' : 'current';
  response.writeHead(200, { 'content-type': 'text/plain' });
  response.write(logText(linesOf(container, run), query, Date.now()));
  if (query.get('follow') !== 'true') return void response.end();
  const unlimited = new URLSearchParams(query);
  unlimited.delete('tailLines');
  setTimeout(() => response.end(logText(laterLines(container), unlimited, Date.now())), 50).unref();
}

function upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
  const refusal = isKnown(request) ? upgraded({ request, socket, head }, targetOf(request.url ?? '')) : UNAUTHORIZED;
  if (refusal === undefined) return;
  const { status, text } = refusal;
  socket.end(
    `HTTP/1.1 ${status}\r\ncontent-type: text/plain; charset=utf-8\r\ncontent-length: ${text.length}\r\nconnection: close\r\n\r\n${text}`,
  );
}

const UNAUTHORIZED = { status: '401 Unauthorized', text: 'Unauthorized' } as const;
