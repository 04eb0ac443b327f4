// What a program tells over plain HTTP about itself: alive, ready, and its metrics. Nothing else is served.

import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { defineError } from '../../base/errors.ts';
import { createServer } from './plain-http.ts';

const statusPortTaken = defineError('PIPPIN_E_STATUS_PORT_TAKEN', {
  retry: 'never',
  remedy: 'Stop the program that listens there, or give another address with --metrics-bind-address',
  says: (address: string) => `Health and metrics cannot be served on ${address}`,
});

export interface StatusPages {
  /** `host:port`; `:8080` is every interface, port 0 any free one. */
  readonly address: string;
  readonly scrape: () => Promise<{ readonly contentType: string; readonly body: string }>;
  readonly isReady: () => boolean;
  /** Which controllers run and what the others wait for, a line each. Left out: there is no such page. */
  readonly controllers?: () => string;
}

export interface StatusServer {
  readonly port: number;
  close(): Promise<void>;
}

/** Serves `/healthz`, `/readyz`, `/metrics` and, where there are some, `/controllers`. */
export async function serveStatus(pages: StatusPages): Promise<StatusServer> {
  const server = createServer((request, response) => {
    void answer(pages, request.url ?? '/').then(({ status, contentType, body }) => {
      response.writeHead(status, { 'content-type': contentType }).end(body);
    });
  });
  await listening(server, pages.address);
  const { port } = server.address() as AddressInfo;
  return {
    port,
    close: () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      server.close(() => resolve());
      server.closeAllConnections();
      return promise;
    },
  };
}

interface Page {
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
}

const text = (status: number, body: string): Page => ({ status, contentType: 'text/plain; charset=utf-8', body });

async function answer({ scrape, isReady, controllers }: StatusPages, path: string): Promise<Page> {
  if (path === '/healthz') return text(200, 'ok');
  if (path === '/readyz') return isReady() ? text(200, 'ok') : text(503, 'not ready');
  if (path === '/controllers' && controllers !== undefined) return text(200, controllers());
  if (path !== '/metrics') return text(404, 'not found');
  try {
    return { status: 200, ...(await scrape()) };
  } catch {
    return text(500, 'metrics cannot be told');
  }
}

function listening(server: Server, address: string): Promise<void> {
  const at = address.lastIndexOf(':');
  const host = address.slice(0, Math.max(at, 0)).replaceAll(/^\[|\]$/g, '');
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once('error', error => reject(statusPortTaken.causedBy(error, address)));
  server.listen({ port: Number(address.slice(at + 1)), ...(host === '' ? {} : { host }) }, resolve);
  return promise;
}
