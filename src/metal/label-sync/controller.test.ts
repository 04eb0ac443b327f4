// Labels of hosts on their Nodes: which are carried over, which are taken away, and what holds it up.

import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { minutes, seconds } from '../../base/clock.ts';
import { BareMetalHost } from '../../kinds/generated/bare-metal-host.generated.ts';
import { Cluster } from '../../kinds/generated/cluster.generated.ts';
import { Machine } from '../../kinds/generated/machine.generated.ts';
import { Metal3Cluster } from '../../kinds/generated/metal3-cluster.generated.ts';
import { Metal3Machine } from '../../kinds/generated/metal3-machine.generated.ts';
import { LABEL_SYNC_PREFIXES_ANNOTATION } from '../../kinds/metal-wire.ts';
import { Node } from '../../kube/core/node.ts';
import { controller, keyController } from '../../kube/run.ts';
import { metal3Cluster } from '../cluster/controller.ts';
import { aHostInUse, aMetalCluster, HOST_KINDS } from '../host-in-use.testing.ts';
import { at, said } from '../objects.testing.ts';
import { aMetalTest, type MetalTest, type SimWorkload } from '../workload/world.testing.ts';
import { metal3LabelSync } from './controller.ts';

let metal: MetalTest;
let workload: SimWorkload;

beforeEach(async () => {
  metal = await aMetalTest(HOST_KINDS);
  workload = await aMetalCluster(metal, { [LABEL_SYNC_PREFIXES_ANNOTATION]: 'rack.example.com, power' });
  metal.run(keyController(metal3LabelSync), controller(metal3Cluster));
});
afterEach(() => metal.stop());

const labelsOf = async (node = 'n1'): Promise<Record<string, string>> => ({
  ...(await workload.api.get(Node, { name: node })).metadata.labels,
});

const setPrefixes = (text: string | null): Promise<unknown> =>
  metal.api.patch(Metal3Cluster, at('c'), { metadata: { annotations: { [LABEL_SYNC_PREFIXES_ANNOTATION]: text } } });

test('labels under a prefix are made those of the host, stale ones taken away, all others left', async () => {
  await aHostInUse(metal, workload, 1, {
    hostLabels: { 'rack.example.com/row': '7', 'power/feed': 'a', 'other/x': '1', rack: 'bare' },
    nodeLabels: { 'rack.example.com/old': 'yes', 'power/feed': 'b', 'kept/by': 'hand', power: 'bare' },
  });

  await metal.pass(seconds(2));

  assert.deepEqual(await labelsOf(), {
    'rack.example.com/row': '7',
    'power/feed': 'a',
    'kept/by': 'hand',
    power: 'bare',
  });
});

test('a change of the host, and one of the Node, is followed within seconds', async () => {
  await aHostInUse(metal, workload, 1, { hostLabels: { 'power/feed': 'a' } });
  await metal.pass(seconds(2));

  await metal.api.patch(BareMetalHost, at('h1'), { metadata: { labels: { 'power/feed': 'b' } } });
  await metal.pass(seconds(1));
  assert.deepEqual(await labelsOf(), { 'power/feed': 'b' });

  await workload.api.patch(Node, { name: 'n1' }, { metadata: { labels: { 'power/feed': 'mine', 'power/new': '1' } } });
  await metal.pass(seconds(1));
  assert.deepEqual(await labelsOf(), { 'power/feed': 'b' });
});

test('without prefixes nothing is written, and nobody connects', async () => {
  await setPrefixes(null);
  await aHostInUse(metal, workload, 1, { hostLabels: { 'power/feed': 'a' } });
  await metal.pass(minutes(1));
  assert.deepEqual(metal.dialled, []);

  await setPrefixes('power');
  await metal.pass(seconds(2));

  assert.deepEqual(await labelsOf(), { 'power/feed': 'a' });
});

