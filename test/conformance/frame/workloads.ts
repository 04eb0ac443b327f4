// What Pods and Services serve, behind both servers: one loopback server that stands for every address of a Pod. API
// servers do not connect to loopback addresses for a client, but they do go through an HTTP proxy when they are told one.

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

export interface Workloads extends AsyncDisposable {
  /** `http://127.0.0.1:PORT`: for HTTP_PROXY of kube-apiserver. */
  readonly url: string;
}

export async function workloads(): Promise<Workloads> {
  const open = new Set<Socket>();
  const server = createServer((request, response) => void answer(request, response));
  server.on('connection', socket => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    [Symbol.asyncDispose]: async () => {
      const closed = new Promise(resolve => server.close(resolve));
      for (const socket of open) socket.destroy();
      await closed;
    },
  };
}

/** A proxy is asked for whole addresses. */
async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const asked = new URL(request.url ?? '/', 'http://direct');
  const name = asked.pathname.split('/')[1] ?? '';
  const page = Object.hasOwn(PAGES, name) ? PAGES[name] : undefined;
  if (page !== undefined) return page(response, asked);
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ ...echoOf(request, asked), body: Buffer.concat(chunks).toString() }));
}

function echoOf({ method, headers }: IncomingMessage, asked: URL): object {
  // Of the connection alone: kube-apiserver asks for compressed answers, which it unpacks itself.
  const {
    connection: _,
    'proxy-connection': __,
    'content-length': ___,
    'accept-encoding': ____,
    host,
    ...kept
  } = headers;
  const shown = Object.fromEntries(Object.entries(kept).sort(([a], [b]) => (a < b ? -1 : 1)));
  const isLocal = /^127\.0\.0\.1:\d+$/.test(host ?? '');
  return { method, path: asked.pathname + asked.search, host: isLocal ? 'the API server' : host, headers: shown };
}

const LINKS = `<!DOCTYPE html>
<html><head><link rel="stylesheet" href="/style.css"><base href="/b/"></head>
<!-- <a href="/comment"> -->
<body background='/back.png'><A HREF="/abs?x=1&amp;y=2">a</A> <a href="rel">r</a> <a href="//other.example/x">o</a>
<a href="http://elsewhere.example/y">e</a><img src=/img.png alt="/not a link"><form action="/go/" method=post><input disabled></form>
<script src="/s.js">if (a < b) { document.write('<a href="/in-script">') }</script><br/></body></html>
`;

const PAGES: Readonly<Record<string, (response: ServerResponse, asked: URL) => void>> = {
  html: (response, asked) => {
    response.writeHead(200, { 'content-type': asked.searchParams.get('as') ?? 'text/html; charset=utf-8' });
    response.end(LINKS);
  },
  redirect: (response, asked) => {
    response.writeHead(302, { location: asked.searchParams.get('to') ?? '/', 'content-type': 'text/plain' });
    response.end('over there');
  },
  stream: async response => {
    response.writeHead(200, { 'content-type': 'text/plain' });
    for (const part of ['one ', 'two ', 'three']) {
      response.write(part);
      await new Promise(resolve => setImmediate(resolve));
    }
    response.end();
  },
  teapot: response => {
    response.writeHead(418, { 'content-type': 'text/plain' });
    response.end('short and stout');
  },
  status: response => {
    response.writeHead(404, { 'content-type': 'application/json' });
    response.end('{"kind":"Status","message":"of the workload itself"}');
  },
  headers: response => {
    response.writeHead(200, {
      'content-type': 'text/plain',
      'cache-control': 'max-age=60',
      'set-cookie': 'a=b; Path=/',
      'access-control-allow-origin': '*',
      'access-control-allow-methods': 'GET',
      'access-control-expose-headers': 'X-Own',
      'x-own': 'kept',
      etag: '"x"',
      'proxy-authenticate': 'Basic',
    });
    response.end('seen');
  },
  cookies: (response, asked) => {
    const cookies = ['a=1; Path=/; Expires=Wed, 21 Oct 2015 07:28:00 GMT', 'b=2; HttpOnly', 'a=3'];
    response.writeHead(200, { 'content-type': asked.searchParams.get('as') ?? 'text/plain', 'set-cookie': cookies });
    response.end('<a href="/x">x</a>');
  },
  empty: response => {
    response.writeHead(204);
    response.end();
  },
  cut: response => void response.req.resume().once('end', () => response.socket?.end()),
};
