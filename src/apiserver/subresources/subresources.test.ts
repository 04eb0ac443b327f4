import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ApiUnderTest, anApi, metaOf } from '../api-double.ts';
import type { ApiParts, JsonObject } from '../parts.ts';
import { objectAt } from '../rules/json.ts';

const PODS = '/api/v1/namespaces/default/pods';
const POD = `${PODS}/p`;

async function withPod(spec: JsonObject = {}, more: Partial<ApiParts> = {}): Promise<ApiUnderTest> {
  const api = await anApi(more);
  const full = { containers: [{ name: 'c', image: 'i' }], ...spec };
  await api.create(PODS, { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p', labels: { app: 'a' } }, spec: full });
  return api;
}

const binding = (node: string): JsonObject => ({
  apiVersion: 'v1',
  kind: 'Binding',
  metadata: { name: 'p', annotations: { why: 'free' } },
  target: { kind: 'Node', name: node },
});

test('a binding puts a Pod on its Node, once', async () => {
  const api = await withPod();

  const first = await api.create(`${POD}/binding`, binding('mac-0'));
  const second = await api.create(`${POD}/binding`, binding('mac-1'));
  const pod = await api.get(POD);

  assert.deepEqual([first.status, first.body.status], [201, 'Success']);
  assert.equal(objectAt(pod.body, 'spec').nodeName, 'mac-0');
  assert.equal(objectAt(metaOf(pod.body), 'annotations').why, 'free');
  assert.deepEqual(
    (objectAt(pod.body, 'status').conditions as JsonObject[]).map(
      ({ type, status }) => `${String(type)}=${String(status)}`,
    ),
    ['PodScheduled=True'],
  );
  assert.equal(
    second.body.message,
    'Operation cannot be fulfilled on pods/binding "p": pod p is already assigned to node "mac-0"',
  );
});

test('the old way to bind, by the name in the body, does the same', async () => {
  const api = await withPod();

  const answer = await api.create('/api/v1/namespaces/default/bindings', binding('mac-0'));

  assert.equal(answer.status, 201);
  assert.equal(objectAt((await api.get(POD)).body, 'spec').nodeName, 'mac-0');
});

test('a Pod that is being deleted is not bound', async () => {
  const api = await withPod();
  await api.patch(POD, { metadata: { finalizers: ['a.b/c'] } });
  await api.delete(POD);

  const answer = await api.create(`${POD}/binding`, binding('mac-0'));

  assert.equal(answer.status, 409);
});

const eviction = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: 'p' } };

async function withBudget(api: ApiUnderTest, disruptionsAllowed: number, more: JsonObject = {}): Promise<void> {
  const path = '/apis/policy/v1/namespaces/default/poddisruptionbudgets';
  const spec = { minAvailable: 1, selector: { matchLabels: { app: 'a' } }, ...more };
  await api.create(path, { apiVersion: 'policy/v1', kind: 'PodDisruptionBudget', metadata: { name: 'b' }, spec });
  const status = { disruptionsAllowed, desiredHealthy: 1, currentHealthy: 1, expectedPods: 1 };
  await api.patch(`${path}/b/status`, { status });
}

/** Too few are healthy, so that nothing is let go that counts. */
async function inNeed(api: ApiUnderTest, phase: string, more: JsonObject = {}): Promise<void> {
  await api.patch(`${POD}/status`, { status: { phase, conditions: [{ type: 'Ready', status: 'False' }] } });
  await withBudget(api, 0, more);
  const path = '/apis/policy/v1/namespaces/default/poddisruptionbudgets/b/status';
  await api.patch(path, { status: { currentHealthy: 0 } });
}

test('an unhealthy Pod of a budget in need stays, unless the budget always lets unhealthy ones go', async () => {
  const [kept, freed] = [await withPod({ nodeName: 'mac-0' }), await withPod({ nodeName: 'mac-0' })];
  await inNeed(kept, 'Running');
  await inNeed(freed, 'Running', { unhealthyPodEvictionPolicy: 'AlwaysAllow' });

  const answers = [await kept.create(`${POD}/eviction`, eviction), await freed.create(`${POD}/eviction`, eviction)];

  assert.deepEqual(
    answers.map(({ status }) => status),
    [429, 201],
  );
});