test('a prefix that is none stops the sync, and the Metal3Cluster names it until it is corrected', async () => {
  await setPrefixes('power,Not A Prefix');
  await aHostInUse(metal, workload, 1, { hostLabels: { 'power/feed': 'a' } });
  await metal.pass(seconds(2));
  const condition = said(await metal.api.get(Metal3Cluster, at('c')), 'LabelSyncPrefixesValid');
  assert.match(condition, /^False PrefixInvalid: .*"Not A Prefix" is none/);
  assert.deepEqual(await labelsOf(), {});

  await setPrefixes('power');
  await metal.pass(seconds(2));

  assert.deepEqual(await labelsOf(), { 'power/feed': 'a' });
  assert.match(said(await metal.api.get(Metal3Cluster, at('c')), 'LabelSyncPrefixesValid'), /^True/);
});

test('a Machine without a Node is waited for, and its Node is labelled when it comes', async () => {
  const { machine } = await aHostInUse(metal, workload, 1, { hostLabels: { 'power/feed': 'a' } });
  const key = { namespace: machine.metadata.namespace ?? '', name: 'm1' };
  await metal.api.patch(Machine, key, { status: { nodeRef: null } }, { subresource: 'status' });
  await metal.pass(minutes(2));
  assert.deepEqual(await labelsOf(), {});

  await metal.api.patch(Machine, key, { status: { nodeRef: { name: 'n1' } } }, { subresource: 'status' });
  await metal.pass(seconds(2));

  assert.deepEqual(await labelsOf(), { 'power/feed': 'a' });
});

test('a host that nobody uses, and one of another consumer, have no Node', async () => {
  await aHostInUse(metal, workload, 1);
  await aHostInUse(metal, workload, 2);
  const labels = { 'power/feed': 'a' };
  const consumerRef = { kind: 'Other', apiVersion: 'x/v1' };
  await metal.api.patch(BareMetalHost, at('h1'), { metadata: { labels }, spec: { consumerRef: null } });
  await metal.api.patch(BareMetalHost, at('h2'), { metadata: { labels }, spec: { consumerRef } });

  await metal.pass(minutes(2));

  assert.deepEqual(await labelsOf('n1'), {});
  assert.deepEqual(await labelsOf('n2'), {});
});

for (const [name, pause, resume] of [
  ['its Cluster', () => pauseCluster(true), () => pauseCluster(false)],
  ['its Metal3Machine', () => annotate('cluster.x-k8s.io/paused', ''), () => annotate('cluster.x-k8s.io/paused', null)],
] as const) {
  test(`nothing is written while ${name} is paused, and all is made good when it is resumed`, async () => {
    await aHostInUse(metal, workload, 1, { hostLabels: { 'power/feed': 'a' } });
    await pause();
    await metal.pass(minutes(5));
    assert.deepEqual(await labelsOf(), {});

    await resume();
    await metal.pass(seconds(2));
    assert.deepEqual(await labelsOf(), { 'power/feed': 'a' });
  });
}

const pauseCluster = (paused: boolean): Promise<unknown> => metal.api.patch(Cluster, at('c'), { spec: { paused } });
const annotate = (annotation: string, value: string | null): Promise<unknown> =>
  metal.api.patch(Metal3Machine, at('m1'), { metadata: { annotations: { [annotation]: value } } });

test('a dead workload cluster delays the sync and nothing else, until it answers again', async () => {
  workload.trouble = 'dead';
  await aHostInUse(metal, workload, 1, { hostLabels: { 'power/feed': 'a' } });
  await metal.pass(minutes(5));
  assert.deepEqual(await labelsOf(), {});

  workload.trouble = undefined;
  await metal.pass(minutes(1));

  assert.deepEqual(await labelsOf(), { 'power/feed': 'a' });
});

test('labels that are in place are not written again', async () => {
  await aHostInUse(metal, workload, 1, { hostLabels: { 'power/feed': 'a' } });
  await metal.pass(seconds(2));
  const before = workload.requests.filter(request => request.startsWith('PATCH')).length;

  await metal.pass(minutes(20));

  assert.equal(workload.requests.filter(request => request.startsWith('PATCH')).length, before);
});
