// One HTTP request: read within bounds, handed to the API, its answer or its stream of frames written back.

import type { EventEmitter } from 'node:events';
import type { IncomingHttpHeaders } from 'node:http';
import type { TLSSocket } from 'node:tls';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { ServedRequest, ServedResponse } from '../../apiserver/access.ts';
import { AuditIds } from '../../apiserver/answer/audit-id.ts';
import { refusalJson } from '../../apiserver/answer/render.ts';
import { type Refusal, tooLarge, unauthorized } from '../../apiserver/answer/status.ts';
import { BETWEEN_VALUES } from '../../apiserver/auth/index.ts';
import { MAX_BODY_BYTES } from '../../apiserver/request/body.ts';
import type { ApiRequest, ApiResponse, EventStream } from '../../kube/transport.ts';
import { bodyOf } from './server-body.ts';
import { type Client, type ClientResponse, clientOf, connectionOf, endWith } from './server-client.ts';
import { clientCertificateOf, isRefusedCertificate } from './server-identity.ts';
import type { Load } from './server-limits.ts';
import { writePieces } from './server-pieces.ts';
import { type LastWrite, outletOf, Turns, withReady, writeFrames } from './server-stream.ts';

export type Served = (request: ServedRequest) => Promise<ServedResponse>;

/** kube-apiserver compresses answers above this size when the client can read them. */
const GZIP_ABOVE_BYTES = 128 * 1024;
const METHODS: ReadonlySet<string> = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']);
const compress = promisify(gzip);

/** What HTTP/2 and HTTP/1.1 requests have in common. */
interface ClientRequest extends EventEmitter {
  readonly method?: string | undefined;
  readonly url?: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly rawHeaders: readonly string[];
  readonly socket: unknown;
  /** HTTP/2 alone has it: whether the head was all there is. */
  readonly stream?: { readonly endAfterHeaders: boolean };
  pause(): unknown;
  resume(): unknown;
}

export interface Exchange {
  readonly serve: Served;
  readonly request: ClientRequest;
  readonly response: ClientResponse;
  /** Where open watches are kept, so that a closing server can end them. */
  readonly streams: Set<EventStream>;
  readonly load: Load;
}

export async function serveRequest(exchange: Exchange): Promise<void> {
  const { request, response } = exchange;
  response.on('error', () => undefined);
  const client = clientOf(response);
  const body = await bodyOf(exchange);
  if (body === 'aborted') return letGo(response, client);
  if (body === 'too many') return tooMany(exchange);
  if (body === 'unproven') return refuse(exchange, client, unauthorized());
  if (body === 'too large') return refuse(exchange, client, tooLarge(TOO_LARGE));
  return served(exchange, client, requestOf(request, body));
}

const TOO_LARGE = `Request entity too large: limit is ${MAX_BODY_BYTES}`;

/** Answers when it is the request's turn. */
async function served(exchange: Exchange, client: Client, apiRequest: ServedRequest): Promise<void> {
  const entering = exchange.load.enter(apiRequest);
  const release = entering instanceof Promise ? await entering : entering;
  if (release === undefined) return tooMany(exchange);
  try {
    if (!client.gone) await answer(exchange, client, await exchange.serve(apiRequest));
  } finally {
    release();
  }
}

function letGo(response: ClientResponse, client: Client): void {
  if (!client.gone) response.destroy();
}

/** The API has not seen these requests, and named none of them. */
const auditIds = new AuditIds({ now: () => Date.now() }, 'b000');

const auditId = ({ request }: Exchange): { 'audit-id': string } => {
  const asked = request.headers['audit-id'];
  return { 'audit-id': auditIds.of(typeof asked === 'string' ? asked : undefined) };
};

function refuse(exchange: Exchange, client: Client, refusal: Refusal): Promise<void> {
  const refused = refusalJson(refusal);
  return answer(exchange, client, { ...refused, headers: { ...refused.headers, ...auditId(exchange) } });
}

/** In the words of kube-apiserver's own limit. */
function tooMany(exchange: Exchange): void {
  const { response } = exchange;
  const headers = {
    ...auditId(exchange),
    'content-type': 'text/plain; charset=utf-8',
    'x-content-type-options': 'nosniff',
  };
  response.writeHead(429, { ...headers, 'retry-after': '1' });
  response.end('Too many requests, please try again later.\n');
}

/** Writes an answer that was got in another way. */
export const answerWith = (exchange: Exchange, apiResponse: ApiResponse): Promise<void> =>
  answer(exchange, clientOf(exchange.response), apiResponse);

async function answer(exchange: Exchange, client: Client, apiResponse: ApiResponse): Promise<void> {
  const { request, load, response } = exchange;
  const { stream, pieces, cookies } = apiResponse;
  if (cookies !== undefined && !client.gone) response.setHeader('set-cookie', cookies);
  if (stream !== undefined) return pump(exchange, client, { ...apiResponse, stream });
  if (pieces === undefined || request.method === 'HEAD') return writeWhole(exchange, client, apiResponse);
  if (!client.gone) await writePieces({ response, load, client, pieces, zips: acceptsGzip(request) }, apiResponse);
}

