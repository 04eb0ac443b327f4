// Upgraded connections through pods/proxy, services/proxy and nodes/proxy: real ones, on both sides of the server.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { request } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { after, before, test } from 'node:test';
import { type RawData, WebSocket, WebSocketServer } from 'ws';
import type { ServedRequest, ServedResponse } from '../../apiserver/access.ts';
import { minutes } from '../../base/clock.ts';
import { realKeys } from '../keys/index.ts';
import { type KubeletConnections, kubeletConnections } from './kubelets.ts';
import { type ApiServer, serveApi } from './server.ts';

let server: ApiServer;
let kubelets: KubeletConnections;
let workload: Server;
let authorityPem: string;
const upgraded = new Set<Socket>();
const asked: { readonly url: string | undefined; readonly headers: Record<string, unknown> }[] = [];

/** Echoes over WebSockets, speaks a protocol of its own when asked for it, and refuses what it is told to. */
function aWorkload(): Server {
  const echo = new WebSocketServer({ noServer: true, handleProtocols: ([first]) => first ?? false });
  const listening = createServer((_, response) => void response.end('plain'));
  listening.on('upgrade', (incoming, socket: Socket, head) => {
    upgraded.add(socket);
    asked.push({ url: incoming.url, headers: incoming.headers });
    if (incoming.url === '/refused') {
      socket.end('HTTP/1.1 403 Forbidden\r\ncontent-length: 2\r\nx-own: yes\r\n\r\nno');
    } else if (incoming.headers.upgrade === 'own/1') {
      socket.write('HTTP/1.1 101 Switching Protocols\r\nconnection: Upgrade\r\nupgrade: own/1\r\n\r\nhello ');
      socket.pipe(socket);
    } else {
      echo.handleUpgrade(incoming, socket, head, client => {
        client.on('message', (data, isBinary) => client.send(data, { binary: isBinary }));
      });
    }
  });
  return listening;
}

before(async () => {
  const now = Date.now();
  const authority = await realKeys.authority('test', now - minutes(5), now + minutes(60));
  const pair = await realKeys.pair();
  const certificatePem = await realKeys.certify(authority, pair.publicKeyPem, {
    commonName: 'kube-apiserver',
    ipAddresses: ['127.0.0.1'],
    notBefore: now - minutes(5),
    notAfter: now + minutes(60),
    usages: ['server', 'client'],
  });
  const own = { certificatePem, privateKeyPem: pair.privateKeyPem };
  authorityPem = authority.certificatePem;
  kubelets = kubeletConnections({ ...own, authorityPem });
  workload = aWorkload().listen(0, '127.0.0.1');
  await once(workload, 'listening');
  const { port } = workload.address() as AddressInfo;
  const serve = async ({ path, query, method }: ServedRequest): Promise<ServedResponse> => {
    const onward = {
      method,
      host: '127.0.0.1',
      port: path === '/nobody' ? 1 : port,
      path: query === '' ? path : `${path}?${query}`,
      headers: {},
    };
    return { status: 101, headers: {}, body: new Uint8Array(), onward: { ...onward, workload: 'http' } };
  };
  server = await serveApi({ serve, tls: { ...own, clientAuthorityPem: authorityPem }, port: 0, kubelets });
});

after(async () => {
  await server.close();
  kubelets.close();
  for (const socket of upgraded) socket.destroy();
  workload.close();
});

const webSocket = (path: string, protocols: string[] = []): WebSocket =>
  new WebSocket(`wss://127.0.0.1:${server.port}${path}`, protocols, {
    ca: authorityPem,
    headers: { authorization: 'Bearer secret', cookie: 'a=b', 'x-forwarded-for': '10.0.0.1' },
  });

async function received(socket: WebSocket, count: number): Promise<readonly string[]> {
  const messages: string[] = [];
  socket.on('message', (data: RawData) => messages.push(String(data)));
  while (messages.length < count) await once(socket, 'message');
  return messages;
}

test('a WebSocket to a workload carries texts and bytes both ways, and its subprotocol', async () => {
  const socket = webSocket('/chat?room=1', ['chat.v2', 'chat.v1']);
  await once(socket, 'open');

  const answers = received(socket, 3);
  socket.send('one');
  socket.send(Buffer.from('two'));
  socket.send('x'.repeat(300_000));

  assert.deepEqual(
    (await answers).map(each => each.slice(0, 3)),
    ['one', 'two', 'xxx'],
  );
  assert.equal(socket.protocol, 'chat.v2');
  socket.close(1000, 'done');
  const [code] = await once(socket, 'close');
  assert.equal(code, 1000);
});

test('the workload sees the path and cookies of the client, and none of its credentials', async () => {
  asked.length = 0;
  const socket = webSocket('/seen?a=b');
  await once(socket, 'open');
  socket.close();

  const [seen] = asked;
  assert.equal(seen?.url, '/seen?a=b');
  assert.equal(seen?.headers.authorization, undefined);
  assert.equal(seen?.headers.cookie, 'a=b');
  assert.equal(seen?.headers['x-forwarded-for'], '10.0.0.1, 127.0.0.1');
});

test('a protocol that nobody here knows is carried on byte by byte, what was sent with the head too', async () => {
  const outgoing = request({
    host: '127.0.0.1',
    port: server.port,
    path: '/own',
    ca: authorityPem,
    agent: false,
    headers: { connection: 'Upgrade', upgrade: 'own/1' },
  });
  outgoing.end();
  const [response, socket, head] = (await once(outgoing, 'upgrade')) as [{ statusCode: number }, Socket, Buffer];
  let text = head.toString();
  socket.on('data', (data: Buffer) => {
    text += data.toString();
  });

  socket.write('world');
  while (!text.includes('world')) await once(socket, 'data');

  assert.equal(response.statusCode, 101);
  assert.equal(text, 'hello world');
  socket.destroy();
});

test('a workload that refuses the upgrade answers for itself', async () => {
  const socket = webSocket('/refused');

  const [, response] = (await once(socket, 'unexpected-response')) as [
    unknown,
    NodeJS.ReadableStream & { statusCode: number; headers: Record<string, string> },
  ];

  let text = '';
  for await (const chunk of response) text += String(chunk);
  assert.equal(response.statusCode, 403);
  assert.equal(response.headers['x-own'], 'yes');
  assert.equal(text, 'no');
});

test('a workload that is not there is told of as the real server tells', async () => {
  const socket = webSocket('/nobody');

  const [, response] = (await once(socket, 'unexpected-response')) as [
    unknown,
    NodeJS.ReadableStream & { statusCode: number },
  ];

  let text = '';
  for await (const chunk of response) text += String(chunk);
  assert.equal(response.statusCode, 500);
  assert.match(text, /error dialing backend: dial tcp 127\.0\.0\.1:1: connect: connection refused/);
});

test('when one side of an upgraded connection goes, the other does', async () => {
  const socket = webSocket('/gone');
  await once(socket, 'open');

  for (const each of upgraded) each.destroy();

  const [code] = await once(socket, 'close');
  assert.equal(code, 1006);
});
