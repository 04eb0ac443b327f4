// One HTTP/2 connection, used as Go programs use it: for everything at once. No stream may harm another.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { type ClientHttp2Session, type ClientHttp2Stream, connect } from 'node:http2';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { parse } from 'yaml';
import { realKeys } from '../../src/adapters/keys/index.ts';
import { systemClock } from '../../src/adapters/system/clock.ts';
import { systemRandom } from '../../src/adapters/system/random.ts';
import { type ServedApi, serveApi } from '../../src/fleet/serve-api.ts';

const MAPS = '/api/v1/namespaces/default/configmaps';
const LARGE_MAPS = '/api/v1/namespaces/large/configmaps';
/** 40 objects of half a megabyte: a list of 20 MB. */
const LARGE = { count: 40, bytes: 512 * 1024 } as const;

let dataDir: string;
let served: ServedApi;
let session: ClientHttp2Session;
let token: string;

before(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'pippin-limits-'));
  served = await serveApi({ dataDir, port: 0, clock: systemClock, random: systemRandom, keys: realKeys });
  token = parse(readFileSync(served.kubeconfigFile, 'utf8')).users[0].user.token;
  session = connect(served.url, {
    ca: served.authority.certificatePem,
    settings: { initialWindowSize: 4 * 1024 * 1024 },
  });
  await once(session, 'connect');
  session.setLocalWindowSize(64 * 1024 * 1024);
  await create('/api/v1/namespaces', { metadata: { name: 'large' } });
  for (let index = 0; index < LARGE.count; index++) {
    await create(LARGE_MAPS, { metadata: { name: `large-${index}` }, data: { x: 'x'.repeat(LARGE.bytes) } });
  }
});

after(async () => {
  session.destroy();
  await served.close();
  rmSync(dataDir, { recursive: true, force: true });
});

function ask(path: string, method = 'GET'): ClientHttp2Stream {
  return session.request({
    ':method': method,
    ':path': path,
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
  });
}

async function statusOf(stream: ClientHttp2Stream): Promise<number> {
  const [headers] = await once(stream, 'response');
  return Number(headers[':status']);
}

async function create(path: string, body: object): Promise<void> {
  const stream = ask(path, 'POST');
  stream.end(JSON.stringify(body));
  assert.equal(await statusOf(stream), 201);
  stream.resume();
  await once(stream, 'close');
}

/** How many bytes came, and whether the stream ended as it should. */
async function read(stream: ClientHttp2Stream): Promise<number> {
  let bytes = 0;
  assert.equal(await statusOf(stream), 200);
  for await (const chunk of stream) bytes += (chunk as Buffer).length;
  assert.equal(stream.rstCode, 0);
  return bytes;
}

interface Watch {
  readonly stream: ClientHttp2Stream;
  frames: number;
  failure: string;
}

/** A watch of the small objects, opened and answered. */
async function watch(): Promise<Watch> {
  const stream = ask(`${MAPS}?watch=1&labelSelector=size%3Dsmall`);
  const opened: Watch = { stream, frames: 0, failure: '' };
  stream.on('data', (chunk: Buffer) => {
    opened.frames += chunk.toString().split('\n').length - 1;
  });
  stream.on('error', error => {
    opened.failure = error.message;
  });
  assert.equal(await statusOf(stream), 200);
  return opened;
}

const small = (name: string): object => ({ metadata: { name, labels: { size: 'small' } } });

async function untilSeen(watches: readonly Watch[], frames: number): Promise<void> {
  const deadline = Date.now() + 30_000;
  while (watches.some(each => each.frames < frames && each.failure === '')) {
    assert.ok(
      Date.now() < deadline,
      `after 30 s a watch has seen ${Math.min(...watches.map(each => each.frames))} of ${frames}`,
    );
    await new Promise(resolve => setTimeout(resolve, 20));
  }
  assert.deepEqual(
    watches.filter(each => each.failure !== '').map(each => each.failure),
    [],
  );
}

test('30 lists of 20 MB at once beside 400 watches: all end, and no watch misses anything', {
  timeout: 240_000,
}, async () => {
  const watches = await Promise.all(Array.from({ length: 400 }, watch));

  const lists = Array.from({ length: 30 }, () => read(ask(LARGE_MAPS)));
  await create(MAPS, small('while-lists-run'));
  const sizes = await Promise.all(lists);
  await create(MAPS, small('after-the-lists'));
  await untilSeen(watches, 2);

  assert.ok(
    sizes.every(size => size > 20_000_000),
    String(sizes),
  );
  for (const { stream } of watches) stream.close();
});

test('3,000 watches that come and go leave 10 standing ones alone', { timeout: 240_000 }, async () => {
  const standing = await Promise.all(Array.from({ length: 10 }, watch));

  for (let round = 0; round < 60; round++) {
    const passing = await Promise.all(Array.from({ length: 50 }, watch));
    for (const { stream } of passing) stream.close(8);
    await Promise.all(passing.map(({ stream }) => (stream.closed ? undefined : once(stream, 'close'))));
  }
  await create(MAPS, small('after-the-rush'));
  await untilSeen(standing, 1);

  for (const { stream } of standing) stream.close();
});

test('a client that stops reading its list keeps nobody else from theirs', { timeout: 240_000 }, async () => {
  const stuck = ask(LARGE_MAPS);
  assert.equal(await statusOf(stuck), 200);
  stuck.pause();

  const watches = await Promise.all(Array.from({ length: 5 }, watch));
  const size = await read(ask(LARGE_MAPS));
  await create(MAPS, small('beside-the-stuck-one'));
  await untilSeen(watches, 1);

  assert.ok(size > 20_000_000);
  stuck.close();
  for (const { stream } of watches) stream.close();
});

const selectorOf = (count: number): string => {
  const values = Array.from({ length: count }, (_, index) => `value-${index}`).join(',');
  return `${MAPS}?labelSelector=${encodeURIComponent(`size in (${values})`)}`;
};

test('a selector of a hundred thousand letters is read over HTTP/1.1, one of sixty thousand over HTTP/2', async () => {
  const wide = connect(served.url, { ca: served.authority.certificatePem, maxSendHeaderBlockLength: 1024 * 1024 });

  const codes = [
    await statusOf(wide.request({ ':path': selectorOf(4000), ...CREDENTIALS() })),
    await statusOverHttp1(selectorOf(8000)),
  ];

  wide.destroy();
  assert.deepEqual(codes, [200, 200]);
});

const CREDENTIALS = (): { authorization: string } => ({ authorization: `Bearer ${token}` });

async function statusOverHttp1(path: string): Promise<number> {
  const outgoing = request(`${served.url}${path}`, { ca: served.authority.certificatePem, headers: CREDENTIALS() });
  outgoing.end();
  const [incoming] = await once(outgoing, 'response');
  incoming.resume();
  return incoming.statusCode;
}
