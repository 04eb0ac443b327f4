// The life of a Pod on a Mac, as kubectl would show it.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { millisOf } from '../../src/base/clock.ts';
import { HOST_ID, NODE_UID, VM_CLEANUP } from '../../src/kinds/wire.ts';
import { Node } from '../../src/kube/core/node.ts';
import { ConfigMap } from '../../src/kube/core/other.ts';
import { Pod } from '../../src/kube/core/pod.ts';
import {
  type AgentTestOptions,
  type AgentTestWorld,
  agentTestWorld,
  aMac,
  IMAGE,
  isGone,
  isRunning,
  NODE,
  PROVIDER_ID,
  phaseIs,
} from './agent-world.ts';

const worlds: AgentTestWorld[] = [];
after(() => Promise.all(worlds.map(world => world.close())));

async function aWorld(options: AgentTestOptions = {}): Promise<AgentTestWorld> {
  const world = await agentTestWorld(options);
  worlds.push(world);
  return world;
}

const guest = (behaviour: Record<string, unknown>): AgentTestOptions => ({
  registry: { images: { [IMAGE]: { pullSeconds: 1, guest: behaviour } } },
});
const container = (pod: Pod | undefined) => pod?.status?.containerStatuses?.[0];

test('a Pod becomes a running VM under its own UID, stamped with its host', async () => {
  const world = await aWorld();
  const made = await world.pod('web');

  const pod = await world.until('web', isRunning);

  const node = await world.node();
  assert.deepEqual(world.mac.tart.running(), [`default-web-${made.metadata.uid}`]);
  assert.equal(container(pod)?.containerID, `tart://default-web-${made.metadata.uid}`);
  assert.deepEqual(pod?.metadata.finalizers, [VM_CLEANUP]);
  assert.equal(pod?.metadata.annotations?.[HOST_ID], PROVIDER_ID);
  assert.equal(pod?.metadata.annotations?.[NODE_UID], node?.metadata.uid);
  assert.equal(pod?.status?.hostIP, '10.0.0.5');
  assert.match(pod?.status?.podIP ?? '', /^192\.168\./);
});

test('while its image is pulled the Pod says how far that is, and another Pod is taken down meanwhile', async () => {
  const slow = { pullSeconds: 600 };
  const world = await aWorld({ registry: { images: { [IMAGE]: { pullSeconds: 1 }, 'ghcr.io/big/one:1': slow } } });
  await world.pod('web');
  await world.until('web', isRunning);
  await world.pod('big', { containers: [{ name: 'vm', image: 'ghcr.io/big/one:1' }] });

  const waiting = await world.until(
    'big',
    pod => /[1-9]0 % pulled/.test(container(pod)?.state?.waiting?.message ?? ''),
    300,
  );
  await world.api.delete(Pod, { namespace: 'default', name: 'web' }, { graceSeconds: 5 });

  assert.equal(container(waiting)?.state?.waiting?.reason, 'PullingImage');
  await world.until('web', isGone, 20);
  assert.deepEqual(world.mac.tart.running(), []);
});

test('a deleted Pod goes after its guest was asked to shut down, and nothing of it stays on the Mac', async () => {
  const world = await aWorld(guest({ shutDownSeconds: 4 }));
  const { metadata } = await world.pod('web');
  await world.until('web', isRunning);

  await world.api.delete(Pod, { namespace: 'default', name: 'web' });
  await world.clock.advance(2000);
  const stopping = await world.find('web');
  await world.until('web', isGone, 20);

  assert.ok(stopping?.metadata.deletionTimestamp !== undefined);
  const left = world.mac.tart.host.store.vmNames().filter(vm => vm.includes(metadata.uid ?? 'none'));
  assert.deepEqual(left, []);
  assert.deepEqual(await world.mac.host.staged(), []);
  assert.deepEqual(
    (await world.mac.records.vms()).filter(record => record.use === 'pod'),
    [],
  );
});

test('a guest that is deaf is stopped hard when its grace ends', async () => {
  const world = await aWorld(guest({ shutDownSeconds: undefined }));
  await world.pod('web');
  await world.until('web', isRunning);

  await world.api.delete(Pod, { namespace: 'default', name: 'web' }, { graceSeconds: 20 });
  await world.clock.advance(18_000);
  assert.equal(world.mac.tart.running().length, 1);

  await world.until('web', isGone, 10);
  assert.deepEqual(world.mac.tart.running(), []);
});

