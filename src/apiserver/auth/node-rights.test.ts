// A node's rights through the whole API (safe-18): what the parts refuse one by one, the server refuses together.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seededKeys } from '../../../sim/keys/seeded-keys.ts';
import { virtualClock } from '../../../sim/time/clock.ts';
import { seededRandom } from '../../../sim/time/random.ts';
import type { ApiRequest, Identity } from '../../kube/transport.ts';
import { createApi } from '../api.ts';
import { builtinSchema, resources } from '../builtin/index.ts';
import type { Json, JsonObject } from '../parts.ts';
import { memoryStore } from '../store-memory.ts';
import { accessParts } from './access-parts.ts';
import { textAt } from './fields.ts';

const ADMIN: Identity = { name: 'admin', groups: ['system:masters'] };
const MAC0: Identity = { name: 'system:node:mac-0', groups: ['system:nodes'] };
const CI = '/api/v1/namespaces/ci';

interface Answer {
  readonly code: number;
  readonly body: JsonObject;
}

type Ask = (method: ApiRequest['method'], path: string, body?: Json) => Promise<Answer>;

/** Two Macs, each with a Pod in `ci`; `as` asks as somebody. */
async function aFleet() {
  const random = seededRandom(1);
  const clock = virtualClock();
  const cryptography = seededKeys(random.stream('keys'));
  const tokenKey = await cryptography.pair();
  const api = await createApi({
    store: memoryStore(),
    clock,
    random,
    parts: stored => ({ resources, builtinSchema, ...accessParts({ stored, clock, random, cryptography, tokenKey }) }),
  });
  const as =
    (identity: Identity): Ask =>
    async (method, path, body) => {
      const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
      const answer = await api.transport({
        method,
        path,
        query: '',
        headers: { accept: 'application/json', 'content-type': type },
        identity,
        ...(body === undefined ? {} : { body: Buffer.from(JSON.stringify(body)) }),
      });
      return { code: answer.status, body: JSON.parse(Buffer.from(answer.body).toString('utf8')) };
    };
  const admin = as(ADMIN);
  await admin('POST', '/api/v1/namespaces', { metadata: { name: 'ci' } });
  for (const [pod, node] of [
    ['own', 'mac-0'],
    ['foreign', 'mac-1'],
  ] as const) {
    await admin('POST', '/api/v1/nodes', { metadata: { name: node } });
    await admin('POST', `${CI}/serviceaccounts`, { metadata: { name: pod } });
    const containers = [{ name: 'vm', image: 'macos' }];
    await admin('POST', `${CI}/pods`, {
      metadata: { name: pod },
      spec: { nodeName: node, serviceAccountName: pod, containers },
    });
  }
  return { admin, node: as(MAC0) };
}

const tokenRequest = (spec: JsonObject): JsonObject => ({
  apiVersion: 'authentication.k8s.io/v1',
  kind: 'TokenRequest',
  spec,
});

const said = ({ code, body }: Answer): string => `${code} ${textAt(body, 'message')}`;

test('A node stamps and holds its own Pod through pods/status, and takes its own finalizer off again', async () => {
  const { admin, node } = await aFleet();
  const stamp = { finalizers: ['tart-kubelet.tuist.dev/vm-cleanup'], annotations: { 'pippin.dev/host-id': 'x' } };

  const stamped = await node('PATCH', `${CI}/pods/own/status`, { metadata: stamp, status: { phase: 'Running' } });
  await admin('DELETE', `${CI}/pods/own`);
  const held = await admin('GET', `${CI}/pods/own`);
  await node('DELETE', `${CI}/pods/own`, { gracePeriodSeconds: 0 });
  await node('PATCH', `${CI}/pods/own/status`, { metadata: { finalizers: null } });

  assert.equal(stamped.code, 200);
  assert.equal(textAt(stamped.body, 'metadata', 'annotations', 'pippin.dev/host-id'), 'x');
  assert.equal(held.code, 200);
  assert.equal((await admin('GET', `${CI}/pods/own`)).code, 404);
});

