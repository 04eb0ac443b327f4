// The client: what goes over the wire, and how each answer reads.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { virtualClock } from '../../sim/time/clock.ts';
import { client } from './client.ts';
import { Node } from './core/node.ts';
import { Pod } from './core/pod.ts';
import { ApiError, isConflict, isUnavailable } from './errors.ts';
import { kindOf } from './kind.ts';
import type { ApiRequest, ApiResponse, Transport } from './transport.ts';

const machines = kindOf('cluster.x-k8s.io/v1beta1', 'Machine', 'machines', 'Namespaced');
const clock = virtualClock();

function answer(status: number, body: unknown, headers: Record<string, string> = {}): ApiResponse {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return { status, headers, body: new TextEncoder().encode(text) };
}

/** Answers in turn and keeps what was asked. */
function script(...answers: readonly ApiResponse[]): { transport: Transport; asked: ApiRequest[] } {
  const asked: ApiRequest[] = [];
  const transport: Transport = async request => {
    asked.push(request);
    return answers[asked.length - 1] ?? answer(500, 'no more answers');
  };
  return { transport, asked };
}

function notFound(details: unknown): ApiResponse {
  return answer(404, { kind: 'Status', apiVersion: 'v1', reason: 'NotFound', code: 404, details });
}

const page = (version: string, names: readonly string[], token = ''): ApiResponse =>
  answer(200, {
    metadata: { resourceVersion: version, continue: token },
    items: names.map(name => ({ metadata: { name, namespace: 'default' } })),
  });

const expired = answer(410, { kind: 'Status', apiVersion: 'v1', reason: 'Expired', code: 410 });

test('absence is a NotFound that names this resource, group and name (safe-1)', async () => {
  const { transport } = script(notFound({ name: 'm', group: 'cluster.x-k8s.io', kind: 'machines' }));

  assert.equal(await client(transport, { clock }).find(machines, { namespace: 'a', name: 'm' }), undefined);
});

for (const [why, reply] of Object.entries({
  'a plain 404 (the kind is not served)': answer(404, '404 page not found'),
  'a NotFound without details': notFound(undefined),
  'a NotFound of another name': notFound({ name: 'other', group: 'cluster.x-k8s.io', kind: 'machines' }),
  'a NotFound of another group': notFound({ name: 'm', kind: 'machines' }),
  'a refusal': answer(403, { kind: 'Status', apiVersion: 'v1', reason: 'Forbidden', code: 403 }),
})) {
  test(`${why} is not absence`, async () => {
    const { transport } = script(reply);

    await assert.rejects(client(transport, { clock }).find(machines, { namespace: 'a', name: 'm' }), ApiError);
  });
}

test('a list reads all pages and types every item', async () => {
  const { transport, asked } = script(page('7', ['a', 'b'], 'next'), page('7', ['c']));

  const list = await client(transport, { clock }).list(Pod, { namespace: 'default', fields: 'spec.nodeName=mac-0' });

  assert.deepEqual(
    list.items.map(pod => `${pod.apiVersion} ${pod.kind} ${pod.metadata.name}`),
    ['v1 Pod a', 'v1 Pod b', 'v1 Pod c'],
  );
  assert.equal(list.resourceVersion, '7');
  assert.deepEqual(
    asked.map(request => `${request.path}?${request.query}`),
    [
      '/api/v1/namespaces/default/pods?fieldSelector=spec.nodeName%3Dmac-0&limit=500',
      '/api/v1/namespaces/default/pods?fieldSelector=spec.nodeName%3Dmac-0&limit=500&continue=next',
    ],
  );
});

test('a list whose token expires starts over, and in the end reads in one piece', async () => {
  const { transport, asked } = script(page('7', ['a'], 't'), expired, page('8', ['a'], 't'), expired, page('9', ['b']));

  const list = await client(transport, { clock }).list(Pod);

  assert.deepEqual([list.resourceVersion, list.items.map(pod => pod.metadata.name)], ['9', ['b']]);
  assert.equal(asked[4]?.query, '');
});

