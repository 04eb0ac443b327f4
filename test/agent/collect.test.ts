// What the collector does to a Mac that a user looks at: strays, leftovers, strangers, moved tags.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { digestOf } from '../../sim/tart/registry.ts';
import { virtualClock } from '../../sim/time/clock.ts';
import { collector } from '../../src/agent/gc/collect.ts';
import { ensureBase } from '../../src/agent/images/base.ts';
import { leases } from '../../src/agent/images/leases.ts';
import { locks } from '../../src/agent/locks.ts';
import { silentLog } from '../../src/base/log.ts';
import { present } from '../../src/base/sighting.ts';
import { VM_CLEANUP } from '../../src/kinds/wire.ts';
import { Pod } from '../../src/kube/core/pod.ts';
import {
  type AgentTestOptions,
  type AgentTestWorld,
  agentTestWorld,
  aMac,
  IMAGE,
  isGone,
  isRunning,
  phaseIs,
} from './agent-world.ts';

const worlds: AgentTestWorld[] = [];
after(() => Promise.all(worlds.map(world => world.close())));

async function aWorld(options: AgentTestOptions = {}): Promise<AgentTestWorld> {
  const world = await agentTestWorld(options);
  worlds.push(world);
  return world;
}

const KEY = { namespace: 'default', name: 'web' };
const serving = (version: number) => ({
  images: {
    [IMAGE]: { digest: digestOf(`version ${version}`), pullSeconds: 5, guest: { livesSeconds: 30, exitCode: 0 } },
  },
});
const contents = ({ mac }: AgentTestWorld) => mac.tart.host.store.imageIds();

/** A person's own VM and image, made with tart by hand. */
async function stranger({ mac, clock }: AgentTestWorld): Promise<void> {
  const pulled = mac.tart.pull('ghcr.io/someone/own:1', () => undefined);
  await clock.advance(60_000);
  await pulled;
  await mac.tart.clone('ghcr.io/someone/own:1', 'my-vm');
}

test("a stranger's VM and image outlive every collection, on a full disk too (safe-25)", async () => {
  const world = await aWorld({ diskGb: 80 });
  await stranger(world);
  await world.pod('web');
  await world.until('web', isRunning);
  await world.api.delete(Pod, KEY, { graceSeconds: 0 });

  await world.clock.advance(1_200_000);

  assert.ok(world.mac.tart.host.store.vm('my-vm') !== undefined);
  assert.ok(world.mac.tart.host.store.tags().has('ghcr.io/someone/own:1'));
});

test('a VM whose Pod lost its finalizer by force is stopped and deleted, but not before a minute and two lists', async () => {
  const world = await aWorld();
  await world.pod('web');
  await world.until('web', isRunning);
  const [vm = ''] = world.mac.tart.running();
  await world.stop();
  await world.api.patch(Pod, KEY, { metadata: { finalizers: [] } });
  await world.api.delete(Pod, KEY, { graceSeconds: 0 });
  assert.ok(isGone(await world.find('web')));

  await world.restart();
  await world.clock.advance(60_000);
  assert.deepEqual(world.mac.tart.running(), [vm], 'one list is not enough');
  await world.clock.advance(600_000);

  assert.equal(world.mac.tart.host.store.vm(vm), undefined);
});

test('with Always a moved tag is noticed at the next Pod, gets a new base, and what it stood for before goes', async () => {
  const world = await aWorld({ registry: serving(1) });
  const job = (name: string) =>
    world.pod(name, { containers: [{ name: 'vm', image: IMAGE, imagePullPolicy: 'Always' }] });
  await job('one');
  await world.until('one', phaseIs('Succeeded'));

  world.serve(serving(2));
  await job('two');
  await world.until('two', phaseIs('Succeeded'));
  await job('three');
  await world.until('three', phaseIs('Succeeded'));
  await world.clock.advance(600_000);

  assert.deepEqual(contents(world), [`ghcr.io/tuist/runner@${digestOf('version 2')}`]);
  assert.deepEqual(world.counted.get('pippin_agent_cold_starts_total{pool=unknown,reason=tag-moved}'), [1]);
  assert.deepEqual(world.counted.get('tart_kubelet_golden_base_reused_total{pool=unknown}'), [1]);
});