const denied: readonly (readonly [string, ApiRequest['method'], string, Json | undefined, RegExp])[] = [
  [
    'the status of a foreign Pod',
    'PATCH',
    `${CI}/pods/foreign/status`,
    { status: { phase: 'Failed' } },
    /only update pod status for pods with spec.nodeName set to itself/,
  ],
  [
    'its own Pod itself',
    'PATCH',
    `${CI}/pods/own`,
    { metadata: { finalizers: ['a.b/c'] } },
    /cannot patch resource "pods"/,
  ],
  [
    'a foreign Pod away',
    'DELETE',
    `${CI}/pods/foreign`,
    undefined,
    /only delete pods with spec.nodeName set to itself/,
  ],
  [
    'an eviction of a foreign Pod',
    'POST',
    `${CI}/pods/foreign/eviction`,
    { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: 'foreign' } },
    /only evict pods with spec.nodeName set to itself/,
  ],
  [
    'another Node',
    'PATCH',
    '/api/v1/nodes/mac-1/status',
    { status: { phase: 'x' } },
    /is not allowed to modify node "mac-1"/,
  ],
  [
    'another lease',
    'POST',
    '/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases',
    { metadata: { name: 'mac-1' } },
    /only access node lease with the same name/,
  ],
  [
    'a Secret that no own Pod names',
    'GET',
    `${CI}/secrets/any`,
    undefined,
    /no relationship found between node 'mac-0' and this object/,
  ],
  [
    'a token that is bound to nothing',
    'POST',
    `${CI}/serviceaccounts/own/token`,
    tokenRequest({}),
    /token not bound to a pod/,
  ],
  [
    'a token of a foreign account',
    'POST',
    `${CI}/serviceaccounts/foreign/token`,
    tokenRequest({}),
    /no relationship found/,
  ],
  [
    'rights for itself',
    'POST',
    '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings',
    { metadata: { name: 'x' } },
    /cannot create resource "clusterrolebindings"/,
  ],
];

for (const [what, method, path, body, message] of denied) {
  test(`A node is refused ${what}`, async () => {
    const { node } = await aFleet();

    const answer = said(await node(method, path, body));

    assert.match(answer, /^403 /);
    assert.match(answer, message);
  });
}

test('A refused eviction leaves no mark on the foreign Pod', async () => {
  const { admin, node } = await aFleet();
  const before = await admin('GET', `${CI}/pods/foreign`);

  await node('POST', `${CI}/pods/foreign/eviction`, {
    apiVersion: 'policy/v1',
    kind: 'Eviction',
    metadata: { name: 'foreign' },
  });

  assert.deepEqual(await admin('GET', `${CI}/pods/foreign`), before);
});

test('A token that the Pod mounts is given to its node, filled in and bound', async () => {
  const { admin, node } = await aFleet();
  const volumes = [
    { name: 't', projected: { sources: [{ serviceAccountToken: { audience: 'runners', path: 't' } }] } },
  ];
  const containers = [{ name: 'vm', image: 'macos' }];
  const pod = {
    metadata: { name: 'mounting' },
    spec: { nodeName: 'mac-0', serviceAccountName: 'own', containers, volumes },
  };
  const created = await admin('POST', `${CI}/pods`, pod);
  const boundObjectRef = {
    apiVersion: 'v1',
    kind: 'Pod',
    name: 'mounting',
    uid: textAt(created.body, 'metadata', 'uid'),
  };

  const { code, body } = await node(
    'POST',
    `${CI}/serviceaccounts/own/token`,
    tokenRequest({ audiences: ['runners'], boundObjectRef }),
  );

  assert.equal(code, 201);
  assert.deepEqual(body.spec, { audiences: ['runners'], boundObjectRef, expirationSeconds: 3600 });
  assert.notEqual(textAt(body, 'status', 'token'), '');
});
