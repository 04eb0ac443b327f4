// What the API keeps of itself is there in tests, too, and what an interruption left half done is put right at the start.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemClock } from '../adapters/system/clock.ts';
import { systemRandom } from '../adapters/system/random.ts';
import { memoryStore } from '../apiserver/store-memory.ts';
import { inProcessApi } from './api.ts';
import { startApi } from './testing/index.ts';

const NETWORKING = '/apis/networking.k8s.io/v1';
const RBAC = '/apis/rbac.authorization.k8s.io/v1';
const SYSTEM = '/api/v1/namespaces/kube-system/configmaps';
const ADDRESSES = 'ipaddresses.networking.k8s.io';

test('an API for tests has what kube-apiserver creates by itself', async () => {
  await using api = await startApi();
  const paths = [
    '/api/v1/namespaces/default/services/kubernetes',
    `${NETWORKING}/ipaddresses/10.0.0.1`,
    `${NETWORKING}/servicecidrs/kubernetes`,
    `${SYSTEM}/kube-apiserver-legacy-service-account-token-tracking`,
    `${RBAC}/clusterroles/system:controller:disruption-controller`,
    `${RBAC}/clusterrolebindings/system:controller:disruption-controller`,
    `${RBAC}/namespaces/kube-public/roles/system:controller:bootstrap-signer`,
    `${RBAC}/namespaces/kube-system/rolebindings/system::extension-apiserver-authentication-reader`,
  ];

  const statuses = await Promise.all(paths.map(async path => (await api.request({ path })).status));
  const trusted = await api.request({ path: `${SYSTEM}/extension-apiserver-authentication` });

  assert.deepEqual(
    statuses,
    paths.map(() => 200),
  );
  assert.equal(trusted.json<{ data: Record<string, string> }>().data['client-ca-file'], api.caPem);
});

test('the controllers beside it write under rights of their own, and no more', async () => {
  await using api = await startApi({ controllers: ['disruption'] });
  const { status, json } = await api.request({ path: `${RBAC}/clusterroles/pippin.dev:controller:disruption` });

  assert.equal(status, 200);
  assert.deepEqual(json<{ rules: unknown }>().rules, [
    { apiGroups: ['policy'], resources: ['poddisruptionbudgets/status'], verbs: ['update'] },
  ]);
});

test('a start frees an address whose Service is gone, and writes down that of one that has none', async () => {
  const store = memoryStore();
  const service = {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { namespace: 'default', name: 'kept' },
    spec: { clusterIPs: ['10.0.0.20'] },
  };
  const orphan = {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'IPAddress',
    metadata: { name: '10.0.0.21', labels: { 'ipaddress.kubernetes.io/managed-by': 'ipallocator.k8s.io' } },
    spec: { parentRef: { resource: 'services', namespace: 'default', name: 'gone' } },
  };
  const byHand = { ...orphan, metadata: { name: '10.0.0.22' } };
  await store.write({ storage: 'services', namespace: 'default', name: 'kept', expected: 0, object: service });
  for (const object of [orphan, byHand])
    await store.write({ storage: ADDRESSES, namespace: '', name: object.metadata.name, expected: 0, object });

  const { close } = await inProcessApi({ store, clock: systemClock, random: systemRandom });
  const names = store.range(ADDRESSES)?.rows.map(({ name }) => name);
  await close();

  assert.deepEqual(names, ['10.0.0.20', '10.0.0.22']);
});

test('of two Services that ask for one address at once, one gets it, and what the other took is free again', async () => {
  await using api = await startApi();
  const path = '/api/v1/namespaces/default/services';
  const asking = (name: string, clusterIP: string) =>
    api.request({
      method: 'POST',
      path,
      body: { metadata: { name }, spec: { clusterIP, ports: [{ port: 80 }] } },
    });

  const answers = await Promise.all([asking('same', '10.0.0.30'), asking('same', '10.0.0.31')]);
  const { items } = (await api.request({ path: `${NETWORKING}/ipaddresses` })).json<{
    items: readonly { metadata: { name: string } }[];
  }>();

  assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 409]);
  const held = answers[0]?.status === 201 ? '10.0.0.30' : '10.0.0.31';
  assert.deepEqual(
    items.map(({ metadata }) => metadata.name),
    ['10.0.0.1', held],
  );
});
