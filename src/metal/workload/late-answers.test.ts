// Answers about a workload cluster that come late, or not at all: none of them undoes what is known by now.

import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { seconds } from '../../base/clock.ts';
import { Cluster } from '../../kinds/generated/cluster.generated.ts';
import { Node } from '../../kube/core/node.ts';
import { Secret } from '../../kube/core/other.ts';
import { aMetalTest, kubeconfigText, type MetalTest, NS, putKubeconfig, type SimWorkload } from './world.testing.ts';

const C1 = { namespace: NS, name: 'c1' };
const SECRET = { namespace: NS, name: 'c1-kubeconfig' };

let metal: MetalTest;
let workload: SimWorkload;
/** How the management cluster answers those who read the Secret. */
let reading: { answered: Promise<void>; status: number | undefined };

beforeEach(async () => {
  reading = { answered: Promise.resolve(), status: undefined };
  metal = await aMetalTest([Cluster], next => async request => {
    if (request.method !== 'GET' || !request.path.endsWith('/secrets/c1-kubeconfig')) return next(request);
    const { answered, status } = reading;
    const answer = await next(request);
    await answered;
    return status === undefined ? answer : { status, headers: {}, body: new Uint8Array() };
  });
  workload = await metal.workloadCluster('c1');
  const metadata = { ...C1 };
  await metal.api.create(Cluster, { apiVersion: 'cluster.x-k8s.io/v1beta2', kind: 'Cluster', metadata, spec: {} });
  await putKubeconfig(metal.api, 'c1', kubeconfigText('c1'));
  metal.world.workload.of(C1); // the first question starts the caches
  await metal.pass(0);
});
afterEach(() => metal.stop());

/** `known`, or the reason and the words. */
function view(): string {
  const seen = metal.world.workload.of(C1);
  return seen.known ? 'known' : `${seen.reason}: ${seen.why}`;
}

async function connected(): Promise<void> {
  view();
  await metal.pass(100);
  assert.equal(view(), 'known');
}

test('nobody connects to a cluster whose Cluster went while its Secret was read', async () => {
  const gate = Promise.withResolvers<void>();
  reading = { answered: gate.promise, status: undefined };
  view();
  await metal.pass(100);

  await metal.api.delete(Cluster, C1);
  await metal.pass(100);
  gate.resolve();
  await metal.pass(seconds(60));

  assert.deepEqual(metal.dialled, []);
  assert.match(view(), /^ClusterNotFound/);
});

test('a Secret that changes while it is read is read once more', async () => {
  await metal.workloadCluster('elsewhere');
  const gate = Promise.withResolvers<void>();
  reading = { answered: gate.promise, status: undefined };
  view();
  await metal.pass(100);

  await putKubeconfig(metal.api, 'c1', kubeconfigText('elsewhere'));
  await metal.pass(100);
  reading = { answered: Promise.resolve(), status: undefined };
  gate.resolve();
  await metal.pass(100);

  assert.deepEqual(metal.dialled, ['c1', 'elsewhere']);
  assert.equal(view(), 'known');
});

test('what the server before refuses says nothing about the one that is connected now', async () => {
  await connected();
  const before = metal.world.workload.of(C1);
  assert.ok(before.known);
  await metal.workloadCluster('elsewhere');
  await putKubeconfig(metal.api, 'c1', kubeconfigText('elsewhere'));
  await metal.pass(100);

  workload.tokens.clear();
  await assert.rejects(before.api.list(Node));

  assert.equal(view(), 'known');
});

test('a Secret that cannot be read leaves a connection as it is, and is named where there is none', async () => {
  await connected();
  reading = { answered: Promise.resolve(), status: 503 };
  await metal.api.patch(Secret, SECRET, { metadata: { labels: { touched: 'yes' } } });
  await metal.pass(seconds(10));
  assert.equal(view(), 'known');

  await metal.api.delete(Cluster, C1);
  await metal.pass(100);
  const metadata = { ...C1 };
  await metal.api.create(Cluster, { apiVersion: 'cluster.x-k8s.io/v1beta2', kind: 'Cluster', metadata, spec: {} });
  await metal.pass(100);
  view();
  await metal.pass(seconds(1));
  assert.match(view(), /^KubeconfigUnread: Secret metal\/c1-kubeconfig cannot be read/);

  reading = { answered: Promise.resolve(), status: undefined };
  await metal.pass(seconds(31));
  assert.equal(view(), 'known');
});
