// More than a server takes on: refused in kube-apiserver's words, and nothing that is held stays held.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { ClientRequest, IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { test } from 'node:test';
import { type ApiServer, serveApi } from '../../src/adapters/http/server.ts';
import { defaultLimits, type ServerLimits } from '../../src/adapters/http/server-limits.ts';
import type { ServedRequest, ServedResponse } from '../../src/apiserver/access.ts';
import { newAuthority } from '../kube/certificates.ts';

interface Serving extends AsyncDisposable {
  /** A request whose body of so many bytes is still to come. */
  begin(method: string, path: string, bytes: number): ClientRequest;
  send(method: string, path: string, body?: string): ClientRequest;
}

async function serving(
  limits: Partial<ServerLimits>,
  serve: (request: ServedRequest) => Promise<ServedResponse>,
): Promise<Serving> {
  const authority = await newAuthority();
  const { certificate, key } = await authority.server('kube-apiserver');
  const tls = { certificatePem: certificate, privateKeyPem: key, clientAuthorityPem: authority.certificate };
  const server: ApiServer = await serveApi({ serve, tls, port: 0, limits: { ...defaultLimits, ...limits } });
  const begin: Serving['begin'] = (method, path, bytes) => {
    const headers = bytes === 0 ? {} : { 'content-length': bytes };
    const options = { method, headers, ca: authority.certificate, agent: false };
    const outgoing = request(`https://127.0.0.1:${server.port}${path}`, options);
    outgoing.on('error', () => undefined);
    return outgoing;
  };
  return {
    begin,
    send: (method, path, body = '') => begin(method, path, Buffer.byteLength(body)).end(body),
    [Symbol.asyncDispose]: () => server.close(),
  };
}

const fine: ServedResponse = { status: 200, headers: {}, body: Buffer.from('{}') };

async function told(outgoing: ClientRequest): Promise<{ status: number; retry: string; text: string }> {
  const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage];
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  const { statusCode = 0, headers } = incoming;
  return { status: statusCode, retry: headers['retry-after'] ?? '', text: Buffer.concat(chunks).toString() };
}

test('what comes when too many wait is told to come again in a second', async () => {
  const { promise: held, resolve: release } = Promise.withResolvers<ServedResponse>();
  let asked = 0;
  await using server = await serving({ writes: 2, waiting: 1 }, () => {
    asked += 1;
    return held;
  });
  const first = [1, 2, 3].map(() => told(server.send('POST', '/api/v1/pods', '{}')));
  while (asked < 2) await new Promise(resolve => setTimeout(resolve, 5));
  // The third waits; whether it has come yet is seen by asking until one is refused.
  const refused: { status: number; retry: string; text: string }[] = [];
  while (refused.length === 0) {
    const another = told(server.send('POST', '/api/v1/pods', '{}'));
    const answer = await Promise.race([
      another,
      new Promise<undefined>(resolve => setTimeout(() => resolve(undefined), 200)),
    ]);
    if (answer !== undefined) refused.push(answer);
  }
  release(fine);

  assert.deepEqual(refused, [{ status: 429, retry: '1', text: 'Too many requests, please try again later.\n' }]);
  assert.deepEqual(
    (await Promise.all(first)).map(({ status }) => status),
    [200, 200, 200],
  );
});

test('reads are not kept waiting by writes', async () => {
  const { promise: held, resolve: release } = Promise.withResolvers<ServedResponse>();
  let writes = 0;
  await using server = await serving({ writes: 1, waiting: 0 }, () => {
    writes += 1;
    return writes === 1 ? held : Promise.resolve(fine);
  });
  const write = told(server.send('POST', '/api/v1/pods', '{}'));
  while (writes < 1) await new Promise(resolve => setTimeout(resolve, 5));

  const read = await told(server.send('GET', '/api/v1/pods'));
  release(fine);

  assert.equal(read.status, 200);
  assert.equal((await write).status, 200);
});

test('a client that sends half a body loses its connection, and its place', async () => {
  let asked = 0;
  await using server = await serving({ stallMs: 100, bodyBytes: 10 }, () => {
    asked += 1;
    return Promise.resolve(fine);
  });
  const half = server.begin('POST', '/api/v1/pods', 100);
  half.write('{"half":');
  await new Promise(resolve => half.once('close', resolve));

  const next = await told(server.send('POST', '/api/v1/pods', '{"all":1}'));

  assert.equal(next.status, 200);
  assert.equal(asked, 1);
});

test('large bodies of all clients together are bounded, small ones are always read', async () => {
  await using server = await serving({ bodyBytes: 100_000 }, () => Promise.resolve(fine));

  const answers = await Promise.all([
    told(server.send('POST', '/api/v1/pods', 'x'.repeat(150_000))),
    told(server.send('POST', '/api/v1/pods', 'x'.repeat(500))),
  ]);

  assert.deepEqual(
    answers.map(({ status }) => status),
    [429, 200],
  );
});

test('of a client that nobody knows no large body is read', async () => {
  const asked: string[] = [];
  const refused: ServedResponse = { status: 403, headers: {}, body: Buffer.from('{}') };
  await using server = await serving({}, ({ path }) => {
    asked.push(path);
    return Promise.resolve(refused);
  });
  const large = server.begin('POST', '/api/v1/pods', 2_000_000);
  large.write('x'.repeat(200_000));

  const answer = await told(large);

  assert.equal(answer.status, 401);
  assert.deepEqual(asked, ['/apis/authentication.k8s.io/v1/selfsubjectreviews']);
});

test('a client that reads nothing of a large answer loses it, and its place', async () => {
  const megabyte = Buffer.alloc(1024 * 1024);
  function* pieces(): Generator<Uint8Array> {
    for (let count = 0; count < 200; count++) yield megabyte;
  }
  const large: ServedResponse = { status: 200, headers: {}, body: new Uint8Array(), pieces };
  await using server = await serving({ stallMs: 100, reads: 1, waiting: 1 }, ({ path }) =>
    Promise.resolve(path === '/large' ? large : fine),
  );
  const [stuck] = (await once(server.send('GET', '/large'), 'response')) as [IncomingMessage];
  stuck.on('error', () => undefined);

  const next = await told(server.send('GET', '/small'));
  stuck.resume();
  await new Promise(resolve => stuck.once('close', resolve));

  assert.equal(next.status, 200);
  assert.equal(stuck.complete, false);
});
