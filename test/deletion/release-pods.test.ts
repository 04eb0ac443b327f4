import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seededRandom } from '../../sim/time/random.ts';
import { silentLog } from '../../src/base/log.ts';
import { VM_CLEANUP } from '../../src/kinds/wire.ts';
import type { Api } from '../../src/kube/api.ts';
import { Node } from '../../src/kube/core/node.ts';
import { Pod } from '../../src/kube/core/pod.ts';
import type { KubeObject } from '../../src/kube/object.ts';
import { releasePods } from '../../src/mac/pods/release-pods.ts';
import { podWorld } from './pod-world.ts';

/** A machine `mac-0` whose host was wiped and renamed into the pool; its Pods are those made by `pods`. */
async function releasedMachine(hostName = 'pool-2') {
  const world = await podWorld();
  world.cloud.order({ name: 'pool-1' });
  world.cloud.order({ name: hostName });
  const hostId = world.hostId(hostName);
  const run = async (api: Api = world.api, releasedAt = world.timeNow()) => {
    const machine: KubeObject = {
      apiVersion: 'v1',
      kind: 'M',
      metadata: { name: 'mac-0', namespace: 'default', deletionTimestamp: world.timeNow() },
    };
    const released = { hostId, time: releasedAt, seen: 'reinstalling' };
    const informers = { of: () => assert.fail('stage 4.5 reads live') };
    const stageWorld = { ...world.world, api, caches: informers, log: silentLog, random: seededRandom(2) };
    return releasePods({ machine, nodeName: 'mac-0', released }, stageWorld);
  };
  const names = async (): Promise<string[]> => (await world.api.list(Pod)).items.map(pod => pod.metadata.name);
  return { ...world, hostId, run, names };
}

test('every Pod of the released host goes, running or long deleted', async () => {
  const world = await releasedMachine();
  await world.pod('running', 'mac-0', world.hostId);
  const wedged = await world.pod('wedged', 'mac-0', world.hostId);
  await world.api.delete(Pod, { namespace: 'default', name: wedged.metadata.name }, { graceSeconds: 0 });

  assert.equal((await world.run()).kind, 'done');
  assert.deepEqual(await world.names(), []);
});

test('a Pod is failed and deleted before its finalizer goes (safe-14)', async () => {
  const world = await releasedMachine();
  await world.pod('job', 'mac-0', world.hostId);
  const writes: string[] = [];
  const noting: Api = {
    ...world.api,
    patch: (kind, key, body, options) => {
      writes.push(options?.subresource ?? (JSON.stringify(body).includes('finalizers') ? 'finalizers' : 'patch'));
      return world.api.patch(kind, key, body, options);
    },
    delete: (kind, key, options) => {
      writes.push(`delete grace ${options?.graceSeconds}`);
      return world.api.delete(kind, key, options);
    },
  };

  await world.run(noting);

  assert.deepEqual(writes, ['status', 'delete grace 0', 'finalizers']);
});

test('a crash after the delete leaves a deleting Pod with its finalizer, never a bare one (safe-14)', async () => {
  const world = await releasedMachine();
  await world.pod('job', 'mac-0', world.hostId);
  const failing: Api = {
    ...world.api,
    patch: (kind, key, body, options) =>
      options?.subresource === 'status'
        ? world.api.patch(kind, key, body, options)
        : Promise.reject(new Error('crash')),
  };

  await world.run(failing);

  const left = await world.api.get(Pod, { namespace: 'default', name: 'job' });
  assert.notEqual(left.metadata.deletionTimestamp, undefined);
  assert.deepEqual(left.metadata.finalizers, [VM_CLEANUP]);
  assert.equal(left.status?.phase, 'Failed');
  assert.equal(left.status?.reason, 'HostReleased');
  assert.deepEqual(
    left.status?.conditions?.map(({ type, status, reason }) => ({ type, status, reason })),
    [{ type: 'DisruptionTarget', status: 'True', reason: 'HostReleased' }],
  );
});

test('one Pod that cannot be patched does not keep the others, and the stage waits for it (safe-16)', async () => {
  const world = await releasedMachine();
  for (const name of ['a', 'b', 'c']) await world.pod(name, 'mac-0', world.hostId);
  const failing: Api = {
    ...world.api,
    patch: (kind, key, body, options) =>
      key.name === 'b' ? Promise.reject(new Error('forbidden')) : world.api.patch(kind, key, body, options),
  };

  const outcome = await world.run(failing);

  assert.equal(outcome.kind, 'wait');
  assert.deepEqual(await world.names(), ['b']);
  assert.equal((await world.run()).kind, 'done');
});