test('a Pod that has not begun is evicted whatever its budget says', async () => {
  const api = await withPod({ nodeName: 'mac-0' });
  await inNeed(api, 'Pending');

  assert.equal((await api.create(`${POD}/eviction`, eviction)).status, 201);
});

test('an eviction deletes the Pod with its grace', async () => {
  const api = await withPod({ nodeName: 'mac-0' });

  const answer = await api.create(`${POD}/eviction`, eviction);

  assert.deepEqual([answer.status, answer.body.status], [201, 'Success']);
  assert.equal(metaOf((await api.get(POD)).body).deletionGracePeriodSeconds, 30);
});

test('an eviction that a budget forbids is to be tried again later', async () => {
  const api = await withPod({ nodeName: 'mac-0' });
  await api.patch(`${POD}/status`, { status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] } });
  await withBudget(api, 0);

  const answer = await api.create(`${POD}/eviction`, eviction);

  assert.equal(answer.status, 429);
  assert.equal(answer.body.message, "Cannot evict pod as it would violate the pod's disruption budget.");
  assert.equal((await api.get(POD)).body.kind, 'Pod');
});

test('logs and exec answer one sentence that says why they cannot', async () => {
  const api = await withPod();

  const logs = await api.get(`${POD}/log`);
  const exec = await api.create(`${POD}/exec`, {});

  assert.equal(logs.status, 501);
  assert.equal(logs.body.message, 'pods/log is not available: this API server does not connect there');
  assert.equal(exec.body.reason, 'NotImplemented');
});

test('a subresource that a kind does not have is not found', async () => {
  const api = await withPod();

  assert.equal((await api.get(`${POD}/scale`)).status, 404);
});

test('a token is made by the part that signs, for the account and what it is bound to', async () => {
  const asked: unknown[] = [];
  const tokens: ApiParts['tokens'] = {
    issue: async ({ serviceAccount, bound }) => {
      asked.push(metaOf(serviceAccount).name, bound === undefined ? undefined : metaOf(bound).name);
      return { token: 'signed', expirationTimestamp: '2026-01-01T01:00:00Z' };
    },
  };
  const api = await withPod({}, { tokens });
  const accounts = '/api/v1/namespaces/default/serviceaccounts';
  await api.create(accounts, { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 's' } });
  const boundObjectRef = { kind: 'Pod', apiVersion: 'v1', name: 'p' };

  const answer = await api.create(`${accounts}/s/token`, {
    apiVersion: 'authentication.k8s.io/v1',
    kind: 'TokenRequest',
    spec: { boundObjectRef },
  });

  assert.equal(answer.status, 201);
  assert.deepEqual(objectAt(answer.body, 'status'), { token: 'signed', expirationTimestamp: '2026-01-01T01:00:00Z' });
  assert.deepEqual(asked, ['s', 'p']);
});

test('the approval of a certificate request changes its conditions and nothing else', async () => {
  const api = await anApi();
  const path = '/apis/certificates.k8s.io/v1/certificatesigningrequests';
  const spec = {
    request: 'aGk=',
    signerName: 'kubernetes.io/kube-apiserver-client',
    usages: ['client auth'],
    username: 'claimed',
  };
  const made = await api.create(path, {
    apiVersion: 'certificates.k8s.io/v1',
    kind: 'CertificateSigningRequest',
    metadata: { name: 'r' },
    spec,
  });

  const approved = await api.update(`${path}/r/approval`, {
    ...made.body,
    spec: { ...objectAt(made.body, 'spec'), signerName: 'other' },
    status: { certificate: 'Zm9yZ2Vk', conditions: [{ type: 'Approved', reason: 'ok', message: 'ok' }] },
  });

  assert.equal(objectAt(made.body, 'spec').username, 'admin');
  assert.equal(objectAt(approved.body, 'spec').signerName, 'kubernetes.io/kube-apiserver-client');
  assert.equal(objectAt(approved.body, 'status').certificate, undefined);
  assert.equal((objectAt(approved.body, 'status').conditions as JsonObject[])[0]?.status, 'True');
});
