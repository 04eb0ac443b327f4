// What becomes of Pods that nobody will end, second by second as Kubernetes does it.

import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { seconds } from '../../base/clock.ts';
import { Node } from '../../kube/core/node.ts';
import { Pod } from '../../kube/core/pod.ts';
import { periodic } from '../../kube/run.ts';
import type { Transport } from '../../kube/transport.ts';
import { nodeNamed, podIn, podNamed } from '../objects.testing.ts';
import { aWorld, type TestWorld } from '../world.testing.ts';
import { podGarbageCollector } from './controller.ts';

let world: TestWorld;
let answerFor: (call: string) => number | undefined;

beforeEach(async () => {
  answerFor = () => undefined;
  const between =
    (transport: Transport): Transport =>
    async request => {
      const status = answerFor(`${request.method} ${request.path}`);
      return status === undefined ? transport(request) : { status, headers: {}, body: new TextEncoder().encode('{}') };
    };
  world = await aWorld({ between });
});

afterEach(() => world.stop());

const run = (terminatedThreshold = 12_500): void =>
  world.run([periodic(podGarbageCollector({ everyMs: seconds(20), quarantineMs: seconds(40), terminatedThreshold }))]);

test('a Pod of a deleted Node is marked and deleted after 60 to 80 s, and its finalizer stays', async () => {
  await world.api.create(Node, nodeNamed('mac-0'));
  await world.api.create(Pod, podNamed('vm', { nodeName: 'mac-0' }, { finalizers: ['x.test/vm'] }));
  run();
  await world.pass(seconds(10));
  await world.api.delete(Node, { name: 'mac-0' });

  await world.pass(seconds(45));
  const early = await podIn(world, 'vm');
  await world.pass(seconds(10));
  const late = await podIn(world, 'vm');

  assert.equal(early?.metadata.deletionTimestamp, undefined);
  assert.equal(late?.status?.phase, 'Failed');
  assert.equal(late?.metadata.deletionGracePeriodSeconds, 0);
  assert.deepEqual(late?.metadata.finalizers, ['x.test/vm']);
  const target = late?.status?.conditions?.find(condition => condition.type === 'DisruptionTarget');
  assert.equal(`${target?.reason}: ${target?.message}`, 'DeletionByPodGC: PodGC: node no longer exists');
});

test('a stuck Pod is not written again and again', async () => {
  await world.api.create(Pod, podNamed('vm', { nodeName: 'gone' }, { finalizers: ['x.test/vm'] }));
  run();
  await world.pass(seconds(120));
  const first = await podIn(world, 'vm');

  await world.pass(seconds(600));

  assert.equal((await podIn(world, 'vm'))?.metadata.resourceVersion, first?.metadata.resourceVersion);
});

for (const [what, status] of [
  ['forbidden', 403],
  ['broken', 500],
  ['a 404 that names no Node', 404],
] as const) {
  test(`a look at the Node that is ${what} proves nothing`, async () => {
    await world.api.create(Pod, podNamed('vm', { nodeName: 'mac-0' }));
    answerFor = call => (call === 'GET /api/v1/nodes/mac-0' ? status : undefined);
    run();

    await world.pass(seconds(300));

    assert.equal((await podIn(world, 'vm'))?.metadata.deletionTimestamp, undefined);
  });
}

test('a Node that came back in time keeps its Pods', async () => {
  await world.api.create(Pod, podNamed('vm', { nodeName: 'mac-0' }));
  run();
  await world.pass(seconds(50));
  await world.api.create(Node, nodeNamed('mac-0'));

  await world.pass(seconds(300));

  assert.equal((await podIn(world, 'vm'))?.metadata.deletionTimestamp, undefined);
});

test('a Pod that was being deleted before it got a Node goes', async () => {
  await world.api.create(Pod, podNamed('vm', {}, { finalizers: ['x.test/vm'] }));
  await world.api.delete(Pod, { namespace: 'default', name: 'vm' });
  await world.api.patch(Pod, { namespace: 'default', name: 'vm' }, { metadata: { finalizers: null } });
  run();

  await world.pass(seconds(30));

  assert.equal(await podIn(world, 'vm'), undefined);
});

test('of finished Pods the oldest beyond the threshold go', async () => {
  for (const name of ['a', 'b', 'c']) {
    await world.api.create(Pod, podNamed(name));
    await world.api.patch(
      Pod,
      { namespace: 'default', name },
      { status: { phase: 'Succeeded' } },
      { subresource: 'status' },
    );
    await world.pass(seconds(2));
  }
  run(2);

  await world.pass(seconds(30));

  const left = (await world.api.list(Pod)).items.map(pod => pod.metadata.name);
  assert.deepEqual(left, ['b', 'c']);
});

test("a person's word that a Node is out of service ends the Pods that are being deleted there, and no others", async () => {
  const taint = { key: 'node.kubernetes.io/out-of-service', value: 'nodeshutdown', effect: 'NoExecute' } as const;
  await world.api.create(Node, nodeNamed('mac-0', { taints: [taint] }));
  await world.api.create(Pod, podNamed('going', { nodeName: 'mac-0' }));
  await world.api.create(Pod, podNamed('staying', { nodeName: 'mac-0' }));
  await world.api.delete(Pod, { namespace: 'default', name: 'going' });
  run();

  await world.pass(seconds(30));

  assert.equal(await podIn(world, 'going'), undefined);
  assert.equal((await podIn(world, 'staying'))?.metadata.deletionTimestamp, undefined);
});
