import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seededRandom } from '../../sim/time/random.ts';
import { clusterUidOf } from '../../src/deletion/cluster.ts';
import { inProcessApi } from '../../src/fleet/api.ts';
import { HOST_ID, NODE_UID, VM_GONE } from '../../src/kinds/wire.ts';
import { client } from '../../src/kube/client.ts';
import { Node } from '../../src/kube/core/node.ts';
import { Pod } from '../../src/kube/core/pod.ts';
import { isForbidden } from '../../src/kube/errors.ts';
import { vmGone } from '../../src/mac/pods/vm-gone.ts';
import { podWorld } from './pod-world.ts';

/** A stamped Pod on a Mac that the cloud shows under `hostName`, beside another Mac of the same project. */
async function stampedPod(hostName = 'mac-0') {
  const world = await podWorld();
  world.cloud.order({ name: 'pool-1' });
  world.cloud.order({ name: hostName });
  const hostId = world.hostId(hostName);
  const pod = await world.pod('job', 'mac-0', hostId);
  await world.clock.advance(1000);
  return { ...world, hostId, pod };
}

const reasonOf = (proof: { kind: string; reason?: string }): string | undefined => proof.reason;

test('a host that is still rented under the name of the Node proves nothing', async () => {
  const { proveWithin, pod } = await stampedPod();

  assert.equal(reasonOf(await proveWithin(pod, 5)), 'HostStillRented');
});

test('a host that bears another name proves nothing without a record', async () => {
  const { proveWithin, pod } = await stampedPod('mac-7');

  assert.equal(reasonOf(await proveWithin(pod, 5)), 'HostHeldElsewhere');
});

test('a release recorded after the Pod was bound frees it', async () => {
  const { prove, pod, machine, hostId, timeNow } = await stampedPod('pool-2');
  machine('mac-0', { released: { hostId, time: timeNow() } });

  const proof = await prove(pod);

  assert.equal(proof.kind, 'absent');
});

for (const record of ['released', 'cleanStart'] as const) {
  test(`a record "${record}" from before the Pod was bound frees nothing: the Mac was adopted again (del-11)`, async () => {
    const world = await podWorld();
    world.cloud.order({ name: 'pool-1' });
    world.cloud.order({ name: 'mac-b' });
    const hostId = world.hostId('mac-b');
    world.machine('mac-0', { [record]: { hostId, time: world.timeNow() } });
    await world.clock.advance(60_000);
    const pod = await world.pod('job', 'mac-7', hostId);

    assert.equal(reasonOf(await world.proveWithin(pod, 5)), 'HostHeldElsewhere');
  });
}

test('a released host that is back under the name of the Node frees nothing (safe-21)', async () => {
  const { proveWithin, pod, machine, hostId, timeNow } = await stampedPod('mac-0');
  machine('mac-0', { released: { hostId, time: timeNow() } });

  assert.equal(reasonOf(await proveWithin(pod, 5)), 'HostStillRented');
});

test('a clean start on the host by the next machine frees the Pods of the one before (safe-11)', async () => {
  const { prove, pod, machine, hostId, timeNow } = await stampedPod('mac-b');
  machine('mac-b', { providerId: hostId, cleanStart: { hostId, time: timeNow() } });

  assert.equal((await prove(pod)).kind, 'absent');
});

test('a record does not help while the cloud gives no answer about the host', async () => {
  const { prove, pod, machine, hostId, timeNow, cloud } = await stampedPod('pool-2');
  machine('mac-0', { released: { hostId, time: timeNow() } });
  cloud.faults.next('getServer', 500);

  assert.equal(reasonOf(await prove(pod)), 'HostUnknown');
});

test('a host that is gone from the cloud is proved by two answers 5 s apart', async () => {
  const { prove, pod, cloud, clock } = await stampedPod();
  cloud.discard(cloud.byName('mac-0')?.id ?? '');

  assert.equal(reasonOf(await prove(pod)), 'HostAbsentOnce');
  await clock.advance(4_000);
  assert.equal(reasonOf(await prove(pod)), 'HostAbsentOnce');
  await clock.advance(1_000);
  assert.equal((await prove(pod)).kind, 'absent');
});

