import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { connect } from 'node:tls';
import type { ServedRequest } from '../../apiserver/access.ts';
import { minutes } from '../../base/clock.ts';
import type { ApiResponse } from '../../kube/transport.ts';
import { realKeys } from '../keys/index.ts';
import { type ApiServer, serveApi } from './server.ts';

let server: ApiServer;
let caPem: string;

before(async () => {
  const authority = await realKeys.authority('test', Date.now() - minutes(5), Date.now() + minutes(5));
  const pair = await realKeys.pair();
  caPem = authority.certificatePem;
  const certificatePem = await realKeys.certify(authority, pair.publicKeyPem, {
    commonName: 'server',
    ipAddresses: ['127.0.0.1'],
    notBefore: Date.now() - minutes(5),
    notAfter: Date.now() + minutes(5),
    usages: ['server'],
  });
  const tls = { certificatePem, privateKeyPem: pair.privateKeyPem, clientAuthorityPem: caPem };
  const serve = async ({ method, otherMethod, path, headers }: ServedRequest): Promise<ApiResponse> => ({
    status: 200,
    headers: {},
    body: Buffer.from(`${otherMethod ?? method} ${path} ${headers.authorization ?? 'of nobody'}`),
  });
  server = await serveApi({ serve, tls, port: 0 });
});

after(() => server.close());

/** Everything that comes back until the server hangs up. */
function told(text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port: server.port, ca: caPem });
    let answer = '';
    socket.on('data', chunk => {
      answer += chunk;
    });
    socket.once('end', () => resolve(answer));
    socket.once('error', reject);
    socket.write(text);
  });
}

// What kube-apiserver 1.36 answered, byte by byte.
const REFUSED =
  'HTTP/1.1 400 Bad Request\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\n\r\n400 Bad Request';

test('what is no HTTP is refused in the words of a Go server', async () => {
  for (const text of [
    '\x00\x01\x02\r\n\r\n',
    'G@T / HTTP/1.1\r\nHost: a\r\n\r\n',
    'GET api HTTP/1.1\r\nHost: a\r\n\r\n',
    'GET /api HTTP/9\r\nHost: a\r\n\r\n',
    'GET /api HTTP/1.1\r\nHost: a\r\nNo colon\r\n\r\n',
  ]) {
    assert.equal(await told(text), REFUSED);
  }
});

test('a head of more than a megabyte is refused as too large', async () => {
  const answer = await told(`GET /${'a'.repeat(1_200_000)} HTTP/1.1\r\nHost: a\r\n\r\n`);

  assert.match(answer, /^HTTP\/1\.1 431 [\s\S]*431 Request Header Fields Too Large$/);
});

test('a request of an unknown method is served with its headers, as the last one of its connection', async () => {
  const one = 'FOO /a HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer x\r\nContent-Length: 2\r\n\r\n{}';

  const answer = await told(`${one}GET /b HTTP/1.1\r\nHost: a\r\n\r\n`);

  assert.match(answer, /^HTTP\/1\.1 200 [\s\S]*FOO \/a Bearer x$/);
  assert.match(await told('CONNECT /c HTTP/1.1\r\nHost: a\r\n\r\n'), /CONNECT \/c of nobody$/);
});

test('a whole address is asked for by its path', async () => {
  const answer = await told('GET http://b.example/c?d=1 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');

  assert.match(answer, /GET \/c of nobody$/);
});