test("a finished job's Pod tells the guest's exit code and when it ended, and its VM goes", async () => {
  const world = await aWorld(guest({ livesSeconds: 20, exitCode: 3 }));
  await world.pod('job');

  const pod = await world.until('job', phaseIs('Failed'));

  const ended = container(pod)?.state?.terminated;
  assert.equal(ended?.exitCode, 3);
  assert.equal(ended?.reason, 'Error');
  assert.ok(ended?.finishedAt !== undefined && ended.startedAt !== undefined && ended.finishedAt > ended.startedAt);
  await world.clock.advance(15_000);
  assert.deepEqual(
    world.mac.tart.host.store.vmNames().filter(vm => vm.startsWith('default-')),
    [],
  );
  assert.deepEqual((await world.find('job'))?.metadata.finalizers, [VM_CLEANUP]);
  await world.api.delete(Pod, { namespace: 'default', name: 'job' });
  await world.until('job', isGone, 5);
});

test('a clean end without a report is a success; a crash, which tart reports with 0 as well, is not', async () => {
  const clean = await aWorld(guest({ livesSeconds: 10 }));
  const crash = await aWorld(guest({ livesSeconds: 10, crashes: true }));
  await clean.pod('job');
  await crash.pod('job');

  const ended = await clean.until('job', phaseIs('Succeeded'));
  assert.equal(container(ended)?.state?.terminated?.reason, 'TartRunExited');
  const crashed = await crash.until('job', phaseIs('Failed'));
  assert.equal(container(crashed)?.state?.terminated?.exitCode, 1);
});

test('a VM that vanished with its host has not succeeded', async () => {
  const world = await aWorld();
  await world.pod('job');
  await world.until('job', isRunning);

  world.mac.tart.cutPower();

  const pod = await world.until('job', phaseIs('Failed'));
  assert.equal(container(pod)?.state?.terminated?.exitCode, 137);
});

test('with restartPolicy Always the same VM boots again, counted, at once after a power cut and later and later after failures', async () => {
  const world = await aWorld();
  await world.pod('web', { restartPolicy: 'Always' });
  const first = await world.until('web', isRunning);
  world.mac.tart.cutPower();
  const second = await world.until('web', pod => isRunning(pod) && container(pod)?.restartCount === 1, 30);
  const [vm = ''] = world.mac.tart.running();

  world.mac.tart.endGuest(vm, 1);
  await world.until('web', pod => container(pod)?.state?.waiting?.reason === 'CrashLoopBackOff', 6);
  assert.deepEqual(world.mac.tart.running(), [], 'held back');
  const third = await world.until('web', pod => isRunning(pod) && container(pod)?.restartCount === 2, 30);

  assert.equal(container(second)?.containerID, container(first)?.containerID);
  assert.equal(container(third)?.lastState?.terminated?.exitCode, 1);
  const heldBackMs =
    millisOf(container(third)?.state?.running?.startedAt) -
    millisOf(container(third)?.lastState?.terminated?.finishedAt);
  assert.ok(heldBackMs >= 10_000 && heldBackMs < 15_000, `${heldBackMs}`);
});

test('an agent that restarts adopts what runs: same process, no second start, nothing collected', async () => {
  const world = await aWorld();
  await world.pod('web');
  await world.until('web', isRunning);
  const [vm = ''] = world.mac.tart.running();
  const before = await world.mac.tart.process(vm);

  await world.restart();
  await world.clock.advance(400_000);

  assert.deepEqual(await world.mac.tart.process(vm), before);
  assert.ok(isRunning(await world.find('web')));
  assert.equal(container(await world.find('web'))?.restartCount, 0);
});

test('nothing is written to a Pod that runs and does not change', async () => {
  const world = await aWorld();
  await world.pod('web');
  await world.until('web', isRunning);
  await world.clock.advance(10_000);
  const before = await world.find('web');

  await world.clock.advance(120_000);

  assert.equal((await world.find('web'))?.metadata.resourceVersion, before?.metadata.resourceVersion);
});

test('an agent that restarts learns how a VM ended while it was away', async () => {
  const world = await aWorld();
  await world.pod('job');
  await world.until('job', isRunning);
  await world.stop();
  world.mac.tart.endGuest(world.mac.tart.running()[0] ?? '', 9);

  await world.restart();

  const pod = await world.until('job', phaseIs('Failed'));
  assert.equal(container(pod)?.state?.terminated?.exitCode, 9);
});