for (const fault of [401, 403, 500, 'timeout'] as const) {
  test(`an answer ${fault} between two absent ones makes the first worthless (safe-2)`, async () => {
    const { prove, pod, cloud, clock } = await stampedPod();
    cloud.discard(cloud.byName('mac-0')?.id ?? '');

    await prove(pod);
    await clock.advance(5_000);
    cloud.faults.next('getServer', fault);
    assert.equal(reasonOf(await prove(pod)), 'HostUnknown');
    await clock.advance(5_000);

    assert.equal(reasonOf(await prove(pod)), 'HostAbsentOnce');
  });
}

test('a key that was moved to another project answers 404 for everything, which proves nothing (safe-2)', async () => {
  const { proveWithin, pod, cloud } = await stampedPod();
  cloud.keyInOtherProject = true;

  assert.equal(reasonOf(await proveWithin(pod, 10)), 'HostUnknown');
});

test('a 404 told once, while the list still shows the host, proves nothing', async () => {
  const { proveWithin, pod, cloud } = await stampedPod();
  cloud.faults.next('getServer', 404, 10);

  assert.equal(reasonOf(await proveWithin(pod, 5)), 'HostStillRented');
});

test('a host of no cloud of ours cannot be asked about', async () => {
  const { pod, proveWithin, cloud } = await podWorld();
  cloud.order({ name: 'pool-1' });
  const racked = await pod('job', 'rack-1', '00000000-0000-1000-8000-000000000000');

  assert.equal(reasonOf(await proveWithin(racked, 5)), 'HostNotListable');
});

test("a person's word about this very Pod is a proof; about another of that name it is none (safe-6)", async () => {
  const { pod, prove, api } = await stampedPod();
  const annotate = (uid: string | undefined): Promise<Pod> =>
    api.patch(Pod, { namespace: 'default', name: 'job' }, { metadata: { annotations: { [VM_GONE]: uid } } });

  assert.notEqual((await prove(await annotate('another-uid'))).kind, 'absent');
  assert.equal((await prove(await annotate(pod.metadata.uid))).kind, 'absent');
});

/** An unstamped Pod of a Mac that is gone, where nothing else speaks against its release. */
async function unstampedPod() {
  const world = await podWorld();
  world.cloud.order({ name: 'pool-1' });
  await world.linuxNode('linux-0');
  const pod = await world.pod('wedged', 'mac-0');
  return { ...world, pod };
}

test('a Pod from before Pippin is released after two reads of its Node 90 s apart (safe-5)', async () => {
  const { pod, prove, clock } = await unstampedPod();

  assert.equal(reasonOf(await prove(pod)), 'NodeAbsentOnce');
  await clock.advance(89_000);
  assert.equal(reasonOf(await prove(pod)), 'NodeAbsentOnce');
  await clock.advance(1_000);
  assert.equal((await prove(pod)).kind, 'absent');
});

type Unstamped = Awaited<ReturnType<typeof unstampedPod>>;

const hindrances: readonly [what: string, reason: string, make: (world: Unstamped) => unknown][] = [
  ['its Node exists', 'NodeExists', world => world.macNode('mac-0', 'scw-applesilicon://fr-par-1/x')],
  ['no Node exists at all', 'NoNodeSeen', world => world.api.delete(Node, { name: 'linux-0' })],
  ['a Mac Node has a foreign providerID', 'MacNotListable', world => world.macNode('rack-1', 'rack://1')],
  ['the cloud shows a host of that name', 'HostStillRented', world => world.cloud.order({ name: 'mac-0' })],
  ['the cloud shows no server', 'CloudNotListed', world => world.cloud.discard(world.cloud.byName('pool-1')?.id ?? '')],
  ['a zone cannot be listed', 'CloudNotListed', world => world.cloud.faults.next('listServers', 500, 10)],
];

for (const [what, reason, make] of hindrances) {
  test(`a Pod from before Pippin is not released when ${what} (safe-5)`, async () => {
    const world = await unstampedPod();
    await make(world);

    assert.equal(reasonOf(await world.proveWithin(world.pod, 5)), reason);
  });
}

