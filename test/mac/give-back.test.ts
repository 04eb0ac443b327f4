// How a host is given back: nobody else's Mac is ever wiped, whatever fails or crashes in between (safe-10 to safe-12).

import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { keyOf } from '../../src/kube/object.ts';
import { MacMachine } from '../../src/mac/machine/mac-machine.ts';
import { releaseOf } from '../../src/mac/machine/release-record.ts';
import { type MacTestWorld, macTestWorld, NS, POOL } from './mac-world.ts';

let world: MacTestWorld;
afterEach(() => world.close());

/** A machine that is Ready on a Mac of its own, with one Pod, beside another server of the project. */
async function readyMachine(): Promise<{ serverId: string; hostId: string }> {
  const server = world.free('one');
  world.model.order({ name: 'bystander' });
  await world.create('mac-0');
  await world.pass(30);
  const hostId = (await world.machine('mac-0'))?.spec?.providerID ?? '';
  await world.pod('p1', 'mac-0', hostId);
  return { serverId: server.id, hostId };
}

const deleting = () => world.condition('mac-0', 'Deleting');

test('a host that bears another name is left alone, and the machine says so', async () => {
  world = await macTestWorld();
  const { serverId } = await readyMachine();
  world.model.byId(serverId).name = 'mac-b';

  await world.delete('mac-0');
  await world.pass(600);

  assert.equal(world.model.wipesOf(serverId), 0);
  assert.equal(world.model.byId(serverId).name, 'mac-b');
  assert.match((await deleting())?.message ?? '', /HostHeldElsewhere/);
  assert.deepEqual(await world.pods(), ['p1']);
});

test('Pods of a host that another machine took over go once that one has started it clean', async () => {
  world = await macTestWorld();
  const { serverId } = await readyMachine();
  world.vmsOf(serverId).add('vm-of-p1');
  world.model.byId(serverId).name = `${POOL}by-hand`;
  await world.delete('mac-0');
  await world.pass(60);
  assert.deepEqual(await world.pods(), ['p1']);

  await world.create('mac-b');
  await world.pass(120);

  assert.equal(world.vmsOf(serverId).size, 0);
  assert.equal(world.model.wipesOf(serverId), 0);
  assert.equal(world.model.byId(serverId).name, 'mac-b');
  assert.equal((await world.machine('mac-b'))?.status?.phase, 'Ready');
  assert.equal(await world.machine('mac-0'), undefined);
  assert.deepEqual(await world.pods(), []);
});

test('one 404 is no absence; two of them 5 s apart are, with another server in sight', async () => {
  world = await macTestWorld();
  const { serverId } = await readyMachine();
  world.model.faults.next('getServer', 404);

  await world.delete('mac-0');
  await world.pass(30);

  assert.equal(world.model.wipesOf(serverId), 1);
  assert.equal(await world.machine('mac-0'), undefined);
});

test('a server that was returned to the cloud counts as gone', async () => {
  world = await macTestWorld();
  const { serverId } = await readyMachine();
  world.model.discard(serverId);

  await world.delete('mac-0');
  await world.pass(4);
  assert.deepEqual(await world.pods(), ['p1']);
  await world.pass(20);

  assert.equal(await world.machine('mac-0'), undefined);
  assert.deepEqual(await world.pods(), []);
});

test('a key that was moved to another project proves nothing', async () => {
  world = await macTestWorld();
  await readyMachine();
  world.model.keyInOtherProject = true;

  await world.delete('mac-0');
  await world.pass(3600);

  assert.deepEqual(await world.pods(), ['p1']);
  assert.match((await deleting())?.message ?? '', /wrong project or key/);
});

test('a release that is forbidden for an hour is done when it no longer is', async () => {
  world = await macTestWorld();
  const { serverId } = await readyMachine();
  world.model.faults.next('reinstallServer', 403, 60);

  await world.delete('mac-0');
  await world.pass(3000);
  assert.deepEqual(await world.pods(), ['p1']);
  assert.match((await deleting())?.message ?? '', /ReleaseFailed/);
  world.model.faults.clear();
  await world.pass(120);

  assert.equal(world.model.wipesOf(serverId), 1);
  assert.deepEqual(await world.pods(), []);
  assert.equal(await world.machine('mac-0'), undefined);
});

test('a machine without a pool prefix leaves host, Node and Pods alone', async () => {
  world = await macTestWorld();
  const { serverId } = await readyMachine();
  Object.assign(world.world.settings, { poolPrefix: '' });

  await world.delete('mac-0');
  await world.pass(60);

  assert.equal(await world.machine('mac-0'), undefined);
  assert.equal(world.model.wipesOf(serverId), 0);
  assert.deepEqual(await world.pods(), ['p1']);
  assert.notEqual(await world.node('mac-0'), undefined);
  assert.ok(world.events.some(event => event.includes('ReleaseSkipped')));
});

