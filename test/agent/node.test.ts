// The Node of a Mac: registered, kept current, never fought over, and renewed when it was deleted.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { goldenLabel, goldenName } from '../../src/agent/images/golden.ts';
import { kubeTime } from '../../src/base/clock.ts';
import { Lease, Node } from '../../src/kube/core/node.ts';
import {
  type AgentTestOptions,
  type AgentTestWorld,
  agentTestWorld,
  IMAGE,
  isRunning,
  NODE,
  PROVIDER_ID,
} from './agent-world.ts';

const worlds: AgentTestWorld[] = [];
after(() => Promise.all(worlds.map(world => world.close())));

async function aWorld(options: AgentTestOptions = {}): Promise<AgentTestWorld> {
  const world = await agentTestWorld(options);
  worlds.push(world);
  return world;
}

const LEASE = { namespace: 'kube-node-lease', name: NODE };
const GOLDEN = goldenLabel(goldenName(IMAGE));
const condition = (node: Node | undefined, type: string) => node?.status?.conditions?.find(each => each.type === type);

test('a Mac registers as a tainted Node with its identity, capacity, address and conditions', async () => {
  const world = await aWorld();

  const node = await world.node();

  assert.equal(node?.spec?.providerID, PROVIDER_ID);
  assert.deepEqual(node?.spec?.taints?.[0], { key: 'tuist.dev/macos', value: 'true', effect: 'NoSchedule' });
  assert.equal(node?.metadata.labels?.['tuist.dev/runtime'], 'tart');
  assert.equal(node?.metadata.labels?.['tuist.dev/fleet'], 'builders');
  assert.deepEqual(node?.status?.addresses, [
    { type: 'InternalIP', address: '10.0.0.5' },
    { type: 'Hostname', address: NODE },
  ]);
  assert.equal(node?.status?.capacity?.memory, '16Gi');
  assert.equal(condition(node, 'Ready')?.reason, 'TartKubeletReady');
  assert.equal(condition(node, 'DiskPressure')?.status, 'False');
});

test("the Node says which bases it has, drops labels of ours that are no longer true, and leaves others' alone", async () => {
  const world = await aWorld();
  const labels = { 'tuist.dev/golden-0000000000000000': 'true', 'example.com/rack': '7' };
  await world.api.patch(Node, { name: NODE }, { metadata: { labels } });
  await world.pod('web');
  await world.until('web', isRunning);

  await world.clock.advance(31_000);

  const has = (await world.node())?.metadata.labels;
  assert.equal(has?.[GOLDEN], 'true');
  assert.equal(has?.['example.com/rack'], '7');
  assert.equal(has?.['tuist.dev/golden-0000000000000000'], undefined);
  assert.equal(condition(await world.node(), 'Ready')?.status, 'True', 'labels cost no status');
});

test('conditions of others stay, and a Node that was marked Unknown is lifted out of it', async () => {
  const world = await aWorld();
  const node = await world.node();
  const others = { type: 'example.com/Cooling', status: 'True' as const, reason: 'Fans' };
  const conditions = [
    ...(node?.status?.conditions ?? []).map(each =>
      each.type === 'Ready' ? { ...each, status: 'Unknown' as const } : each,
    ),
    others,
  ];
  await world.api.patch(Node, { name: NODE }, { status: { conditions } }, { subresource: 'status' });

  await world.clock.advance(31_000);

  const after = await world.node();
  assert.equal(condition(after, 'Ready')?.status, 'True');
  assert.equal(condition(after, 'example.com/Cooling')?.reason, 'Fans');
});

test('the Lease is renewed every ten seconds, is owned by the Node, and survives what others write to it', async () => {
  const world = await aWorld();
  await world.clock.advance(20_000);
  const first = await world.api.get(Lease, LEASE);
  await world.api.patch(Lease, LEASE, { metadata: { labels: { touched: 'yes' } } });

  await world.clock.advance(21_000);

  const next = await world.api.get(Lease, LEASE);
  assert.equal(first.spec?.leaseDurationSeconds, 40);
  assert.equal(first.metadata.ownerReferences?.[0]?.uid, (await world.node())?.metadata.uid);
  assert.ok((next.spec?.renewTime ?? '') > (first.spec?.renewTime ?? ''));
  assert.ok((next.spec?.renewTime ?? '') >= kubeTime(world.clock.now() - 11_000));
});

