// The last looks before a host, a Node or an identity is touched: each alone keeps somebody else's from being lost.

import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { Node } from '../../src/kube/core/node.ts';
import { ClusterRoleBinding, Secret } from '../../src/kube/core/other.ts';
import { deletion } from '../../src/mac/machine/deletion.ts';
import { MacMachine } from '../../src/mac/machine/mac-machine.ts';
import { nodePresence } from '../../src/mac/machine/node-presence.ts';
import { CLEAN_START, recordRelease } from '../../src/mac/machine/release-record.ts';
import { wipe } from '../../src/mac/machine/wipe.ts';
import { type MacTestWorld, macTestWorld, NS, POOL } from './mac-world.ts';

let world: MacTestWorld;
afterEach(() => world.close());

const KEY = { namespace: NS, name: 'mac-0' };
const MOVED = { 'clusterctl.cluster.x-k8s.io/delete-for-move': '' };

/** A machine that is Ready, as it is stored at this moment, and its server. */
async function ready(settings = {}) {
  world = await macTestWorld(settings);
  const server = world.free('one');
  world.model.order({ name: 'bystander' });
  await world.create('mac-0');
  await world.pass(60);
  return { server, machine: await world.api.get(MacMachine, KEY) };
}

test('a host that two machines of one name claim is wiped for neither', async () => {
  const { server, machine } = await ready();
  await world.create('mac-0', { providerID: machine.spec?.providerID ?? '' }, 'default');
  await world.pass(5);

  await world.delete('mac-0', 'default');
  await world.pass(300);

  assert.equal(world.model.wipesOf(server.id), 0);
  assert.equal(server.name, 'mac-0');
});

test('a mark of clusterctl that the cache does not show yet stops the wipe', async () => {
  const { server, machine } = await ready();
  await world.api.patch(MacMachine, KEY, { metadata: { annotations: MOVED } });
  const seen = await world.world.cloud.server(server);
  assert.ok(seen.kind === 'present');

  const byWipe = await wipe(machine, seen.value, world.world);
  const byDeletion = await deletion.run(machine, world.world);

  assert.ok(typeof byWipe === 'object' && byWipe.kind === 'wait');
  assert.equal(byDeletion.kind, 'wait');
  assert.equal(world.model.wipesOf(server.id), 0);
  assert.notEqual(await world.node('mac-0'), undefined);
});

test('a mark of clusterctl stops what comes after the wipe, too', async () => {
  const { server, machine } = await ready();
  const { annotations } = recordRelease(machine.spec?.providerID ?? '', {
    seen: 'reinstalling',
    atMs: world.clock.now(),
  });
  await world.api.patch(MacMachine, KEY, { metadata: { annotations: { ...annotations, ...MOVED } } });
  const released = { ...machine, metadata: { ...machine.metadata, annotations: { ...annotations } } } as MacMachine;

  const outcome = await deletion.run(released, world.world);

  assert.equal(outcome.kind, 'wait');
  assert.equal(server.name, 'mac-0');
  assert.notEqual(await world.node('mac-0'), undefined);
});

test('a host that gets another name between the reads is not wiped', async () => {
  const { server, machine } = await ready();
  const { cloud } = world.world;
  const seen = await cloud.server(server);
  assert.ok(seen.kind === 'present');
  const renamedMeanwhile: typeof cloud = {
    ...cloud,
    async images(zone) {
      server.name = 'mac-b';
      return cloud.images(zone);
    },
  };

  const outcome = await wipe(machine, seen.value, { ...world.world, cloud: renamedMeanwhile });

  assert.notEqual(outcome, 'reinstalling');
  assert.equal(world.model.wipesOf(server.id), 0);
});

test('a pass that stood still between read and write reads again', async () => {
  const { server, machine } = await ready();
  const { cloud } = world.world;
  const seen = await cloud.server(server);
  assert.ok(seen.kind === 'present');
  let stands = false;
  const slow: typeof cloud = {
    ...cloud,
    async server(ref) {
      const answer = await cloud.server(ref);
      if (stands) await world.clock.sleep(60_000);
      return answer;
    },
  };
  stands = true;

  const outcome = wipe(machine, seen.value, { ...world.world, cloud: slow });
  await world.pass(130);

  assert.notEqual(await outcome, 'reinstalling');
  assert.equal(world.model.wipesOf(server.id), 0);
});

