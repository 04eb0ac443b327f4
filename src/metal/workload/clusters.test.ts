// What is known of workload clusters: through which credentials, from when, and what is said when nothing is.

import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { minutes, seconds } from '../../base/clock.ts';
import { Cluster } from '../../kinds/generated/cluster.generated.ts';
import { Node } from '../../kube/core/node.ts';
import { Secret } from '../../kube/core/other.ts';
import { metadataOf } from '../../kube/kind.ts';
import { aMetalTest, kubeconfigText, type MetalTest, NS, putKubeconfig, type SimWorkload } from './world.testing.ts';

let metal: MetalTest;
let workload: SimWorkload;

beforeEach(async () => {
  metal = await aMetalTest([Cluster]);
  workload = await metal.workloadCluster('c1');
  await aCluster('c1');
});
afterEach(() => metal.stop());

const C1 = { namespace: NS, name: 'c1' };

async function aCluster(name: string): Promise<void> {
  const metadata = { name, namespace: NS };
  await metal.api.create(Cluster, { apiVersion: 'cluster.x-k8s.io/v1beta2', kind: 'Cluster', metadata, spec: {} });
  metal.world.workload.of(C1); // the first question starts the caches
  await metal.pass(0);
}

const aNode = (name: string, labels: Record<string, string> = {}): Node => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name, labels },
});

/** `known`, or the reason and the words. */
function view(name = 'c1'): string {
  const seen = metal.world.workload.of({ namespace: NS, name });
  return seen.known ? 'known' : `${seen.reason}: ${seen.why}`;
}

async function connected(): Promise<void> {
  await putKubeconfig(metal.api, 'c1', kubeconfigText('c1'));
  view();
  await metal.pass(100);
  assert.equal(view(), 'known');
}

const nodeNames = (): readonly string[] => {
  const seen = metal.world.workload.of(C1);
  return seen.known ? seen.nodes.list().map(({ metadata }) => metadata.name) : [];
};

test('a workload cluster is known once its Nodes are listed, and its Node watch is the only one', async () => {
  await workload.api.create(Node, aNode('n1'));

  await connected();

  assert.deepEqual(nodeNames(), ['n1']);
  for (let again = 0; again < 3; again++) view();
  await metal.pass(seconds(120));
  assert.deepEqual(metal.dialled, ['c1']);
  assert.equal(workload.watches.size, 1);
});

test('nobody connects to a cluster that nobody asks about', async () => {
  await aCluster('c2');
  await putKubeconfig(metal.api, 'c2', kubeconfigText('c2'));
  await metal.pass(seconds(60));

  assert.deepEqual(metal.dialled, []);
});

test('without a Cluster, a Secret or a kubeconfig in it, the view says which of them is missing', async () => {
  view();
  await metal.pass(100);
  assert.equal(view(), 'KubeconfigMissing: Secret metal/c1-kubeconfig has no kubeconfig');
  assert.equal(view('gone'), 'ClusterNotFound: there is no Cluster metal/gone');

  await putKubeconfig(metal.api, 'c1', '');
  await metal.pass(100);
  assert.match(view(), /^KubeconfigMissing/);

  await connected();
});

test('a kubeconfig that asks for a program or a file is refused by name, and nobody is dialled', async () => {
  const refusals: readonly [Parameters<typeof kubeconfigText>[1], RegExp][] = [
    [{ user: 'exec: {command: /bin/steal}' }, /^KubeconfigRefused: .*exec credentials/],
    [{ user: 'auth-provider: {name: gcp}' }, /^KubeconfigRefused: .*auth-provider credentials/],
    [{ user: 'tokenFile: /var/run/token' }, /^KubeconfigRefused: .*tokenFile: it names the file \/var\/run\/token/],
    [{ user: 'client-certificate: /etc/me.crt' }, /^KubeconfigRefused: .*client-certificate: it names the file/],
    [{ cluster: 'certificate-authority: /etc/ca.crt' }, /^KubeconfigRefused: .*certificate-authority: it names/],
  ];
  for (const [more, words] of refusals) {
    await putKubeconfig(metal.api, 'c1', kubeconfigText('c1', more));
    view();
    await metal.pass(100);
    assert.match(view(), words);
  }
  await putKubeconfig(metal.api, 'c1', 'current-context: [secret-token');
  await metal.pass(100);

  assert.match(view(), /^KubeconfigMalformed: .*is no YAML/);
  assert.doesNotMatch(view(), /secret-token/);
  assert.deepEqual(metal.dialled, []);
});

test('a Secret that changes is read again, and only the new credentials are in use', async () => {
  await connected();
  const other = await metal.workloadCluster('elsewhere');
  await other.api.create(Node, aNode('n-elsewhere'));

  await putKubeconfig(metal.api, 'c1', kubeconfigText('elsewhere'));
  await metal.pass(100);

  assert.equal(view(), 'known');
  assert.deepEqual(nodeNames(), ['n-elsewhere']);
  assert.equal(workload.watches.size, 0);
  assert.equal(other.watches.size, 1);
});

test('a Secret that is touched without another kubeconfig keeps its connection', async () => {
  await connected();

  await metal.api.patch(Secret, { namespace: NS, name: 'c1-kubeconfig' }, { metadata: { labels: { touched: 'yes' } } });
  await metal.pass(100);

  assert.deepEqual(metal.dialled, ['c1']);
});

