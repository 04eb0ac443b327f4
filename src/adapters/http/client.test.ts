// The HTTP transport: answers, watches, and every way in which a connection can fail.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { isUnavailable } from '../../kube/errors.ts';
import type { ApiRequest, EventStream, Transport } from '../../kube/transport.ts';
import { realKeys } from '../keys/index.ts';
import { httpTransport } from './client.ts';
import { FrameCutter } from './client-frames.ts';

const GET: ApiRequest = { method: 'GET', path: '/api/v1/pods', query: '', headers: {} };
const WATCH: ApiRequest = { ...GET, query: 'watch=true&resourceVersion=1' };
const HOUR_MS = 3_600_000;

async function serving(t: TestContext, listener: RequestListener): Promise<Transport> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return httpTransport({
    server: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    token: async () => 't0',
  });
}

async function watching(t: TestContext, feed: (answer: ServerResponse) => void): Promise<EventStream> {
  const transport = await serving(t, (_, answer) => {
    answer.writeHead(200);
    answer.flushHeaders();
    feed(answer);
  });
  const { stream } = await transport(WATCH);
  assert.ok(stream !== undefined);
  return stream;
}

const text = (bytes: Uint8Array | undefined): string | undefined =>
  bytes === undefined ? undefined : new TextDecoder().decode(bytes);

test('a request carries its method, path, query, headers, body and token; any status is an answer', async t => {
  const asked: unknown[] = [];
  const transport = await serving(t, async (request, answer) => {
    const parts = await request.toArray();
    asked.push(request.method, request.url, request.headers.accept, request.headers.authorization, parts.join(''));
    answer.writeHead(409, { 'retry-after': '3' }).end('{"kind":"Status"}');
  });

  const answer = await transport({
    method: 'PATCH',
    path: '/api/v1/nodes/mac-0',
    query: 'force=true',
    headers: { accept: 'application/json' },
    body: new TextEncoder().encode('{}'),
  });

  assert.deepEqual(asked, ['PATCH', '/api/v1/nodes/mac-0?force=true', 'application/json', 'Bearer t0', '{}']);
  assert.deepEqual([answer.status, answer.headers['retry-after'], text(answer.body)], [409, '3', '{"kind":"Status"}']);
});

test('requests one after the other use one connection', async t => {
  const ports = new Set<number | undefined>();
  const transport = await serving(t, (request, answer) => {
    ports.add(request.socket.remotePort);
    answer.end('{}');
  });

  for (let at = 0; at < 5; at++) await transport(GET);

  assert.equal(ports.size, 1);
});

test('what all workers of a manager ask at once goes over the connections of the last time', async t => {
  const ports = new Set<number | undefined>();
  const together: ServerResponse[] = [];
  const transport = await serving(t, (request, answer) => {
    ports.add(request.socket.remotePort);
    together.push(answer);
    if (together.length === 50) for (const each of together.splice(0)) each.end('{}');
  });
  const burst = (): Promise<unknown> => Promise.all(Array.from({ length: 50 }, () => transport(GET)));

  await burst();
  await burst();

  assert.equal(ports.size, 50);
});

test('a watch gives one frame at a time, wherever the bytes are cut', async t => {
  const stream = await watching(t, answer => {
    answer.write('{"type":"ADD');
    setImmediate(() => answer.end('ED"}\n{"type":"MODIFIED"}\n\n{"type":"BOOKMARK"}\n'));
  });

  assert.equal(text(await stream.next()), '{"type":"ADDED"}');
  assert.equal(text(await stream.next()), '{"type":"MODIFIED"}');
  assert.equal(text(await stream.next()), '{"type":"BOOKMARK"}');
  assert.equal(await stream.next(), undefined);
});

test('a watch whose connection breaks gives what it read, then rejects', async t => {
  const stream = await watching(t, answer => {
    answer.write('{"type":"ADDED"}\n{"type":"half');
    setImmediate(() => answer.socket?.destroy());
  });

  assert.equal(text(await stream.next()), '{"type":"ADDED"}');
  await assert.rejects(stream.next(), isUnavailable);
});

