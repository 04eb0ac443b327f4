import assert from 'node:assert/strict';
import { get } from 'node:https';
import { connect, type Socket } from 'node:net';
import { afterEach, beforeEach, test } from 'node:test';
import { minutes } from '../../base/clock.ts';
import { realKeys } from '../keys/index.ts';
import { type ApiServer, serveApi } from './server.ts';
import { defaultLimits, type ServerLimits } from './server-limits.ts';

let server: ApiServer;
let sockets: Socket[];

beforeEach(() => {
  sockets = [];
});
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  await server.close();
});

async function serveWith(limits: Partial<ServerLimits>): Promise<void> {
  const [notBefore, notAfter] = [Date.now() - minutes(5), Date.now() + minutes(60)];
  const authority = await realKeys.authority('test', notBefore, notAfter);
  const pair = await realKeys.pair();
  const subject = {
    commonName: 'server',
    ipAddresses: ['127.0.0.1'],
    notBefore,
    notAfter,
    usages: ['server' as const],
  };
  const certificatePem = await realKeys.certify(authority, pair.publicKeyPem, subject);
  server = await serveApi({
    serve: async () => ({ status: 200, headers: {}, body: new Uint8Array() }),
    tls: { certificatePem, privateKeyPem: pair.privateKeyPem, clientAuthorityPem: authority.certificatePem },
    port: 0,
    limits: { ...defaultLimits, ...limits },
  });
}

/** The first bytes of a ClientHello, and nothing after them. Resolves once connected, to when it is closed. */
async function halfOpen(): Promise<{ readonly closed: Promise<void> }> {
  const socket = connect(server.port, '127.0.0.1');
  sockets.push(socket);
  const closed = new Promise<void>(resolve => socket.once('close', () => resolve()));
  socket.on('error', () => undefined);
  await new Promise<void>(resolve => socket.once('connect', () => resolve()));
  socket.write(Buffer.from([22, 3, 1, 2, 0, 1]));
  return { closed };
}

const answered = (): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    const asked = get({ port: server.port, host: '127.0.0.1', rejectUnauthorized: false, agent: false }, answer => {
      answer.resume();
      resolve(answer.statusCode);
    });
    asked.on('error', reject);
  });

test('a connection that does not finish its handshake ends', { timeout: 30_000 }, async () => {
  await serveWith({ handshakeMs: 100 });

  const { closed } = await halfOpen();

  await closed;
});

test('of too many unfinished handshakes the oldest end, and others are served', { timeout: 30_000 }, async () => {
  await serveWith({ handshakes: 3, handshakeMs: minutes(10) });
  const statuses = [await answered(), await answered(), await answered(), await answered()];

  const [first, second] = [await halfOpen(), await halfOpen()];
  for (let n = 0; n < 3; n += 1) await halfOpen();
  await first.closed;
  await second.closed;
  statuses.push(await answered());

  assert.deepEqual(statuses, [200, 200, 200, 200, 200]);
  assert.equal(defaultLimits.handshakeMs, 10_000);
});
