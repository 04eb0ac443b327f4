// HTTP/1.1 requests that Node's parser does not hand over: methods that it does not know are served all the same, as Go's
// servers do, and what is no request is refused in the words of Go's.

import type * as http from 'node:http';
import type { Socket } from 'node:net';
import { IncomingMessage, METHODS, ServerResponse } from './plain-http.ts';

/** How long who is refused in the middle of what it sends gets to read why. */
const LINGER_MS = 500;

interface ParseError extends Error {
  readonly code?: string;
  /** What was read when it failed. */
  readonly rawPacket?: Buffer;
}

/** Serves a request whose answer is the last of its connection. */
type Serve = (request: http.IncomingMessage, response: http.ServerResponse) => void;

const seen = new WeakSet<Socket>();

export function serveUnparsed(error: ParseError, socket: Socket, serve: Serve): void {
  // What follows is part of what was refused.
  if (seen.has(socket)) return;
  seen.add(socket);
  socket.on('error', () => undefined);
  // Not in the types: the answer that is being written.
  const before: unknown = Reflect.get(socket, '_httpMessage');
  // Who has read all of it may be faster than the news here that it is sent.
  if (!(before instanceof ServerResponse)) goOn(error, socket, serve);
  else if (before.writableEnded) before.once('finish', () => goOn(error, socket, serve));
  else socket.destroy();
}

function goOn(error: ParseError, socket: Socket, serve: Serve): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const request = error.code === 'HPE_INVALID_METHOD' ? requestIn(error, socket) : undefined;
  if (request !== undefined) {
    serveLast(request, socket, serve);
    return;
  }
  socket.end(refusalOf(error));
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}

/** Serves what took over its connection, or ends it. */
export function serveLast(request: http.IncomingMessage, socket: Socket, serve: Serve): void {
  const response = new ServerResponse(request);
  response.shouldKeepAlive = false;
  response.assignSocket(socket);
  response.once('finish', () => socket.end());
  serve(request, response);
}

const HEAD = /^([!#$%&'*+\-.^_`|~0-9A-Za-z]+) (\/[\x21-\x7e]*) HTTP\/1\.[01]\r\n/;

/** Nobody will read one. */
const OF_BODY = /^(content-length|transfer-encoding)$/i;

/** The head of a request of another method than those that Node knows; its body, if it has one, is nothing to anybody. */
function requestIn({ rawPacket }: ParseError, socket: Socket): http.IncomingMessage | undefined {
  const text = rawPacket?.toString('latin1') ?? '';
  const end = text.indexOf('\r\n\r\n');
  const [line = '', method = '', url = ''] = HEAD.exec(text) ?? [];
  if (end < 0 || method === '' || METHODS.includes(method)) return undefined;
  const lines = text.slice(line.length, Math.max(end, line.length)).split('\r\n');
  const headers = lines.filter(each => each !== '').map(each => each.split(/:(.*)/s, 2) as [string, string?]);
  if (headers.some(([name, value]) => value === undefined || !/^[\w!#$%&'*+\-.^`|~]+$/.test(name))) return undefined;
  const request = new IncomingMessage(socket);
  request.method = method;
  request.url = url;
  for (const [name, value = ''] of headers.filter(([each]) => !OF_BODY.test(each))) {
    request.rawHeaders.push(name, value.trim());
    request.headers[name.toLowerCase()] ??= value.trim();
  }
  request.push(null);
  return request;
}

const REFUSALS: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
};

function refusalOf({ code = '' }: ParseError): string {
  const why = REFUSALS[code] ?? '400 Bad Request';
  return `HTTP/1.1 ${why}\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\n\r\n${why}`;
}
