import assert from 'node:assert/strict';
import { type ClientHttp2Session, connect as connectHttp2, constants } from 'node:http2';
import { request as httpsRequest } from 'node:https';
import { after, before, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import type { ServedRequest } from '../../apiserver/access.ts';
import { minutes } from '../../base/clock.ts';
import type { CertificateAuthority } from '../../base/keys.ts';
import type { ApiResponse, EventStream } from '../../kube/transport.ts';
import { realKeys } from '../keys/index.ts';
import { type ApiServer, serveApi } from './server.ts';

const encoder = new TextEncoder();
const START = Date.now();

/** A stream that gives what is pushed into it. */
class HandStream implements EventStream {
  readonly #frames: Uint8Array[] = [];
  #waiting: ((frame: Uint8Array | undefined) => void) | undefined;
  closedBecause: string | undefined;
  taken = 0;

  push(text: string): void {
    this.#frames.push(encoder.encode(text));
    this.#give();
  }

  next(): Promise<Uint8Array | undefined> {
    return new Promise(resolve => {
      this.#waiting = resolve;
      this.#give();
    });
  }

  close(reason: string): void {
    this.closedBecause ??= reason;
    this.#give();
  }

  #give(): void {
    const waiting = this.#waiting;
    const frame = this.#frames.shift();
    if (waiting === undefined || (frame === undefined && this.closedBecause === undefined)) {
      if (frame !== undefined) this.#frames.unshift(frame);
      return;
    }
    this.#waiting = undefined;
    this.taken += 1;
    waiting(frame);
  }
}

let authority: CertificateAuthority;
let server: ApiServer;
let session: ClientHttp2Session;
let answer: (request: ServedRequest) => Promise<ApiResponse>;

const json = (body: unknown, status = 200): ApiResponse => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: encoder.encode(JSON.stringify(body)),
});

async function certified(usage: 'client' | 'server', by: CertificateAuthority): Promise<{ cert: string; key: string }> {
  const pair = await realKeys.pair();
  const cert = await realKeys.certify(by, pair.publicKeyPem, {
    commonName: 'system:node:mac-0',
    organizations: ['system:nodes'],
    ipAddresses: ['127.0.0.1'],
    notBefore: START - minutes(5),
    notAfter: START + minutes(60),
    usages: [usage],
  });
  return { cert, key: pair.privateKeyPem };
}

before(async () => {
  authority = await realKeys.authority('test', START - minutes(5), START + minutes(60));
  const { cert, key } = await certified('server', authority);
  server = await serveApi({
    serve: request => answer(request),
    tls: { certificatePem: cert, privateKeyPem: key, clientAuthorityPem: authority.certificatePem },
    port: 0,
  });
  session = connectHttp2(`https://127.0.0.1:${server.port}`, { ca: authority.certificatePem });
});

after(async () => {
  session.close();
  await server.close();
});

interface Got {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: Buffer;
}

function overHttp1(
  method: string,
  path: string,
  options: { body?: Buffer; cert?: string; key?: string; headers?: Record<string, string | string[]> } = {},
): Promise<Got> {
  const { body, ...tls } = options;
  return new Promise((resolve, reject) => {
    const request = httpsRequest(
      { host: '127.0.0.1', port: server.port, method, path, ca: authority.certificatePem, agent: false, ...tls },
      response => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) }),
        );
      },
    );
    request.on('error', reject);
    request.end(body);
  });
}

function overHttp2(path: string, headers: Record<string, string | string[]> = {}): Promise<Got> {
  return new Promise((resolve, reject) => {
    const stream = session.request({ ':path': path, ...headers });
    let head: Record<string, unknown> = {};
    const chunks: Buffer[] = [];
    stream.on('response', got => {
      head = got;
    });
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    stream.on('end', () =>
      resolve({ status: Number(head[constants.HTTP2_HEADER_STATUS]), headers: head, body: Buffer.concat(chunks) }),
    );
    stream.on('error', reject);
    stream.end();
  });
}

