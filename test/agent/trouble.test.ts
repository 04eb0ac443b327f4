// A Mac on which tart fails, forgets or was killed half-way: nothing is lost, nothing is made twice, and the Pod says why.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { goldenName } from '../../src/agent/images/golden.ts';
import type { VmRuntime } from '../../src/agent/vm-runtime.ts';
import { unknown } from '../../src/base/sighting.ts';
import { VM_CLEANUP } from '../../src/kinds/wire.ts';
import { Secret } from '../../src/kube/core/other.ts';
import { Pod } from '../../src/kube/core/pod.ts';
import { type AgentTestWorld, agentTestWorld, IMAGE, isGone, isRunning } from './agent-world.ts';

const worlds: AgentTestWorld[] = [];
after(() => Promise.all(worlds.map(world => world.close())));

async function aWorld(): Promise<AgentTestWorld> {
  const world = await agentTestWorld();
  worlds.push(world);
  return world;
}

/** Replaces calls of this Mac's tart until the returned function is called. */
function breaking({ mac }: AgentTestWorld, broken: Partial<VmRuntime>): () => void {
  const whole = { ...mac.tart };
  Object.assign(mac.tart, broken);
  return () => void Object.assign(mac.tart, whole);
}

/** Work on tart by hand, before the agent has a Pod. */
async function byHand({ clock }: AgentTestWorld, work: Promise<unknown>): Promise<void> {
  await clock.advance(60_000);
  await work;
}

const refusing = async () => unknown('tart is out of order');
const KEY = { namespace: 'default', name: 'web' };
const waitingFor = (pod: Pod | undefined) => pod?.status?.containerStatuses?.[0]?.state?.waiting?.message ?? '';
const coldStarts = ({ counted }: AgentTestWorld, reason: string) =>
  counted.get(`pippin_agent_cold_starts_total{pool=unknown,reason=${reason}}`);

test('a base that cannot be probed is not pulled over: the Pod waits, says why, and then starts warm (agent-53)', async () => {
  const world = await aWorld();
  await world.pod('first');
  await world.until('first', isRunning);
  const pulls: string[] = [];
  const { pull } = world.mac.tart;
  const mend = breaking(world, {
    onDisk: refusing,
    pull: (image, progress) => {
      pulls.push(image);
      return pull(image, progress);
    },
  });
  await world.pod('web');
  await world.until('web', pod => /out of order/.test(waitingFor(pod)));

  mend();
  await world.until('web', isRunning);

  assert.deepEqual(pulls, []);
  assert.deepEqual(world.counted.get('tart_kubelet_golden_base_reused_total{pool=unknown}'), [1]);
});

test('a base that a crash left half-built is built again, and counted as such (agent-50)', async () => {
  const world = await aWorld();
  const golden = goldenName(IMAGE);
  await byHand(
    world,
    world.mac.tart.pull(IMAGE, () => undefined),
  );
  await world.mac.records.putVm({ vm: golden, use: 'golden', image: IMAGE, state: 'making' });
  await world.mac.tart.clone(IMAGE, golden);

  await world.pod('web');
  await world.until('web', isRunning);

  assert.deepEqual(coldStarts(world, 'half-built'), [1]);
  assert.equal((await world.mac.records.vm(golden))?.state, 'made');
});

test('a clone that a crash left half-made is made again, not run', async () => {
  const world = await aWorld();
  await world.pod('first');
  await world.until('first', isRunning);
  await world.stop();
  const { metadata } = await world.pod('web');
  const vm = `default-web-${metadata.uid}`;
  await world.mac.records.putVm({ vm, use: 'pod', image: IMAGE, podUid: metadata.uid ?? '', state: 'making' });
  await world.mac.tart.clone(goldenName(IMAGE), vm);
  const clones: string[] = [];
  const { clone } = world.mac.tart;
  breaking(world, {
    clone: (source, name) => {
      clones.push(name);
      return clone(source, name);
    },
  });

  await world.restart();
  await world.until('web', isRunning);

  assert.deepEqual(clones, [vm]);
  assert.equal((await world.mac.records.vm(vm))?.state, 'made');
});