test('after a 401 the Secret is read again, though no label led to its change', async () => {
  await connected();
  const patch = { metadata: { labels: { 'cluster.x-k8s.io/cluster-name': null } } };
  await metal.api.patch(Secret, { namespace: NS, name: 'c1-kubeconfig' }, patch);
  await metal.pass(seconds(10));
  const data = { value: Buffer.from(kubeconfigText('c1', { token: 'newer' })).toString('base64') };
  await metal.api.patch(Secret, { namespace: NS, name: 'c1-kubeconfig' }, { data });
  workload.tokens.clear();
  workload.tokens.add('newer');
  await metal.pass(seconds(1));
  assert.deepEqual(metal.dialled, ['c1']);

  const seen = metal.world.workload.of(C1);
  assert.ok(seen.known);
  await assert.rejects(seen.api.list(Node));
  assert.match(view(), /^Unauthorized: its API refuses the credentials of Secret metal\/c1-kubeconfig/);
  await metal.pass(seconds(1));

  assert.equal(view(), 'known');
});

test('a server that answers 401 to everything causes a read of the Secret every few seconds at most', async () => {
  await connected();
  workload.tokens.clear();
  for (const stream of workload.watches) stream.close('the server was restarted');
  const reads: number[] = [];
  metal.world.workload.onChange(() => reads.push(metal.clock.now()));

  await metal.pass(seconds(300));

  assert.match(view(), /^Unauthorized/);
  assert.ok(reads.length < 5, `told ${reads.length} times`);
  assert.deepEqual(metal.dialled, ['c1']);
});

test('a dead API is unknown until it answers again, and no other cluster suffers', async () => {
  await connected();
  const second = await metal.workloadCluster('c2');
  await aCluster('c2');
  await putKubeconfig(metal.api, 'c2', kubeconfigText('c2'));
  view('c2');
  await metal.pass(100);
  workload.trouble = 'dead';
  for (const stream of workload.watches) stream.close('power is off');

  await metal.pass(seconds(60));

  assert.match(view(), /^Unreachable: its API does not answer: .*connection refused/);
  assert.equal(view('c2'), 'known');
  assert.equal(second.watches.size, 1);

  workload.trouble = undefined;
  await metal.pass(seconds(60));
  assert.equal(view(), 'known');
});

test('an API in trouble and one that refuses the Node list say so', async () => {
  await connected();
  for (const stream of workload.watches) stream.close('over');
  workload.trouble = 503;
  await metal.pass(seconds(60));
  assert.equal(view(), 'Unreachable: its API answers 503');

  workload.trouble = 403;
  await metal.pass(seconds(60));
  assert.equal(view(), 'Forbidden: its kubeconfig may not list and watch Nodes');
});

test('a connection is closed with its Cluster, and a new Cluster of that name gets its own', async () => {
  await connected();

  await metal.api.delete(Cluster, C1);
  await metal.pass(100);

  assert.match(view(), /^ClusterNotFound/);
  assert.equal(workload.watches.size, 0);
  const before = workload.requests.length;
  await metal.pass(seconds(300));
  assert.equal(workload.requests.length, before);

  await aCluster('c1');
  await metal.pass(100);
  assert.equal(view(), 'known');
  assert.deepEqual(metal.dialled, ['c1', 'c1']);
});

test('listeners are told of a cluster and of Nodes that change, but never of heartbeats', async () => {
  await connected();
  const told: string[] = [];
  metal.world.workload.onChange((cluster, node) => told.push(`${cluster.name} ${node?.metadata.name ?? ''}`));

  await workload.api.create(Node, aNode('n1'));
  await metal.pass(100);
  await beat('True', '2026-01-01T00:00:00Z');
  assert.deepEqual(told, ['c1 n1', 'c1 n1']);

  await beat('True', '2026-01-01T00:05:00Z');
  assert.deepEqual(told, ['c1 n1', 'c1 n1']);

  await workload.api.patch(Node, { name: 'n1' }, { spec: { providerID: 'metal3://x' } });
  await workload.api.delete(Node, { name: 'n1' });
  await metal.pass(100);

  assert.deepEqual(told, ['c1 n1', 'c1 n1', 'c1 n1', 'c1 n1']);
});

async function beat(status: 'True' | 'False', lastHeartbeatTime: string): Promise<void> {
  const conditions = [{ type: 'Ready', status, lastHeartbeatTime }];
  await workload.api.patch(Node, { name: 'n1' }, { status: { conditions } }, { subresource: 'status' });
  await metal.pass(100);
}

test('of Secrets only metadata reaches the cache', async () => {
  await connected();

  const cached = metal.world.caches.of(metadataOf(Secret), { labels: 'cluster.x-k8s.io/cluster-name' }).list();

  assert.deepEqual(
    cached.map(({ kind, apiVersion, metadata }) => `${apiVersion} ${kind} ${metadata.name}`),
    ['v1 Secret c1-kubeconfig'],
  );
  assert.doesNotMatch(JSON.stringify(cached), /"value"/);
});

test('before anybody asks nothing is read: where Clusters are not served that would be in vain, again and again', async () => {
  const asked: string[] = [];
  const t = await aMetalTest([], next => request => {
    asked.push(request.path);
    return next(request);
  });

  await t.pass(minutes(1));

  assert.deepEqual(asked, []);
  await t.stop();
});