test('a machine of that name, created after the Pod was bound, still forbids the release (safe-5)', async () => {
  const world = await unstampedPod();
  await world.clock.advance(2_000);
  world.machine('mac-0');

  assert.equal(reasonOf(await world.proveWithin(world.pod, 5)), 'MachineExists');
});

test('the machine that bore the Node name when the Pod was bound tells its host (safe-4)', async () => {
  const world = await podWorld();
  world.cloud.order({ name: 'pool-1' });
  world.cloud.order({ name: 'mac-0' });
  world.machine('mac-0', { providerId: world.hostId('mac-0') });
  const pod = await world.pod('job', 'mac-0');

  assert.equal(reasonOf(await world.proveWithin(pod, 3)), 'HostStillRented');
});

test('answers of another cluster prove nothing (safe-1)', async () => {
  const { pod, world } = await unstampedPod();

  const proof = await vmGone.prove(pod, { ...world, clusterUid: 'the cluster of yesterday' });

  assert.equal(reasonOf(proof), 'OtherCluster');
});

test('a refused read of the Node is no absence (safe-1)', async () => {
  const { pod, world, clock } = await unstampedPod();
  const refusal = { kind: 'Status', reason: 'Forbidden', code: 403, details: { kind: 'nodes', name: 'mac-0' } };
  const served = await inProcessApi({ clock, random: seededRandom(9) });
  const api = client(
    async request =>
      request.path.startsWith('/api/v1/nodes/')
        ? { status: 403, headers: {}, body: new TextEncoder().encode(JSON.stringify(refusal)) }
        : served.transport(request),
    { clock },
  );
  await api.create(Node, { apiVersion: 'v1', kind: 'Node', metadata: { name: 'linux-0' } });

  await assert.rejects(vmGone.prove(pod, { ...world, api, clusterUid: await clusterUidOf(api) }), isForbidden);
});

test('the release of another host by a machine of the same name frees nothing: the id decides', async () => {
  const { proveWithin, pod, machine, timeNow } = await stampedPod('mac-7');
  machine('mac-0', { released: { hostId: 'scw-applesilicon://fr-par-1/another', time: timeNow() } });

  assert.equal(reasonOf(await proveWithin(pod, 3)), 'HostHeldElsewhere');
});

test("a machine's own clean start frees no Pod of its own agent, whatever the clocks say", async () => {
  const world = await podWorld();
  world.cloud.order({ name: 'pool-1' });
  world.cloud.order({ name: 'mac-0' });
  const hostId = world.hostId('mac-0');
  const machine = world.machine('mac-0', { providerId: hostId });
  const pod = await world.pod('job', 'mac-0', hostId);
  await world.clock.advance(5_000);
  world.machines.splice(0, 1, { ...machine, cleanStart: { hostId, time: world.timeNow() } });

  assert.equal(reasonOf(await world.proveWithin(pod, 3)), 'HostStillRented');
});

test('a clean start in the very second in which the Pod was bound frees nothing', async () => {
  const world = await podWorld();
  world.cloud.order({ name: 'pool-1' });
  world.cloud.order({ name: 'mac-b' });
  const hostId = world.hostId('mac-b');
  const pod = await world.pod('job', 'mac-0', hostId);
  world.machine('mac-b', { providerId: hostId, cleanStart: { hostId, time: world.timeNow() } });

  assert.equal(reasonOf(await world.proveWithin(pod, 3)), 'HostHeldElsewhere');
});

test('a stamp that contradicts the Node on which the Pod was taken proves nothing about any host', async () => {
  const world = await stampedPod();
  const node = await world.macNode('mac-0', world.hostId);
  const forged = 'scw-applesilicon://fr-par-1/00000000-0000-4000-8000-000000000000';
  const annotations = { [HOST_ID]: forged, [NODE_UID]: node.metadata.uid };
  const pod = await world.api.patch(Pod, { namespace: 'default', name: 'job' }, { metadata: { annotations } });

  assert.equal(reasonOf(await world.proveWithin(pod, 5)), 'StampContradicted');
});
