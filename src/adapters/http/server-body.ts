// The body of a request: a little from anybody, much from those alone whom the API knows, all of it within bounds.

import type { TLSSocket } from 'node:tls';
import { MAX_BODY_BYTES } from '../../apiserver/request/body.ts';
import { clientCertificateOf } from './server-identity.ts';
import type { Exchange } from './server-request.ts';

/** So much is read before anybody asks whose it is; the connections that may be open bound the sum (api-37). */
const UNPROVEN_BYTES = 64 * 1024;

export type Body = Uint8Array | 'too large' | 'aborted' | 'too many' | 'unproven';

const NOTHING = new Uint8Array();

/** A listener for each event, because an iterator over a stream costs as much as many a request. */
export async function bodyOf(exchange: Exchange): Promise<Body> {
  const { request } = exchange;
  if (hasNone(exchange)) {
    request.on('error', () => undefined);
    return NOTHING;
  }
  if (Number(request.headers['content-length'] ?? 0) > MAX_BODY_BYTES) return 'too large';
  return new Reading(exchange).whole;
}

/** Most requests read, and have no body to wait for. */
function hasNone({ request }: Exchange): boolean {
  const { headers, stream } = request;
  if (stream !== undefined) return stream.endAfterHeaders;
  return headers['content-length'] === undefined && headers['transfer-encoding'] === undefined;
}

class Reading {
  readonly whole: Promise<Body>;
  readonly #exchange: Exchange;
  readonly #chunks: Buffer[] = [];
  #resolve: (body: Body) => void = () => undefined;
  #size = 0;
  #held = 0;
  #isProven = false;
  #isOver = false;
  #late: NodeJS.Timeout | undefined;

  constructor(exchange: Exchange) {
    this.#exchange = exchange;
    const { request, load } = exchange;
    this.whole = new Promise(resolve => {
      this.#resolve = resolve;
    });
    // A client that sends its body drop by drop holds a place that others need. Most send all of it at once.
    setImmediate(() => {
      if (!this.#isOver) this.#late = setTimeout(() => this.#end('aborted'), load.limits.stallMs);
    });
    request.on('data', (chunk: Buffer) => this.#take(chunk));
    request.once('end', () => this.#end(this.#joined()));
    request.once('error', () => this.#end('aborted'));
    request.once('close', () => this.#end('aborted'));
  }

  #take(chunk: Buffer): void {
    if (this.#isOver) return;
    this.#size += chunk.length;
    this.#chunks.push(chunk);
    if (this.#size > MAX_BODY_BYTES) this.#end('too large');
    else if (this.#isProven) this.#hold(chunk.length);
    else if (this.#size > UNPROVEN_BYTES) this.#prove();
  }

  /** Large bodies wait until the API has said whether it knows the client at all. */
  #prove(): void {
    const { request, serve } = this.#exchange;
    request.pause();
    this.#isProven = true;
    isKnown(this.#exchange, serve).then(
      known => {
        if (!known) return this.#end('unproven');
        this.#hold(this.#size);
        request.resume();
      },
      () => this.#end('aborted'),
    );
  }

  #hold(bytes: number): void {
    if (this.#isOver) return;
    if (this.#exchange.load.takeBody(bytes)) this.#held += bytes;
    else this.#end('too many');
  }

  #joined(): Uint8Array {
    const [first] = this.#chunks;
    return this.#chunks.length === 1 && first !== undefined ? first : Buffer.concat(this.#chunks);
  }

  #end(body: Body): void {
    if (this.#isOver) return;
    this.#isOver = true;
    clearTimeout(this.#late);
    this.#exchange.load.giveBody(this.#held);
    // The connection may live on for long.
    this.#chunks.length = 0;
    this.#resolve(body);
  }
}

/** Whether the credentials are somebody's: asked as anybody may ask who they are. */
async function isKnown({ request }: Exchange, serve: Exchange['serve']): Promise<boolean> {
  const { authorization = '' } = request.headers;
  const clientCertificate = clientCertificateOf(request.socket as TLSSocket);
  const { status } = await serve({
    method: 'POST',
    path: '/apis/authentication.k8s.io/v1/selfsubjectreviews',
    query: '',
    headers: { authorization, 'content-type': 'application/json' },
    body: Buffer.from('{}'),
    ...(clientCertificate === undefined ? {} : { clientCertificate }),
  });
  return status < 400;
}