test('an agent whose host was not given back keeps its rights', async () => {
  await ready({ identity: 'service account' });
  Object.assign(world.world.settings, { poolPrefix: '' });

  await world.delete('mac-0');
  await world.pass(60);

  assert.equal(await world.machine('mac-0'), undefined);
  assert.notEqual(await world.api.find(ClusterRoleBinding, { name: 'tart-kubelet-mac-0' }), undefined);
});

test('the rights of an agent survive the deletion of a namesake that has a host of its own', async () => {
  await ready({ identity: 'service account' });
  const other = world.model.order({ name: 'mac-0' });
  await world.create('mac-0', { providerID: `scw-applesilicon://fr-par-1/${other.id}` }, 'default');
  await world.pass(5);

  await world.delete('mac-0', 'default');
  await world.pass(60);

  assert.equal(await world.machine('mac-0', 'default'), undefined);
  assert.equal(other.wipes, 1);
  assert.notEqual(await world.api.find(ClusterRoleBinding, { name: 'tart-kubelet-mac-0' }), undefined);
});

test('a host that is taken a second time is started clean a second time', async () => {
  world = await macTestWorld();
  const server = world.free('one');
  world.model.order({ name: 'bystander' });
  world.hosts.failing.set('agent-job', 5);
  await world.create('mac-0');
  await world.pass(700);
  assert.ok(server.name.startsWith(POOL));
  world.hosts.failing.clear();
  world.vmsOf(server.id).add('somebody-elses');

  await world.pass(1200);

  assert.equal(server.name, 'mac-0');
  assert.equal((await world.machine('mac-0'))?.status?.phase, 'Ready');
  assert.equal(world.vmsOf(server.id).size, 0);
});

test('a machine that is set up is never started clean, even if the record is lost', async () => {
  const { server } = await ready();
  world.vmsOf(server.id).add('running');
  await world.api.patch(MacMachine, KEY, { metadata: { annotations: { [CLEAN_START]: null } } });
  await world.api.patch(MacMachine, KEY, { status: { cleanStart: null } }, { subresource: 'status' });

  await world.pass(600);

  assert.deepEqual([...world.vmsOf(server.id)], ['running']);
});

test('a Node of the same name on another host stays', async () => {
  await ready();
  await world.api.delete(Node, { name: 'mac-0' });
  const metadata = { name: 'mac-0', labels: { 'tuist.dev/runtime': 'tart' } };
  const spec = { providerID: 'scw-applesilicon://fr-par-1/another' };
  await world.api.create(Node, { apiVersion: 'v1', kind: 'Node', metadata, spec });

  await world.delete('mac-0');
  await world.pass(60);

  assert.equal(await world.machine('mac-0'), undefined);
  assert.equal((await world.node('mac-0'))?.spec?.providerID, spec.providerID);
});

test('a pin and a password that are left from another host are worth nothing', async () => {
  world = await macTestWorld();
  world.free('one');
  const texts = { hostId: 'scw-applesilicon://fr-par-1/old', hostFingerprint: 'SHA256:old', password: 'old' };
  const data = Object.fromEntries(Object.entries(texts).map(([k, v]) => [k, Buffer.from(v).toString('base64')]));
  const metadata = { namespace: NS, name: 'mac-0-bootstrap' };
  await world.api.create(Secret, { apiVersion: 'v1', kind: 'Secret', metadata, data });

  await world.create('mac-0');
  await world.pass(60);

  assert.equal((await world.machine('mac-0'))?.status?.phase, 'Ready');
});

test('a host that another claimant renames before the set-up is left to that one', async () => {
  world = await macTestWorld({ claimSettlesMs: 60_000 });
  const server = world.free('one');
  world.vmsOf(server.id).add('of-the-other');
  await world.create('mac-0');
  await world.pass(20);
  server.name = 'mac-other';

  await world.pass(300);

  assert.equal((await world.condition('mac-0', 'StartedClean'))?.reason, 'HostRenamed');
  assert.deepEqual([...world.vmsOf(server.id)], ['of-the-other']);
  assert.deepEqual(world.hosts.calls, []);
});

test('a Node that only the cache misses is not missing', async () => {
  const { machine } = await ready();
  await world.pass(180);
  const { caches } = world.world;
  const blind = { ...world.world, caches: { of: () => ({ ...caches.of(Node), get: () => undefined }) } };

  const outcome = await nodePresence.run(machine, blind as typeof world.world);

  assert.equal(outcome.kind, 'done');
});