async function writeWhole(exchange: Exchange, client: Client, apiResponse: ApiResponse): Promise<void> {
  const { request, response, load } = exchange;
  const { status, headers, body } = apiResponse;
  const zipped = isZipped(request, apiResponse) ? await compress(body, { level: 1 }) : undefined;
  if (client.gone) return;
  const whole = zipped ?? body;
  response.writeHead(status, {
    ...headers,
    ...(zipped === undefined ? {} : { 'content-encoding': 'gzip', vary: headers.vary ?? 'Accept-Encoding' }),
    'content-length': String(whole.length),
  });
  if (request.method === 'HEAD') response.end();
  else await endWith(whole, { response, client, stallMs: load.limits.stallMs });
}

/** Shared by all servers of this process: they share its time. */
const turns = new Turns();

/** Writes frames as fast as the client reads them; what it does not read stays in the API's shared history. */
async function pump(
  { response, streams, load }: Exchange,
  client: Client,
  { status, headers, stream }: ApiResponse & { stream: EventStream },
): Promise<void> {
  streams.add(stream);
  void client.leaves.then(() => stream.close('the client is gone'));
  try {
    if (client.gone) return;
    response.writeHead(status, headers);
    sendHead(response);
    const outlet = outletOf(response);
    const reader = load.unread.reader(connectionOf(response), () => response.destroy());
    let last: LastWrite | undefined;
    for (let frame = await stream.next(); frame !== undefined && !client.gone; frame = await stream.next()) {
      await turns.turnAfter(last);
      const frames = withReady(frame, stream);
      await writeFrames(frames, outlet, { client, reader });
      last = { at: performance.now(), bytes: frames.bytes.length };
    }
    response.end();
  } finally {
    streams.delete(stream);
    stream.close('the answer is written');
  }
}

/** HTTP/2 sends the head as soon as it is written; HTTP/1.1 would keep it until the first event. */
function sendHead(response: ClientResponse): void {
  response.flushHeaders?.();
}

export function requestOf(request: ClientRequest, body: Uint8Array): ServedRequest {
  const { url, host } = targetOf(request.url ?? '');
  const isApi = /^\/(api|version|openid|\.well-known)(\/|$|\?)|^\/apis\/[^/]+\/[^/?]/.test(url);
  const { method = 'GET' } = request;
  // As the real server: a page has a head of its own, an object has not.
  const otherMethod = isMethod(method) || (method === 'HEAD' && !isApi) ? {} : { otherMethod: method };
  const question = url.indexOf('?');
  const socket = request.socket as TLSSocket;
  const clientCertificate = clientCertificateOf(socket);
  return {
    ...otherMethod,
    method: isMethod(method) ? method : 'GET',
    path: question < 0 ? url : url.slice(0, question),
    query: question < 0 ? '' : url.slice(question + 1),
    headers: host === undefined ? headersOf(request) : { ...headersOf(request), host },
    ...(body.length === 0 ? {} : { body }),
    ...(socket.remoteAddress === undefined ? {} : { from: socket.remoteAddress }),
    ...(clientCertificate === undefined ? {} : { clientCertificate }),
    ...(isRefusedCertificate(socket) ? { refusedCertificate: true } : {}),
  };
}

/** A whole address, as one asks a proxy: its host counts, not that of the header (RFC 9112, 3.2.2). */
function targetOf(url: string): { readonly url: string; readonly host?: string } {
  if (url.startsWith('/')) return { url };
  const [start, host = ''] = /^[a-z][a-z0-9+.-]*:\/\/(?:[^/?#@]*@)?([^/?#]*)/i.exec(url) ?? [];
  return start === undefined ? { url } : { url: url.slice(start.length).replace(/#.*$/, ''), host };
}

const isMethod = (method: string): method is ApiRequest['method'] => METHODS.has(method);

const PLAIN = /^[\x20-\x7e\n]*$/;
const IMPERSONATION = 'impersonate-';

/** Who asks may have any name; Node reads each byte of it as a letter of its own. */
const spelt = (value: string): string => (PLAIN.test(value) ? value : Buffer.from(value, 'latin1').toString());

function headersOf(request: ClientRequest): Record<string, string> {
  const headers: Record<string, string> = {};
  let impersonates = false;
  for (const [name, value] of Object.entries(request.headers)) {
    if (value === undefined || (name.startsWith(':') && name !== ':authority')) continue;
    headers[name === ':authority' ? 'host' : name] = Array.isArray(value) ? value.join(',') : value;
    impersonates ||= name.startsWith(IMPERSONATION);
  }
  if (headers['user-agent'] !== undefined) headers['user-agent'] = spelt(headers['user-agent']);
  return impersonates ? { ...headers, ...impersonationIn(request.rawHeaders) } : headers;
}

/** Node joins headers that come several times by commas, which may be part of a name. */
function impersonationIn(raw: readonly string[]): Record<string, string> {
  const said: Record<string, string> = {};
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const name = (raw[at] ?? '').toLowerCase();
    if (!name.startsWith(IMPERSONATION)) continue;
    const value = spelt(raw[at + 1] ?? '');
    said[name] = said[name] === undefined ? value : `${said[name]}${BETWEEN_VALUES}${value}`;
  }
  return said;
}

function acceptsGzip(request: ClientRequest): boolean {
  return String(request.headers['accept-encoding'] ?? '')
    .split(',')
    .some(encoding => encoding.trim() === 'gzip');
}

/** What has a tag is compressed only when it says that it differs by encoding: the tag is of those bytes. */
function isZipped(request: ClientRequest, { body, headers }: ApiResponse): boolean {
  if (headers.etag !== undefined) return (headers.vary ?? '').includes('Accept-Encoding') && acceptsGzip(request);
  return body.length > GZIP_ABOVE_BYTES && acceptsGzip(request);
}
