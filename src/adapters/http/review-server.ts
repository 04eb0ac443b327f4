// The HTTPS side of webhooks that an API server calls: a review is posted to a path, the answer is JSON. Its certificate may change.

import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import { defineError, messageOf } from '../../base/errors.ts';

const reviewPortTaken = defineError('PIPPIN_E_REVIEW_PORT_TAKEN', {
  retry: 'never',
  remedy: 'Stop the program that listens there, or give another address with --webhook-bind-address',
  says: (address: string) => `Conversion and admission cannot be served on ${address}`,
});

export interface ReviewServerOptions {
  /** `host:port`; `:9443` is every interface, port 0 any free one. */
  readonly address: string;
  /** Answers the review posted to the path. */
  readonly answer: (path: string, review: unknown) => Promise<unknown>;
}

export interface ReviewServer {
  /** New connections get this certificate; until the first one there are none. */
  show(certificate: { readonly certificatePem: string; readonly privateKeyPem: string }): void;
  close(): Promise<void>;
}

/** An API server converts a whole page of objects in one review. */
const LARGEST_REVIEW_BYTES = 64 * 1024 * 1024;

/** An API server lets go of a connection after 90 s. */
const LONGEST_IDLE_MS = 150_000;

export async function serveReviews({ address, answer }: ReviewServerOptions): Promise<ReviewServer> {
  const server = createServer(
    { minVersion: 'TLSv1.2' },
    (request, response) => void respond(request, response, answer),
  );
  // Who closes an idle connection must not be us: the API server could just be writing to it.
  server.keepAliveTimeout = LONGEST_IDLE_MS;
  // A client that does not trust us, or speaks no TLS: its own log says so.
  server.on('tlsClientError', (_error, socket) => socket.destroy());
  await listening(server, address);
  return {
    // Kept connections were trusted when they were made, and stay.
    show: ({ certificatePem: cert, privateKeyPem: key }) =>
      server.setSecureContext({ cert, key, minVersion: 'TLSv1.2' }),
    close: () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      server.close(() => resolve());
      server.closeAllConnections();
      return promise;
    },
  };
}

async function respond(
  request: IncomingMessage,
  response: ServerResponse,
  answer: ReviewServerOptions['answer'],
): Promise<void> {
  const say = (status: number, body: unknown): void => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  };
  try {
    if (request.method !== 'POST') return say(405, { message: 'a review is posted' });
    const body = await bodyOf(request);
    if (body === undefined) return say(413, { message: 'the review is too large' });
    say(200, await answer(new URL(request.url ?? '/', 'https://endpoint').pathname, JSON.parse(body)));
  } catch (error) {
    say(400, { message: messageOf(error) });
  }
}

/** Undefined: too large. */
async function bodyOf(request: IncomingMessage): Promise<string | undefined> {
  const parts: Buffer[] = [];
  let sizeBytes = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    sizeBytes += part.length;
    if (sizeBytes > LARGEST_REVIEW_BYTES) return undefined;
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}

function listening(server: Server, address: string): Promise<void> {
  const at = address.lastIndexOf(':');
  const host = address.slice(0, Math.max(at, 0)).replaceAll(/^\[|\]$/g, '');
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once('error', error => reject(reviewPortTaken.causedBy(error, address)));
  server.listen({ port: Number(address.slice(at + 1)), ...(host === '' ? {} : { host }) }, resolve);
  return promise;
}
