// The embedded API answers the same in process and over HTTP: one contract, both ways to ask.

import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { httpTransport } from '../adapters/http/client.ts';
import { realKeys } from '../adapters/keys/index.ts';
import { systemClock } from '../adapters/system/clock.ts';
import { systemRandom } from '../adapters/system/random.ts';
import type { ApiRequest, ApiResponse, Transport } from '../kube/transport.ts';
import { type ServedApi, serveApi } from './serve-api.ts';

const folder = mkdtempSync(join(tmpdir(), 'pippin-same-'));
let served: ServedApi;
let overHttp: Transport;

before(async () => {
  served = await serveApi({ dataDir: folder, port: 0, clock: systemClock, random: systemRandom, keys: realKeys });
  const token = readFileSync(join(folder, 'pki', 'admin.token'), 'utf8').trim();
  const caPem = served.authority.certificatePem;
  overHttp = httpTransport({ server: served.url, caPem, token: async () => token });
});

after(async () => {
  await served.close();
  rmSync(folder, { recursive: true });
});

const MAPS = '/api/v1/namespaces/default/configmaps';

function request(method: ApiRequest['method'], path: string, query = '', more: Partial<ApiRequest> = {}): ApiRequest {
  return { method, path, query, headers: {}, ...more };
}

const TABLE = { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' };
const READS: readonly ApiRequest[] = [
  request('GET', '/version'),
  request('GET', '/readyz'),
  request('GET', '/apis/apps'),
  request('GET', '/apis/apps/v1'),
  request('GET', '/api/v1/namespaces'),
  request('GET', '/api/v1/namespaces', '', { headers: TABLE }),
  request('GET', '/api/v1/namespaces', 'limit=1'),
  request('GET', '/api/v1/namespaces/kube-system', '', { headers: { accept: 'application/yaml' } }),
  request('GET', '/api/v1/namespaces/kube-system', '', { headers: { accept: 'application/vnd.kubernetes.protobuf' } }),
  request('GET', '/api/v1/namespaces/nowhere'),
  request('GET', '/api/v1/gadgets'),
  request('GET', '/apis/example.com/v1/gadgets'),
  request('GET', '/api/v1/pods', 'labelSelector=%21%21'),
  request('GET', '/api/v1/pods', '', { headers: { accept: 'text/html' } }),
  request('POST', MAPS, '', { headers: { 'content-type': 'application/json' }, body: Buffer.from('{') }),
  request('PUT', MAPS),
  request('PATCH', `${MAPS}/x`, '', { headers: { 'content-type': 'application/json' }, body: Buffer.from('{}') }),
];

test('every answer is the same in process and over HTTP', async () => {
  for (const asked of READS) {
    const [inProcess, http] = [await served.transport(asked), await overHttp(asked)];
    assert.deepEqual(seen(http), seen(inProcess), `${asked.method} ${asked.path}?${asked.query}`);
  }
});

test('a write and its warning are the same, but for what is new with each object', async () => {
  const make = (name: string): ApiRequest => {
    const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, strange: 1 };
    const headers = { 'content-type': 'application/json', 'user-agent': 'contract/1' };
    return request('POST', MAPS, '', { headers, body: Buffer.from(JSON.stringify(object)) });
  };

  const [inProcess, http] = [await served.transport(make('one')), await overHttp(make('two'))];

  assert.equal(http.headers.warning, '299 - "unknown field \\"strange\\""');
  assert.deepEqual([http.status, http.headers.warning], [inProcess.status, inProcess.headers.warning]);
  assert.equal(masked(http), masked(inProcess).replaceAll('one', 'two'));
});

test('a watch gives the same frames', async () => {
  const asked = request('GET', MAPS, 'watch=1&timeoutSeconds=30');
  const [inProcess, http] = [await served.transport(asked), await overHttp(asked)];

  const frames = async (response: ApiResponse): Promise<readonly unknown[]> => {
    const [one, two] = [await response.stream?.next(), await response.stream?.next()];
    response.stream?.close('enough');
    return [one, two].map(frame => JSON.parse(Buffer.from(frame ?? []).toString()));
  };
  assert.deepEqual(await frames(http), await frames(inProcess));
});

function seen({ status, headers, body }: ApiResponse): unknown {
  return { status, type: headers['content-type'], body: Buffer.from(body).toString('latin1') };
}

function masked({ body }: ApiResponse): string {
  return Buffer.from(body)
    .toString()
    .replaceAll(/"(uid|resourceVersion|creationTimestamp|time)":"[^"]*"/g, '"$1":"-"');
}