test('pages of different states are never joined', async () => {
  const { transport } = script(page('7', ['a'], 't'), page('8', ['b']), page('9', ['a', 'b']));

  const list = await client(transport, { clock }).list(Pod);

  assert.equal(list.resourceVersion, '9');
});

test('a page that fails fails the list (safe-3)', async () => {
  const { transport } = script(page('7', ['a'], 't'), answer(500, 'broken'));

  await assert.rejects(client(transport, { clock }).list(Pod), { httpStatus: 500 });
});

test('a delete carries its preconditions', async () => {
  const { transport, asked } = script(answer(200, {}));

  await client(transport, { clock }).delete(Node, { name: 'mac-0' }, { uid: 'u1', graceSeconds: 0 });

  assert.deepEqual(JSON.parse(new TextDecoder().decode(asked[0]?.body)), {
    apiVersion: 'v1',
    kind: 'DeleteOptions',
    gracePeriodSeconds: 0,
    preconditions: { uid: 'u1' },
  });
});

test('a patch says its type and subresource', async () => {
  const { transport, asked } = script(answer(200, {}), answer(200, {}));
  const api = client(transport, { clock });

  await api.patch(Pod, { namespace: 'd', name: 'p' }, { status: {} }, { subresource: 'status' });
  await api.patch(Pod, { namespace: 'd', name: 'p' }, {}, { type: 'apply', fieldManager: 'agent', force: true });

  assert.deepEqual(
    asked.map(request => [request.path, request.query, request.headers['content-type']]),
    [
      ['/api/v1/namespaces/d/pods/p/status', '', 'application/merge-patch+json'],
      ['/api/v1/namespaces/d/pods/p', 'fieldManager=agent&force=true', 'application/apply-patch+yaml'],
    ],
  );
});

test('a refusal keeps the status, its reason and how long to wait', async () => {
  const conflict = { kind: 'Status', apiVersion: 'v1', reason: 'Conflict', code: 409, message: 'changed' };
  const { transport } = script(answer(409, conflict, { 'retry-after': '7' }));

  await assert.rejects(client(transport, { clock }).create(Node, aNode), error => {
    assert.ok(isConflict(error));
    assert.deepEqual([error.retry, error.retryAfterMs], ['conflict', 7000]);
    return true;
  });
});

test('an answer that does not come within the deadline is Unavailable, and the request is given up', async () => {
  const own = virtualClock();
  let signal: AbortSignal | undefined;
  const api = client(
    request => {
      signal = request.signal;
      return new Promise(() => undefined);
    },
    { clock: own, timeoutMs: 5000 },
  );

  const asking = assert.rejects(api.get(Node, { name: 'mac-0' }), isUnavailable);
  await own.advance(5000);
  await asking;

  assert.equal(signal?.aborted, true);
  assert.deepEqual(own.pending(), []);
});

test('a connection that breaks is Unavailable, and an answer that is not JSON says so', async () => {
  const broken: Transport = () => Promise.reject(new Error('connect ECONNREFUSED'));
  await assert.rejects(client(broken, { clock }).get(Node, { name: 'n' }), isUnavailable);

  const { transport } = script(answer(200, '<html>'));
  await assert.rejects(client(transport, { clock }).get(Node, { name: 'n' }), {
    code: 'PIPPIN_E_API_ANSWER_UNREADABLE',
  });
});

test('a kind is served when discovery lists it; a refusal to say is no answer', async () => {
  const groups = answer(200, {
    kind: 'APIGroupList',
    groups: [{ name: 'cluster.x-k8s.io', versions: [{ version: 'v1beta1' }] }],
  });
  const resources = answer(200, { kind: 'APIResourceList', resources: [{ name: 'machines' }] });
  const none = answer(200, { kind: 'APIGroupList', groups: [] });

  assert.equal(await client(script(groups, resources).transport, { clock }).serves(machines), true);
  assert.equal(await client(script(none).transport, { clock }).serves(machines), false);
  await assert.rejects(client(script(answer(503, '')).transport, { clock }).serves(machines), ApiError);
  await assert.rejects(client(script(groups, answer(404, '')).transport, { clock }).serves(machines), ApiError);
});

const aNode: Node = { apiVersion: 'v1', kind: 'Node', metadata: { name: 'mac-0' } };