test('Pods that another host runs are not touched, whatever Node name they bear', async () => {
  const world = await releasedMachine();
  await world.pod('elsewhere', 'mac-0', 'scw-applesilicon://fr-par-1/another');

  assert.equal((await world.run()).kind, 'done');
  assert.deepEqual(await world.names(), ['elsewhere']);
});

test('unstamped Pods go only once no Node of that name is left (safe-15)', async () => {
  const world = await releasedMachine();
  await world.pod('unstamped', 'mac-0');
  await world.macNode('mac-0', 'scw-applesilicon://fr-par-1/x');

  await world.run();
  assert.deepEqual(await world.names(), ['unstamped']);
  await world.api.delete(Node, { name: 'mac-0' });
  await world.run();

  assert.deepEqual(await world.names(), []);
});

test('nothing is released while the host bears the machine name again, or gives no answer (safe-21)', async () => {
  const back = await releasedMachine('mac-0');
  await back.pod('job', 'mac-0', back.hostId);
  assert.equal((await back.run()).kind, 'wait');
  assert.deepEqual(await back.names(), ['job']);

  const silent = await releasedMachine();
  await silent.pod('job', 'mac-0', silent.hostId);
  silent.cloud.faults.next('getServer', 'timeout');
  assert.equal((await silent.run()).kind, 'wait');
  assert.deepEqual(await silent.names(), ['job']);
});

test('a Pod of the same name that came in between keeps its finalizer: the UID decides', async () => {
  const world = await releasedMachine();
  await world.pod('job', 'mac-0', world.hostId);
  let replaced = false;
  const replacing: Api = {
    ...world.api,
    find: async (kind, key) => {
      if (key.name === 'job' && !replaced) {
        replaced = true;
        await world.api.patch(Pod, { namespace: 'default', name: 'job' }, { metadata: { finalizers: null } });
        await world.api.delete(Pod, { namespace: 'default', name: 'job' }, { graceSeconds: 0 });
        await world.pod('job', 'mac-0', 'scw-applesilicon://fr-par-1/another');
      }
      return world.api.find(kind, key);
    },
  };

  await world.run(replacing);

  const left = await world.api.get(Pod, { namespace: 'default', name: 'job' });
  assert.deepEqual(left.metadata.finalizers, [VM_CLEANUP]);
  assert.equal(left.metadata.deletionTimestamp, undefined);
});

test('a write that came between the read and the release is kept: the release is tried anew', async () => {
  const world = await releasedMachine();
  await world.pod('job', 'mac-0', world.hostId);
  const writing: Api = {
    ...world.api,
    patch: async (kind, key, body, options) => {
      const releasing = JSON.stringify(body).includes('"finalizers":[]');
      if (releasing) {
        const annotations = { note: 'written in between' };
        await world.api.patch(Pod, { namespace: 'default', name: 'job' }, { metadata: { annotations } });
      }
      return world.api.patch(kind, key, body, options);
    },
  };

  const outcome = await world.run(writing);

  assert.equal(outcome.kind, 'wait');
  assert.deepEqual(await world.names(), ['job']);
});

test('a Pod whose delete is refused keeps its finalizer: it is never left bare (safe-14)', async () => {
  const world = await releasedMachine();
  await world.pod('job', 'mac-0', world.hostId);
  const failing: Api = { ...world.api, delete: () => Promise.reject(new Error('forbidden')) };

  const outcome = await world.run(failing);

  const left = await world.api.get(Pod, { namespace: 'default', name: 'job' });
  assert.equal(outcome.kind, 'wait');
  assert.deepEqual(left.metadata.finalizers, [VM_CLEANUP]);
});

test('an answer "not found" that is wrong ends nothing: the list still shows the Pod, and the stage waits', async () => {
  const world = await releasedMachine();
  await world.pod('job', 'mac-0', world.hostId);
  const lying: Api = {
    ...world.api,
    find: (kind, key) => (key.name === 'job' ? Promise.resolve(undefined) : world.api.find(kind, key)),
  };

  assert.equal((await world.run(lying)).kind, 'wait');
  assert.deepEqual(await world.names(), ['job']);
  assert.equal((await world.run()).kind, 'done');
});

for (const stamp of ['stamped', 'unstamped'] as const) {
  test(`a ${stamp} Pod that was bound after the recorded release is not let go: the record is of an earlier use`, async () => {
    const world = await releasedMachine();
    const releasedAt = world.timeNow();
    await world.clock.advance(60_000);
    await world.pod('job', 'mac-0', stamp === 'stamped' ? world.hostId : undefined);

    await world.run(world.api, releasedAt);

    assert.deepEqual(await world.names(), ['job']);
  });
}
