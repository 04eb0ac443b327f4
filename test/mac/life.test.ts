// The life of a rented Mac behind a machine: taken, set up, lost and given back.

import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { type MacTestWorld, macTestWorld, POOL } from './mac-world.ts';

let world: MacTestWorld;
afterEach(() => world.close());

test('a machine takes a free Mac, sets it up, and its Node registers', async () => {
  world = await macTestWorld();
  const server = world.free('one');

  await world.create('mac-0');
  await world.pass(30);

  const machine = await world.machine('mac-0');
  assert.equal(machine?.spec?.providerID, `scw-applesilicon://fr-par-1/${server.id}`);
  assert.equal(machine?.status?.phase, 'Ready', JSON.stringify(machine?.status, null, 1));
  assert.equal(machine?.status?.ready, true);
  assert.equal(world.model.byId(server.id).name, 'mac-0');
  assert.equal((await world.node('mac-0'))?.spec?.providerID, machine?.spec?.providerID);
});

test('a deleted machine gives its Mac back, wiped once, and leaves no Node and no Pod', async () => {
  world = await macTestWorld();
  const server = world.free('one');
  world.free('other');
  await world.create('mac-0');
  await world.pass(30);
  const hostId = (await world.machine('mac-0'))?.spec?.providerID ?? '';
  await world.pod('p1', 'mac-0', hostId);
  await world.pod('p2', 'mac-0', hostId);

  await world.delete('mac-0');
  await world.pass(30);

  assert.equal(await world.machine('mac-0'), undefined, world.events.slice(-5).join('\n'));
  assert.deepEqual(await world.pods(), []);
  assert.equal(await world.node('mac-0'), undefined);
  assert.equal(world.model.wipesOf(server.id), 1);
  assert.ok(server.name.startsWith(POOL));
});