test('a base that was lost is built again and counted as such (agent-51)', async () => {
  const world = await aWorld();
  await world.pod('first');
  await world.until('first', isRunning);
  await world.mac.tart.delete(goldenName(IMAGE));

  await world.pod('web');
  await world.until('web', isRunning);

  assert.deepEqual(coldStarts(world, 'base-lost'), [1]);
});

test('while tart cannot say whether an older VM is there, no second one is made', async () => {
  const world = await aWorld();
  await world.stop();
  await byHand(
    world,
    world.mac.tart.pull(IMAGE, () => undefined),
  );
  await world.mac.tart.clone(IMAGE, 'default-web');
  const mend = breaking(world, { onDisk: refusing });
  await world.pod('web', {}, { finalizers: [VM_CLEANUP] });

  await world.restart();
  await world.clock.advance(60_000);
  assert.deepEqual(world.mac.tart.host.store.vmNames(), ['default-web']);
  mend();

  await world.until('web', isRunning, 600);
  assert.deepEqual(world.mac.tart.running(), ['default-web']);
});

test('processes that cannot be listed are taken for alive: the Pod stays as it is, and a deleted one stays protected (agent-17)', async () => {
  const world = await aWorld();
  await world.pod('web');
  const running = await world.until('web', isRunning);
  const mend = breaking(world, { process: refusing });
  await world.clock.advance(30_000);
  assert.deepEqual((await world.find('web'))?.status, running?.status);

  await world.api.delete(Pod, KEY, { graceSeconds: 0 });
  await world.clock.advance(60_000);
  assert.deepEqual((await world.find('web'))?.metadata.finalizers, [VM_CLEANUP]);
  mend();

  await world.until('web', isGone, 60);
});

test('a VM that cannot be deleted keeps its Pod protected until it can', async () => {
  const world = await aWorld();
  await world.pod('web');
  await world.until('web', isRunning);
  const mend = breaking(world, { delete: async () => undefined });
  await world.api.delete(Pod, KEY, { graceSeconds: 0 });

  await world.clock.advance(60_000);
  assert.deepEqual((await world.find('web'))?.metadata.finalizers, [VM_CLEANUP]);
  mend();

  await world.until('web', isGone, 60);
});

test('a deleted Pod says how its VM ended before it goes (agent-4)', async () => {
  const world = await aWorld();
  await world.pod('web', {}, { finalizers: ['example.com/look-at-it'] });
  await world.until('web', isRunning);

  await world.api.delete(Pod, KEY, { graceSeconds: 10 });
  const pod = await world.until('web', seen => seen?.metadata.finalizers?.includes(VM_CLEANUP) === false, 30);

  assert.deepEqual(pod?.metadata.finalizers, ['example.com/look-at-it']);
  assert.equal(pod?.status?.phase, 'Succeeded');
  assert.equal(pod?.status?.containerStatuses?.[0]?.state?.terminated?.reason, 'TartRunExited');
});

test('a Secret that the API refuses is named on the Pod, and the VM starts once it is granted', async () => {
  const refusing = { now: true };
  const world = await agentTestWorld({
    refuses: request => refusing.now && request.method === 'GET' && request.path.endsWith('/secrets/settings'),
  });
  worlds.push(world);
  const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'settings', namespace: 'default' } };
  await world.api.create(Secret, secret);
  await world.pod('web', {
    containers: [{ name: 'vm', image: IMAGE, envFrom: [{ secretRef: { name: 'settings' } }] }],
  });
  await world.until('web', pod => /secrets\/settings: 403 Forbidden/.test(waitingFor(pod)));

  refusing.now = false;

  await world.until('web', isRunning);
});

test('a pull that finds the disk full frees what nobody uses and is tried once more (agent-64)', async () => {
  const world = await agentTestWorld({ diskGb: 70, settings: { minGoldensKept: 1 } });
  worlds.push(world);
  await world.pod('old', { containers: [{ name: 'vm', image: 'ghcr.io/tuist/runner:old' }] });
  await world.until('old', isRunning);
  await world.pod('other', { containers: [{ name: 'vm', image: 'ghcr.io/tuist/runner:other' }] });
  await world.until('other', isRunning);
  for (const name of ['old', 'other']) await world.api.delete(Pod, { namespace: 'default', name }, { graceSeconds: 0 });

  await world.pod('web');

  await world.until('web', isRunning);
});