test('closing a watch resolves the pending next, and can be done twice', async t => {
  let closed: Promise<unknown> = Promise.resolve();
  const stream = await watching(t, answer => {
    closed = once(answer, 'close');
  });
  const pending = stream.next();

  stream.close('enough');
  stream.close('enough');

  assert.equal(await pending, undefined);
  assert.equal(await stream.next(), undefined);
  await closed;
});

test('a watch that is not read does not fill the memory: the server has to wait', async t => {
  const line = `{"pad":"${'x'.repeat(10_000)}"}\n`;
  let written = 0;
  const stalled = Promise.withResolvers<void>();
  const stream = await watching(t, answer => {
    const fill = (): void => {
      while (written < 20_000 && answer.write(line)) written++;
      answer.once('drain', fill);
      setTimeout(() => stalled.resolve(), 300);
    };
    fill();
  });
  await stalled.promise;

  assert.ok(written < 10_000, `${written} frames of 10 KB were taken without being read`);
  assert.equal(text(await stream.next()), line.trim());
  stream.close('enough');
});

test('giving a request up ends it, and says so', async t => {
  let closed: Promise<unknown> = Promise.resolve();
  const arrived = Promise.withResolvers<void>();
  const transport = await serving(t, (_: IncomingMessage, answer) => {
    closed = once(answer, 'close');
    arrived.resolve();
  });
  const giveUp = new AbortController();
  const asking = assert.rejects(transport({ ...GET, signal: giveUp.signal }), isUnavailable);

  await arrived.promise;
  giveUp.abort(new Error('no answer in time'));

  await asking;
  await closed;
  await assert.rejects(transport({ ...GET, signal: giveUp.signal }), isUnavailable);
});

test('a server that is not there, or hangs up, is Unavailable; the next request gets a new connection', async t => {
  const nobody = httpTransport({ server: 'http://127.0.0.1:1' });
  await assert.rejects(nobody(GET), isUnavailable);

  let requests = 0;
  const transport = await serving(t, (request, answer) => {
    if (++requests === 2) request.socket.destroy();
    else answer.end('{}');
  });
  await transport(GET);
  await assert.rejects(transport({ ...GET, method: 'POST' }), isUnavailable);

  assert.equal((await transport(GET)).status, 200);
});

test('the server is known by its authority, and knows us by our certificate', async t => {
  const now = Date.now();
  const times = { notBefore: now - HOUR_MS, notAfter: now + HOUR_MS };
  const ca = await realKeys.authority('test', times.notBefore, times.notAfter);
  const issue = async (commonName: string, usages: readonly ('client' | 'server')[]) => {
    const { publicKeyPem, privateKeyPem } = await realKeys.pair();
    const request = { commonName, usages, ipAddresses: ['127.0.0.1'], ...times };
    return { cert: await realKeys.certify(ca, publicKeyPem, request), key: privateKeyPem };
  };
  const options = { ...(await issue('server', ['server'])), ca: ca.certificatePem, requestCert: true };
  const server = createTlsServer(options, (request, answer) => {
    const peer = (request.socket as import('node:tls').TLSSocket).getPeerCertificate();
    answer.end(JSON.stringify({ who: peer.subject.CN }));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const us = await issue('system:node:mac-0', ['client']);
  const ours = { clientCertificatePem: us.cert, clientKeyPem: us.key };

  const known = await httpTransport({ server: address, caPem: ca.certificatePem, ...ours })(GET);

  assert.equal(text(known.body), '{"who":"system:node:mac-0"}');
  await assert.rejects(httpTransport({ server: address, ...ours })(GET), isUnavailable);
});

test('a frame that never ends is refused before it fills the memory', () => {
  const cutter = new FrameCutter();
  const chunk = Buffer.alloc(1024 * 1024, 'x');

  assert.throws(() => {
    for (let megabyte = 0; megabyte < 20; megabyte++) cutter.cut(chunk);
  }, RangeError);
});