test('a VM that cannot start shows why on its Pod, and starts when it can', async () => {
  const world = await aWorld();
  for (const name of ['a', 'b', 'c']) await world.pod(name);
  await world.until('a', isRunning);
  await world.until('b', isRunning);

  const refused = await world.until('c', pod => container(pod)?.state?.waiting?.reason === 'TartCreateFailed');
  assert.equal(refused?.status?.phase, 'Pending');
  assert.match(refused?.status?.message ?? '', /as many VMs as it can/);

  await world.api.delete(Pod, { namespace: 'default', name: 'a' }, { graceSeconds: 0 });
  await world.until('c', isRunning);
});

test('a Pod that names a missing ConfigMap says so, and runs once it is there, its values in the file of the guest', async () => {
  const world = await aWorld();
  const { metadata } = await world.pod('web', {
    containers: [
      {
        name: 'vm',
        image: IMAGE,
        env: [{ name: 'A', value: 'x\ny' }],
        envFrom: [{ prefix: 'P_', configMapRef: { name: 'settings' } }],
      },
    ],
  });
  await world.until('web', pod => /settings, which is not there/.test(container(pod)?.state?.waiting?.message ?? ''));

  await world.api.create(ConfigMap, {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'settings', namespace: 'default' },
    data: { K: 'v' },
  });

  await world.until('web', isRunning);
  assert.equal(world.mac.stagedFiles(`default-web-${metadata.uid}`).get('tuist.env'), 'P_K=v\nA=x\\ny\n');
});

test('Pods of another shape are passed over, and let go when they are deleted', async () => {
  const world = await aWorld();
  await world.pod('daemon', {
    containers: [
      { name: 'a', image: IMAGE },
      { name: 'b', image: IMAGE },
    ],
  });
  await world.clock.advance(20_000);
  assert.equal((await world.find('daemon'))?.metadata.finalizers, undefined);

  await world.api.delete(Pod, { namespace: 'default', name: 'daemon' });

  await world.until('daemon', isGone, 5);
});

test('a Pod of the same name again gets a VM of its own', async () => {
  const world = await aWorld();
  const first = await world.pod('web');
  await world.until('web', isRunning);
  await world.api.delete(Pod, { namespace: 'default', name: 'web' }, { graceSeconds: 0 });
  await world.until('web', isGone);

  const second = await world.pod('web');

  await world.until('web', isRunning);
  assert.notEqual(first.metadata.uid, second.metadata.uid);
  assert.deepEqual(world.mac.tart.running(), [`default-web-${second.metadata.uid}`]);
});

test("an agent on a new host with the old Node's name neither runs nor releases the old host's Pods", async () => {
  const world = await aWorld();
  await world.pod('web');
  await world.until('web', isRunning);
  await world.stop();
  await world.api.delete(Node, { name: NODE });
  const other = aMac({ clock: world.clock, hardwareUuid: 'hw-2' });

  await world.restart(other, { providerId: 'scw-applesilicon://fr-par-1/22222222-2222-4222-8222-222222222222' });
  await world.api.delete(Pod, { namespace: 'default', name: 'web' }, { graceSeconds: 0 });
  await world.clock.advance(120_000);

  const pod = await world.find('web');
  assert.equal(pod?.status?.reason, 'HostReplaced');
  assert.deepEqual(pod?.metadata.finalizers, [VM_CLEANUP]);
  assert.deepEqual(other.tart.running(), []);
  assert.equal(world.mac.tart.running().length, 1, 'the old VM still runs');
});

test("a Mac that upstream's agent ran is taken over with its VMs: same processes, same names", async () => {
  const world = await aWorld({ settings: { inheritsUpstream: true } });
  await world.stop();
  const { tart } = world.mac;
  const pull = tart.pull(IMAGE, () => undefined);
  await world.clock.advance(60_000);
  await pull;
  const taken = { finalizers: [VM_CLEANUP] };
  for (const name of ['one', 'two']) {
    await tart.clone(IMAGE, `default-${name}`);
    await world.mac.host.stage(`default-${name}`, []);
    await tart.run(`default-${name}`, { shares: [] });
    await world.pod(name, {}, taken);
  }
  const before = [await tart.process('default-one'), await tart.process('default-two')];

  await world.restart();
  await world.until('one', isRunning);
  await world.until('two', isRunning);
  await world.clock.advance(700_000);

  assert.deepEqual([await tart.process('default-one'), await tart.process('default-two')], before);
  assert.deepEqual([...tart.running()].sort(), ['default-one', 'default-two']);
  assert.equal(container(await world.find('one'))?.containerID, 'tart://default-one');
  await world.api.delete(Pod, { namespace: 'default', name: 'one' }, { graceSeconds: 0 });
  await world.until('one', isGone);
  assert.deepEqual(tart.running(), ['default-two']);
});