test('a request arrives with its parts, over HTTP/1.1 and HTTP/2', async () => {
  const seen: ServedRequest[] = [];
  answer = async request => {
    seen.push(request);
    return json({ ok: true }, 201);
  };

  const one = await overHttp1('POST', '/api/v1/pods?limit=1', { body: Buffer.from('{}') });
  const two = await overHttp2('/api/v1/pods?watch=0', { authorization: 'Bearer x' });

  assert.deepEqual([one.status, two.status], [201, 201]);
  assert.deepEqual([seen[0]?.method, seen[0]?.path, seen[0]?.query], ['POST', '/api/v1/pods', 'limit=1']);
  assert.equal(Buffer.from(seen[0]?.body ?? []).toString(), '{}');
  assert.equal(seen[1]?.headers.authorization, 'Bearer x');
  assert.equal(
    Object.keys(seen[1]?.headers ?? {}).some(name => name.startsWith(':')),
    false,
  );
});

test('impersonation headers that come several times stay apart, commas and all', async () => {
  const seen: ServedRequest[] = [];
  answer = async request => {
    seen.push(request);
    return json({});
  };
  const headers = { 'impersonate-user': 'x', 'impersonate-group': ['a,b', Buffer.from('Größe').toString('latin1')] };

  await overHttp1('GET', '/', { headers });
  await overHttp2('/', headers);

  assert.deepEqual(
    seen.map(request => [request.headers['impersonate-user'], request.headers['impersonate-group']]),
    [
      ['x', 'a,b\nGröße'],
      ['x', 'a,b\nGröße'],
    ],
  );
});

test('the subject of a certificate of our authority is passed on; of a foreign one, that it is refused', async () => {
  const seen: unknown[] = [];
  answer = async request => {
    seen.push(request.clientCertificate ?? request.refusedCertificate);
    return json({});
  };
  const foreign = await realKeys.authority('foreign', START - minutes(5), START + minutes(60));

  await overHttp1('GET', '/', await certified('client', authority));
  await overHttp1('GET', '/', await certified('client', foreign));
  await overHttp1('GET', '/');

  assert.deepEqual(seen, [{ commonName: 'system:node:mac-0', organizations: ['system:nodes'] }, true, undefined]);
});

test('a body above the limit is refused, whether its length is told or not', async () => {
  let asked = 0;
  answer = async () => {
    asked += 1;
    return json({});
  };

  const got = await overHttp1('POST', '/', { body: Buffer.alloc(3 * 1024 * 1024 + 1) });

  assert.equal(got.status, 413);
  assert.equal(JSON.parse(got.body.toString()).reason, 'RequestEntityTooLarge');
  assert.equal(asked, 0);
});

test('large answers are compressed for who can read that, small ones never', async () => {
  const large = 'x'.repeat(200_000);
  answer = async request => json(request.path === '/large' ? large : 'small');

  const zipped = await overHttp2('/large', { 'accept-encoding': 'gzip' });
  const plain = await overHttp2('/large');
  const small = await overHttp2('/small', { 'accept-encoding': 'gzip' });

  assert.equal(zipped.headers['content-encoding'], 'gzip');
  assert.equal(JSON.parse(gunzipSync(zipped.body).toString()), large);
  assert.deepEqual([plain.headers['content-encoding'], small.headers['content-encoding']], [undefined, undefined]);
});

test('the frames of a watch arrive one by one, and its end ends the answer', async () => {
  const hand = new HandStream();
  answer = async () => ({ status: 200, headers: {}, body: new Uint8Array(), stream: hand });
  const stream = session.request({ ':path': '/watch' });
  const events: string[] = [];
  const first = new Promise<void>(resolve => {
    stream.on('data', (chunk: Buffer) => {
      events.push(chunk.toString());
      resolve();
    });
  });
  const ended = new Promise<void>(resolve => stream.on('end', resolve));

  hand.push('one\n');
  await first;
  hand.push('two\n');
  hand.close('done');
  await ended;

  assert.equal(events.join(''), 'one\ntwo\n');
});