test('a base and its image go a day after the last Pod that named them (agent-54)', async () => {
  const clock = virtualClock();
  const mac = aMac({ clock });
  const pods = [{ uid: 'u', image: IMAGE, vms: [], wantsImage: true }];
  const memory = locks();
  const ports = { runtime: mac.tart, records: mac.records, host: mac.host, log: silentLog, clock };
  const held = leases(memory);
  const gc = collector({
    ...ports,
    leases: held,
    inheritsUpstream: false,
    minGoldensKept: 0,
    boundPods: async () => pods,
  });
  const base = { ...ports, leases: held, locks: memory, makeSpace: async () => undefined };
  const built = ensureBase({ image: IMAGE, policy: 'IfNotPresent', onProgress: () => undefined }, base);
  await clock.advance(60_000);
  await built;
  const collectAfter = async (hours: number): Promise<readonly string[]> => {
    await clock.advance(hours * 3600_000);
    await gc.collect('routine');
    return [...mac.tart.host.store.vmNames(), ...mac.tart.host.store.imageIds()];
  };

  assert.equal((await collectAfter(48)).length, 2, 'named: stays');
  pods.length = 0;
  assert.equal((await collectAfter(1)).length, 2, 'its day begins now');
  assert.equal((await collectAfter(23)).length, 2);
  assert.deepEqual(await collectAfter(1), []);
});

test('a base that somebody starts between the look and the delete stays: it is asked once more under its lock (agent-58)', async () => {
  const clock = virtualClock();
  const mac = aMac({ clock });
  const memory = locks();
  let asked = 0;
  const startedMeanwhile = async (name: string) => {
    asked += 1;
    return asked === 1 ? mac.tart.process(name) : present({ pid: 1 });
  };
  const ports = { records: mac.records, host: mac.host, log: silentLog, clock, runtime: mac.tart };
  const held = leases(memory);
  const base = { ...ports, leases: held, locks: memory, makeSpace: async () => undefined };
  const built = ensureBase({ image: IMAGE, policy: 'IfNotPresent', onProgress: () => undefined }, base);
  await clock.advance(60_000);
  await built;
  const gc = collector({
    ...ports,
    runtime: { ...mac.tart, process: startedMeanwhile },
    leases: held,
    inheritsUpstream: false,
    minGoldensKept: 0,
    boundPods: async () => [],
  });

  await gc.collect('aggressive');

  assert.ok(asked >= 2, 'asked at the look, and once more');
  assert.equal(mac.tart.host.store.vmNames().length, 1);
});

test('where nothing may be collected nothing is, and a Pod that upstream left behind keeps its VM', async () => {
  const world = await aWorld({ settings: { collectsGarbage: false, inheritsUpstream: true } });
  await stranger(world);
  await world.mac.host.stage('my-vm', []);

  await world.clock.advance(1_200_000);

  assert.ok(world.mac.tart.host.store.vm('my-vm') !== undefined);
});

test("on a Mac that upstream's agent ran, a VM that it left without a Pod goes", async () => {
  const world = await aWorld({ settings: { inheritsUpstream: true } });
  await stranger(world);
  await world.mac.tart.clone('my-vm', 'default-left');
  await world.mac.host.stage('default-left', []);
  await world.pod('kept', {}, { finalizers: [VM_CLEANUP] });
  await world.mac.tart.clone('my-vm', 'default-kept');
  await world.mac.host.stage('default-kept', []);

  await world.clock.advance(600_000);

  const { store } = world.mac.tart.host;
  assert.equal(store.vm('default-left'), undefined);
  assert.ok(store.vm('my-vm') !== undefined);
});
