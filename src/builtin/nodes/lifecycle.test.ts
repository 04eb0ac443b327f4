// Nodes that fall silent and speak again, and the Pods on them, on the embedded API.

import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { minutes, seconds } from '../../base/clock.ts';
import { Node } from '../../kube/core/node.ts';
import { Pod } from '../../kube/core/pod.ts';
import { keyController } from '../../kube/run.ts';
import { aReadyNode, nodeNamed, podIn, podNamed, renew, report } from '../objects.testing.ts';
import { aWorld, type TestWorld } from '../world.testing.ts';
import { taintEviction } from './eviction.ts';
import { nodeLifecycle } from './lifecycle.ts';

let world: TestWorld;

beforeEach(async () => {
  world = await aWorld();
  await aReadyNode(world, nodeNamed('mac-0'));
});

afterEach(() => world.stop());

const run = (): void =>
  world.run([
    keyController(
      nodeLifecycle({
        missedLeasesMs: seconds(50),
        startupMs: seconds(60),
        quietStartMs: seconds(60),
        recheckMs: seconds(30),
      }),
    ),
    keyController(taintEviction({ quietStartMs: seconds(60) })),
  ]);

/** Passes time in which the agent renews its Lease, as a living one does. */
async function alive(ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += seconds(10)) {
    await renew(world, 'mac-0');
    await world.pass(seconds(10));
  }
}

const readyStatus = async (): Promise<string | undefined> =>
  (await world.api.get(Node, { name: 'mac-0' })).status?.conditions?.find(condition => condition.type === 'Ready')
    ?.status;

const taints = async (): Promise<readonly string[]> =>
  (await world.api.get(Node, { name: 'mac-0' })).spec?.taints?.map(taint => `${taint.key}:${taint.effect}`) ?? [];

test('a Node that renews its Lease stays ready, even when its own clock is wrong', async () => {
  run();
  world.clock.jumpWall(-minutes(600));

  await alive(minutes(3));

  assert.equal(await readyStatus(), 'True');
});

test('a silent Node becomes Unknown after 50 s, with both taints, and loses them when it speaks again', async () => {
  run();
  await alive(seconds(70));

  await world.pass(seconds(39));
  const before = await readyStatus();
  await world.pass(seconds(5));
  const after = [await readyStatus(), await taints()];
  await report(world, 'mac-0');
  await world.pass(seconds(5));

  assert.equal(before, 'True');
  assert.deepEqual(after, [
    'Unknown',
    ['node.kubernetes.io/unreachable:NoSchedule', 'node.kubernetes.io/unreachable:NoExecute'],
  ]);
  assert.deepEqual([await readyStatus(), await taints()], ['True', []]);
});

test('nothing is judged in the first minute after a start (safe-22)', async () => {
  await world.pass(minutes(10));
  run();

  await world.pass(seconds(58));
  const before = await readyStatus();
  await world.pass(seconds(10));

  assert.deepEqual([before, await readyStatus()], ['True', 'Unknown']);
});

test('Pods of a silent Node count as not ready at once and are evicted after five minutes', async () => {
  await world.api.create(Pod, podNamed('vm', { nodeName: 'mac-0' }, { finalizers: ['x.test/vm'] }));
  const ready = { conditions: [{ type: 'Ready', status: 'True' }], phase: 'Running' };
  await world.api.patch(Pod, { namespace: 'default', name: 'vm' }, { status: ready }, { subresource: 'status' });
  run();

  await world.pass(minutes(2));
  const silent = await podIn(world, 'vm');
  await world.pass(minutes(5));
  const evicted = await podIn(world, 'vm');

  assert.equal(silent?.status?.conditions?.find(condition => condition.type === 'Ready')?.status, 'False');
  assert.equal(silent?.metadata.deletionTimestamp, undefined);
  assert.notEqual(evicted?.metadata.deletionTimestamp, undefined);
  assert.ok(evicted?.status?.conditions?.some(condition => condition.reason === 'DeletionByTaintManager'));
});

test('a Pod that tolerates the taint for ever stays', async () => {
  const toleration = { key: 'node.kubernetes.io/unreachable', operator: 'Exists', effect: 'NoExecute' } as const;
  await world.api.create(Pod, podNamed('vm', { nodeName: 'mac-0', tolerations: [toleration] }));
  run();

  await world.pass(minutes(60));

  assert.equal((await podIn(world, 'vm'))?.metadata.deletionTimestamp, undefined);
});

test('a Node that comes back in time keeps its Pods', async () => {
  await world.api.create(Pod, podNamed('vm', { nodeName: 'mac-0' }));
  run();
  await world.pass(minutes(4));

  await report(world, 'mac-0');
  await alive(minutes(10));

  assert.equal((await podIn(world, 'vm'))?.metadata.deletionTimestamp, undefined);
});