test('an event of any size arrives whole, over HTTP/1.1 and HTTP/2', async () => {
  const large = `${'x'.repeat(300_000)}\n`;
  answer = async () => {
    const hand = new HandStream();
    for (const frame of ['small\n', large, 'last\n']) hand.push(frame);
    hand.close('done');
    return { status: 200, headers: {}, body: new Uint8Array(), stream: hand };
  };

  const bodies = [await overHttp1('GET', '/watch'), await overHttp2('/watch')].map(({ body }) => body.toString());

  assert.ok(bodies.every(body => body === `small\n${large}last\n`));
});

test('a client that goes away ends its watch', async () => {
  const hand = new HandStream();
  answer = async () => ({ status: 200, headers: {}, body: new Uint8Array(), stream: hand });
  const stream = session.request({ ':path': '/watch' });
  await new Promise(resolve => stream.on('response', resolve));

  stream.close(constants.NGHTTP2_CANCEL);
  await until(() => hand.closedBecause !== undefined);

  assert.equal(hand.closedBecause, 'the client is gone');
});

test('a client that does not read is not written to without end', async () => {
  const hand = new HandStream();
  answer = async () => ({ status: 200, headers: {}, body: new Uint8Array(), stream: hand });
  const frame = 'x'.repeat(64 * 1024);
  for (let n = 0; n < 500; n += 1) hand.push(frame);
  const stream = session.request({ ':path': '/watch' });
  await new Promise(resolve => stream.on('response', resolve));
  await until(() => hand.taken > 0);
  for (let turn = 0; turn < 50; turn += 1) await new Promise(resolve => setImmediate(resolve));

  assert.ok(hand.taken < 100, `${hand.taken} frames of 64 KiB were taken for a client that reads none`);
  stream.close(constants.NGHTTP2_CANCEL);
});

test('hundreds of watches that come and go on one connection disturb none that stays', async () => {
  const standing = new HandStream();
  answer = async ({ path }) => {
    const stream = path === '/standing' ? standing : new HandStream();
    return { status: 200, headers: {}, body: new Uint8Array(), stream };
  };
  const stays = session.request({ ':path': '/standing' });
  const heard = new Promise<string>(resolve => stays.on('data', (chunk: Buffer) => resolve(chunk.toString())));

  for (let n = 0; n < 600; n += 1) {
    const passing = session.request({ ':path': '/passing' });
    await new Promise(resolve => passing.on('response', resolve));
    passing.close(constants.NGHTTP2_CANCEL);
  }
  standing.push('still here');

  assert.equal(await heard, 'still here');
  stays.close(constants.NGHTTP2_CANCEL);
});

test('a taken port is named', async () => {
  const { cert, key } = await certified('server', authority);
  const tls = { certificatePem: cert, privateKeyPem: key, clientAuthorityPem: authority.certificatePem };

  await assert.rejects(serveApi({ serve: async () => json({}), tls, port: server.port }), {
    code: 'PIPPIN_E_PORT_TAKEN',
    message: new RegExp(String(server.port)),
  });
});

test('closing ends open watches in order and frees the port', async () => {
  const { cert, key } = await certified('server', authority);
  const hand = new HandStream();
  const other = await serveApi({
    serve: async () => ({ status: 200, headers: {}, body: new Uint8Array(), stream: hand }),
    tls: { certificatePem: cert, privateKeyPem: key, clientAuthorityPem: authority.certificatePem },
    port: 0,
  });
  const client = connectHttp2(`https://127.0.0.1:${other.port}`, { ca: authority.certificatePem });
  client.on('error', () => undefined);
  const stream = client.request({ ':path': '/watch' });
  await new Promise(resolve => stream.on('response', resolve));
  const ended = new Promise<string>(resolve => {
    stream.on('end', () => resolve('end'));
    stream.on('error', error => resolve(String(error)));
    stream.resume();
  });

  await other.close();

  assert.equal(await ended, 'end');
  assert.equal(hand.closedBecause, 'the server stops');
  client.destroy();
});

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise(resolve => setImmediate(resolve));
}