test('a machine that was detached from its host does not wipe it', async () => {
  world = await macTestWorld();
  const { serverId } = await readyMachine();
  const machine = await world.machine('mac-0');
  assert.ok(machine !== undefined);
  const paused = { annotations: { 'cluster.x-k8s.io/paused': 'true' } };
  await world.api.patch(MacMachine, keyOf(machine), { metadata: paused, spec: { providerID: null } });

  await world.delete('mac-0');
  await world.pass(60);

  assert.equal(await world.machine('mac-0'), undefined);
  assert.equal(world.model.wipesOf(serverId), 0);
  assert.equal(world.model.byId(serverId).name, 'mac-0');
  assert.deepEqual(await world.pods(), ['p1']);
});

test('a paused machine still gives its host back; one that clusterctl moves is not touched', async () => {
  world = await macTestWorld();
  const { serverId } = await readyMachine();
  const key = { namespace: NS, name: 'mac-0' };
  const marks = { 'cluster.x-k8s.io/paused': 'true', 'clusterctl.cluster.x-k8s.io/delete-for-move': '' };
  await world.api.patch(MacMachine, key, { metadata: { annotations: marks } });
  await world.pass(5);
  const before = world.model.calls.filter(({ name }) => !name.startsWith('get') && !name.startsWith('list')).length;

  await world.delete('mac-0');
  await world.pass(600);
  assert.equal(world.model.wipesOf(serverId), 0);
  assert.notEqual(await world.node('mac-0'), undefined);
  const after = world.model.calls.filter(({ name }) => !name.startsWith('get') && !name.startsWith('list')).length;
  assert.equal(after, before);

  await world.api.patch(MacMachine, key, {
    metadata: { annotations: { 'clusterctl.cluster.x-k8s.io/delete-for-move': null } },
  });
  await world.pass(60);
  assert.equal(await world.machine('mac-0'), undefined);
  assert.equal(world.model.wipesOf(serverId), 1);
});

test('a host that was claimed right before a crash is found by its name and given back', async () => {
  world = await macTestWorld();
  const server = world.model.order({ name: 'mac-0' });
  // Its machine never came to write the providerID: the claim is all there is.
  world.model.faults.next('listServers', 500, 1000);
  await world.create('mac-0');
  await world.pass(5);
  await world.delete('mac-0');
  await world.pass(5);
  assert.notEqual(await world.machine('mac-0'), undefined);
  world.model.faults.clear();
  await world.pass(60);

  assert.equal(await world.machine('mac-0'), undefined);
  assert.equal(world.model.wipesOf(server.id), 1);
  assert.ok(server.name.startsWith(POOL));
});

test('a crash after each call of the release ends in the same: one host, wiped, recorded, renamed', async () => {
  const faults = ['getServer', 'listOS', 'reinstallServer', 'updateServer'] as const;
  for (const name of faults) {
    for (const fault of ['answer lost', 'timeout', 500] as const) {
      world = await macTestWorld();
      const { serverId } = await readyMachine();
      world.model.faults.next(name, fault);

      await world.delete('mac-0');
      await world.pass(1);
      world.restart();
      await world.pass(180);

      assert.equal(await world.machine('mac-0'), undefined, `${name}: ${fault}`);
      assert.equal(world.model.wipesOf(serverId), 1, `${name}: ${fault}`);
      assert.ok(world.model.byId(serverId).name.startsWith(POOL), `${name}: ${fault}`);
      assert.deepEqual(await world.pods(), [], `${name}: ${fault}`);
      await world.close();
    }
  }
});

test('the record of a release names the host, the time and what was seen', async () => {
  world = await macTestWorld();
  const { hostId } = await readyMachine();
  world.model.faults.next('updateServer', 500, 3);

  await world.delete('mac-0');
  await world.pass(10);

  const machine = await world.machine('mac-0');
  assert.ok(machine !== undefined);
  assert.equal(releaseOf(machine)?.hostId, hostId);
  assert.equal(releaseOf(machine)?.seen, 'reinstalling');
  assert.deepEqual(await world.pods(), ['p1']);
});

test('a machine that took back the host it had given up erases it again: the old record is of the earlier use', async () => {
  world = await macTestWorld({ giveBackAfter: 2, rebootAfter: 0 });
  const server = world.free('one');
  world.model.order({ name: 'bystander' });
  world.hosts.failing.set('clean-start', 1);
  await world.create('mac-0');
  await world.pass(400);
  assert.equal(world.model.wipesOf(server.id), 1, 'the failure ladder gave it back');
  world.hosts.failing.clear();
  await world.pass(1500);
  assert.equal((await world.machine('mac-0'))?.status?.phase, 'Ready');
  world.vmsOf(server.id).add('vm-of-p1');
  await world.pod('p1', 'mac-0', (await world.machine('mac-0'))?.spec?.providerID ?? '');

  await world.delete('mac-0');
  await world.pass(900);

  assert.equal(world.model.wipesOf(server.id), 2);
  assert.deepEqual([...world.vmsOf(server.id)], []);
  assert.deepEqual(await world.pods(), []);
  assert.match(world.model.byId(server.id).name, /^pool-/);
});
