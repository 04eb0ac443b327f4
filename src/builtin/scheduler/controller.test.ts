// The scheduler on the embedded API: who is bound where, what is said, and what makes it try again.

import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { minutes, seconds } from '../../base/clock.ts';
import { Node } from '../../kube/core/node.ts';
import { Pod } from '../../kube/core/pod.ts';
import { keyController } from '../../kube/run.ts';
import { nodeLifecycle } from '../nodes/lifecycle.ts';
import { aReadyNode, nodeNamed, podIn, podNamed } from '../objects.testing.ts';
import { aWorld, type TestWorld } from '../world.testing.ts';
import { scheduler } from './controller.ts';

let world: TestWorld;

beforeEach(async () => {
  world = await aWorld();
  // A new Node is not ready to begin with: node lifecycle takes that taint off.
  const lifecycle = {
    missedLeasesMs: minutes(60),
    startupMs: minutes(60),
    quietStartMs: minutes(1),
    recheckMs: minutes(10),
  };
  world.run([keyController(scheduler({ recheckMs: minutes(10) })), keyController(nodeLifecycle(lifecycle))]);
});

afterEach(() => world.stop());

const nodeOf = async (name: string): Promise<string | undefined> => (await podIn(world, name))?.spec.nodeName;

const scheduled = async (name: string): Promise<string> => {
  const condition = (await podIn(world, name))?.status?.conditions?.find(({ type }) => type === 'PodScheduled');
  return `${condition?.status} ${condition?.reason ?? ''}: ${condition?.message ?? ''}`;
};

test('Pods fill a Node up to its number of places, and the one too many says why it waits', async () => {
  await aReadyNode(world, nodeNamed('mac-0'));
  for (const name of ['a', 'b', 'c']) await world.api.create(Pod, podNamed(name));

  await world.pass(seconds(1));

  const bound = await Promise.all(['a', 'b', 'c'].map(nodeOf));
  assert.deepEqual(bound.filter(node => node === 'mac-0').length, 2);
  const waiting = ['a', 'b', 'c'].find((_name, index) => bound[index] === undefined) ?? '';
  assert.equal(await scheduled(waiting), 'False Unschedulable: 0/1 nodes are available: 1 Too many pods.');
  assert.ok(world.told.includes('Warning FailedScheduling: 0/1 nodes are available: 1 Too many pods.'));
});

test('a place that gets free is taken at once', async () => {
  await aReadyNode(world, nodeNamed('mac-0'));
  for (const name of ['a', 'b']) await world.api.create(Pod, podNamed(name));
  await world.pass(seconds(1));
  await world.api.create(Pod, podNamed('c'));
  await world.pass(seconds(1));

  await world.api.delete(Pod, { namespace: 'default', name: 'a' }, { graceSeconds: 0 });
  await world.pass(seconds(1));

  assert.equal(await nodeOf('c'), 'mac-0');
});

test('a Pod without any Node waits, and goes to the first that comes', async () => {
  await world.api.create(Pod, podNamed('a'));
  await world.pass(seconds(1));
  const before = await scheduled('a');

  await aReadyNode(world, nodeNamed('mac-0'));
  await world.pass(seconds(1));

  assert.equal(before, 'False Unschedulable: no nodes available to schedule pods');
  assert.equal(await nodeOf('a'), 'mac-0');
});

test('a Node whose taint is lifted takes the Pods that waited for it', async () => {
  const taint = { key: 'tuist.dev/macos', value: 'true', effect: 'NoSchedule' } as const;
  await aReadyNode(world, nodeNamed('mac-0', { taints: [taint] }));
  await world.api.create(Pod, podNamed('a'));
  await world.pass(seconds(1));
  const before = await scheduled('a');

  await world.api.patch(Node, { name: 'mac-0' }, { spec: { taints: [] } });
  await world.pass(seconds(1));

  assert.match(before, /1 node\(s\) had untolerated taint \{tuist\.dev\/macos: true\}\.$/);
  assert.equal(await nodeOf('a'), 'mac-0');
});

test("another scheduler's Pods, gated ones and those being deleted are left alone", async () => {
  await aReadyNode(world, nodeNamed('mac-0'));
  await world.api.create(Pod, podNamed('foreign', { schedulerName: 'other' }));
  await world.api.create(Pod, podNamed('gated', { schedulingGates: [{ name: 'x.test/wait' }] } as object));
  await world.api.create(Pod, podNamed('going', { nodeSelector: { none: 'such' } }, { finalizers: ['x.test/held'] }));
  await world.api.delete(Pod, { namespace: 'default', name: 'going' });

  await world.pass(seconds(1));

  assert.deepEqual(await Promise.all(['foreign', 'gated', 'going'].map(nodeOf)), [undefined, undefined, undefined]);
});

test('Pods spread over equal Nodes', async () => {
  for (const name of ['mac-0', 'mac-1']) await aReadyNode(world, nodeNamed(name));
  for (const name of ['a', 'b']) await world.api.create(Pod, podNamed(name));

  await world.pass(seconds(1));

  const bound = await Promise.all(['a', 'b'].map(nodeOf));
  assert.deepEqual([...bound].sort(), ['mac-0', 'mac-1']);
});