test('a Node that was deleted by hand registers again, and its Pod lives on under the new one', async () => {
  const world = await aWorld();
  await world.pod('web');
  await world.until('web', isRunning);
  const before = await world.node();

  await world.api.delete(Node, { name: NODE });
  await world.clock.advance(31_000);

  const again = await world.node();
  assert.ok(again !== undefined && again.metadata.uid !== before?.metadata.uid);
  assert.ok(isRunning(await world.find('web')));
  assert.equal(world.mac.tart.running().length, 1);
});

test("another host's Node of our name is left alone: no status, no heartbeat, no Pod is taken", async () => {
  const world = await aWorld();
  await world.stop();
  await world.api.delete(Node, { name: NODE });
  await world.api.delete(Lease, LEASE).catch(() => undefined);
  const foreign: Node = {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name: NODE },
    spec: { providerID: 'scw-applesilicon://fr-par-1/other' },
  };
  const made = await world.api.create(Node, foreign);

  await world.restart();
  await world.pod('web');
  await world.clock.advance(90_000);

  assert.equal((await world.node())?.metadata.resourceVersion, made.metadata.resourceVersion);
  assert.equal(await world.api.find(Lease, LEASE), undefined);
  assert.equal((await world.find('web'))?.metadata.finalizers, undefined);
  await world.api.delete(Node, { name: NODE });
  await world.until('web', isRunning);
});

test('below ten percent of free space the Node says DiskPressure, and idle bases go although Pods name them', async () => {
  const image = (name: string) => `ghcr.io/tuist/runner:${name}`;
  const images = Object.fromEntries(['a', 'b', 'c'].map(name => [image(name), { sizeGb: 32, pullSeconds: 1 }]));
  const world = await aWorld({ registry: { images }, diskGb: 100, settings: { minGoldensKept: 1 } });
  for (const name of ['a', 'b', 'c']) {
    await world.pod(name, { containers: [{ name: 'vm', image: image(name) }] });
    await world.clock.advance(5_000);
  }

  await world.clock.advance(31_000);
  assert.equal(condition(await world.node(), 'DiskPressure')?.status, 'True');
  await world.clock.advance(300_000);

  const goldens = world.mac.tart.host.store.vmNames().filter(vm => vm.startsWith('tuist-golden-'));
  assert.deepEqual(
    goldens.sort(),
    [goldenName(image('a')), goldenName(image('b'))].sort(),
    'the idle one went, those of running VMs stay',
  );
});

test('metrics tell cold and warm starts, work and delay by pool', async () => {
  const world = await aWorld({ registry: { images: { [IMAGE]: { pullSeconds: 7, guest: { bootSeconds: 12 } } } } });
  const labels = { 'tuist.dev/runner-pool': 'hot' };
  for (const name of ['one', 'two']) {
    await world.pod(name, {}, { labels });
    await world.until(name, isRunning);
  }

  const counted = (name: string) => world.counted.get(name);
  assert.deepEqual(counted('tart_kubelet_golden_base_materialized_total{pool=hot}'), [1]);
  assert.deepEqual(counted('tart_kubelet_golden_base_reused_total{pool=hot}'), [1]);
  assert.deepEqual(counted('pippin_agent_cold_starts_total{pool=hot,reason=first-sight}'), [1]);
  assert.deepEqual(counted('tart_kubelet_vm_provision_work_seconds{pool=hot,path=cold}')?.map(Math.round), [7]);
  assert.deepEqual(counted('tart_kubelet_vm_provision_work_seconds{pool=hot,path=warm}')?.map(Math.round), [0]);
  assert.equal(counted('tart_kubelet_pod_provision_delay_seconds{pool=hot}')?.length, 2);
  assert.deepEqual(counted('tart_kubelet_vm_boot_duration_seconds{pool=hot}')?.map(Math.round), [12, 12]);
});
