// How a Mac is taken and set up, what follows when that fails, and what a later set-up must not touch.

import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { Node } from '../../src/kube/core/node.ts';
import { Secret } from '../../src/kube/core/other.ts';
import { MacMachine } from '../../src/mac/machine/mac-machine.ts';
import { cleanStartOf, releaseOf } from '../../src/mac/machine/release-record.ts';
import { type MacTestWorld, macTestWorld, NS, POOL } from './mac-world.ts';

let world: MacTestWorld;
afterEach(() => world.close());

const bootstrapped = (name = 'mac-0') => world.condition(name, 'Bootstrapped');
const steps = (): readonly string[] => world.hosts.calls.map(({ step }) => step);

test('a machine waits for a free Mac of its type, system and pool, and says which', async () => {
  world = await macTestWorld();
  const [, , newest] = world.model.state.images;
  world.model.order({ name: `${POOL}a`, type: 'M4-S' });
  world.model.order({ name: `${POOL}b`, imageId: world.model.state.images[0]?.id ?? '' });
  world.model.order({ name: 'somebody-elses' });

  await world.create('mac-0');
  await world.pass(120);
  const waiting = await world.condition('mac-0', 'Provisioned');
  assert.equal(waiting?.reason, 'NoAvailableHost');
  assert.match(waiting?.message ?? '', /M2-L with Tahoe in pool pool-/);
  assert.equal((await world.machine('mac-0'))?.status?.phase, 'Adopting');

  world.model.order({ name: `${POOL}c`, imageId: newest?.id ?? '' });
  await world.pass(120);
  assert.equal((await world.machine('mac-0'))?.status?.phase, 'Ready');
});

test('nine machines at once get nine Macs', async () => {
  world = await macTestWorld();
  for (let n = 0; n < 9; n += 1) world.free(`${n}`);

  await Promise.all(Array.from({ length: 9 }, (_, n) => world.create(`mac-${n}`)));
  await world.pass(60);

  const ids = await Promise.all(
    Array.from({ length: 9 }, async (_, n) => (await world.machine(`mac-${n}`))?.spec?.providerID),
  );
  assert.equal(new Set(ids).size, 9);
  assert.ok(!ids.includes(undefined));
});

test('a claim is finished whichever of its calls fails, and takes no second host', async () => {
  for (const name of ['listServers', 'getServer', 'updateServer'] as const) {
    for (const fault of ['answer lost', 500, 'timeout', 404] as const) {
      world = await macTestWorld();
      world.free('one');
      world.free('two');
      world.model.faults.next(name, fault);

      await world.create('mac-0');
      await world.pass(300);

      const named = world.model.state.servers.map(server => server.name);
      assert.equal((await world.machine('mac-0'))?.status?.phase, 'Ready', `${name}: ${fault}`);
      assert.equal(named.filter(each => each === 'mac-0').length, 1, `${name}: ${fault}: ${named.join()}`);
      await world.close();
    }
  }
});

test('a name that a machine of another namespace has is refused before anything is claimed', async () => {
  world = await macTestWorld();
  world.free('one');
  world.free('two');
  await world.create('mac-0');
  await world.pass(30);

  await world.create('mac-0', {}, 'default');
  await world.pass(30);
  const second = await world.machine('mac-0', 'default');
  assert.equal(second?.spec?.providerID, undefined);
  assert.equal(second?.status?.conditions?.find(({ type }) => type === 'HostAdopted')?.reason, 'NameTaken');

  await world.delete('mac-0', 'default');
  await world.pass(30);
  assert.equal(await world.machine('mac-0', 'default'), undefined);
  assert.notEqual(await world.node('mac-0'), undefined);
  assert.deepEqual(
    world.model.state.servers.map(({ wipes }) => wipes),
    [0, 0],
  );
});

test('VMs of an earlier user end before the agent starts, and the record says when', async () => {
  world = await macTestWorld();
  const server = world.free('one');
  world.vmsOf(server.id).add('left-over');

  await world.create('mac-0');
  await world.pass(30);

  const machine = await world.machine('mac-0');
  assert.ok(machine !== undefined);
  assert.equal(world.vmsOf(server.id).size, 0);
  assert.equal(cleanStartOf(machine)?.hostId, machine.spec?.providerID);
  assert.ok(steps().indexOf('clean-start') < steps().indexOf('agent-job'));
});

test('VMs of the machine itself live through every later set-up', async () => {
  world = await macTestWorld();
  const server = world.free('one');
  await world.create('mac-0');
  await world.pass(30);
  world.vmsOf(server.id).add('running');

  await world.api.delete(Node, { name: 'mac-0' });
  await world.pass(300);

  assert.deepEqual([...world.vmsOf(server.id)], ['running']);
  assert.equal(steps().filter(step => step === 'clean-start').length, 1);
  assert.equal(steps().filter(step => step === 'agent-job').length, 2);
  assert.ok(world.events.some(event => event.includes('NodeMissing')));
  assert.notEqual(await world.node('mac-0'), undefined);
});

test('a Mac that another controller adopted is set up without a clean start', async () => {
  world = await macTestWorld();
  const server = world.model.order({ name: 'mac-0' });
  world.vmsOf(server.id).add('upstream-vm');
  world.model.createSSHKey('fleet', 'ssh-ed25519 AAAA');

  await world.create('mac-0', { providerID: `scw-applesilicon://fr-par-1/${server.id}` });
  await world.pass(60);

  assert.equal((await world.machine('mac-0'))?.status?.phase, 'Ready');
  assert.deepEqual([...world.vmsOf(server.id)], ['upstream-vm']);
  assert.ok(!steps().includes('clean-start'));
});

test('nothing is set up without a sudo password, and the machine says where to put one', async () => {
  world = await macTestWorld();
  world.free('one').passwordIn = 'sealed';

  await world.create('mac-0');
  await world.pass(60);

  assert.equal((await bootstrapped())?.reason, 'MissingSudoPassword');
  assert.deepEqual(steps(), []);
});

test('a host that takes no set-up is rebooted once, then given back wiped, and another one is taken', async () => {
  world = await macTestWorld();
  const bad = world.free('bad');
  world.model.order({ name: 'bystander' });
  world.hosts.failing.set('agent-job', 5);

  await world.create('mac-0');
  await world.pass(150);
  assert.equal((await bootstrapped())?.reason, 'BootstrapFailed');
  assert.match((await bootstrapped())?.message ?? '', /agent-job ended with 5/);
  await world.pass(120);
  assert.equal(world.calls('rebootServer'), 1);

  await world.pass(600);
  assert.equal(world.calls('rebootServer'), 1);
  assert.equal(world.model.wipesOf(bad.id), 1);
  assert.ok(bad.name.startsWith(POOL));
  const machine = await world.machine('mac-0');
  assert.ok(machine !== undefined);
  assert.match(releaseOf(machine)?.hostId ?? '', new RegExp(bad.id));

  world.hosts.failing.clear();
  world.free('good');
  await world.pass(180);
  assert.equal((await world.machine('mac-0'))?.status?.phase, 'Ready');
  assert.notEqual((await world.machine('mac-0'))?.spec?.providerID, releaseOf(machine)?.hostId);
});

test('a host that stays silent is not counted as failing while it may still boot', async () => {
  world = await macTestWorld();
  const server = world.free('one');
  world.hosts.cutPower(server.id);

  await world.create('mac-0');
  await world.pass(240);
  assert.equal((await bootstrapped())?.reason, 'HostSilent');
  assert.equal((await world.machine('mac-0'))?.status?.bootstrapAttempts, 0);

  await world.pass(120);
  assert.equal((await world.machine('mac-0'))?.status?.bootstrapAttempts, 1);
  world.hosts.restorePower(server.id);
  await world.pass(120);
  assert.equal((await world.machine('mac-0'))?.status?.phase, 'Ready');
});

test('a host key that changes is refused', async () => {
  world = await macTestWorld();
  const server = world.free('one');
  await world.create('mac-0');
  await world.pass(30);
  const secret = await world.api.get(Secret, { namespace: NS, name: 'mac-0-bootstrap' });
  assert.notEqual(secret.data?.hostFingerprint, undefined);
  world.hosts.mac(server.id).installation += 1;

  await world.api.delete(Node, { name: 'mac-0' });
  await world.pass(300);

  assert.match((await bootstrapped())?.message ?? '', /keyChanged/);
});

test('a new agent reaches every running Mac, and a Mac that refuses it is given up on and tried again later', async () => {
  world = await macTestWorld();
  world.free('one');
  await world.create('mac-0');
  await world.pass(30);
  const hash = (await world.machine('mac-0'))?.status?.hostConfigHash;

  Object.assign(world.artifacts.agent, { digest: 'agent-2' });
  world.hosts.failing.set('agent-job', 5);
  await world.pass(1200);
  const failed = await world.machine('mac-0');
  assert.equal(failed?.status?.failureReason, 'TartKubeletUpdateExceededRetries');
  assert.equal(failed?.status?.phase, 'Failed');
  assert.equal(failed?.status?.tartKubeletUpdateAttempts, 5);
  assert.equal(failed?.status?.hostConfigHash, hash);

  world.hosts.failing.clear();
  await world.pass(2400);
  const rolled = await world.machine('mac-0');
  assert.equal(rolled?.status?.phase, 'Ready');
  assert.equal(rolled?.status?.tartKubeletBinarySHA, 'agent-2');
  assert.notEqual(rolled?.status?.hostConfigHash, hash);
});

test('the agent gets an identity for its own Node, over the step’s input alone', async () => {
  world = await macTestWorld();
  world.free('one');
  await world.create('mac-0');
  await world.pass(30);

  const config = JSON.parse(world.started.at(-1)?.kubeconfig ?? '{}');
  assert.equal(config.users[0].name, 'system:node:mac-0');
  const certificate = Buffer.from(config.users[0].user['client-certificate-data'], 'base64').toString();
  assert.match(certificate, /^CERTIFICATE/);
  assert.ok(world.events.every(event => !event.includes('PRIVATE KEY')));
});

test('a Node that comes back from a host which was released is deleted again', async () => {
  world = await macTestWorld();
  const bad = world.free('bad');
  world.hosts.failing.set('agent-job', 5);
  await world.create('mac-0');
  await world.pass(900);
  world.hosts.failing.clear();
  const hostId = `scw-applesilicon://fr-par-1/${bad.id}`;
  bad.name = 'elsewhere';

  const metadata = { name: 'mac-0' };
  await world.api.create(Node, { apiVersion: 'v1', kind: 'Node', metadata, spec: { providerID: hostId } });
  await world.pass(30);

  assert.equal(await world.node('mac-0'), undefined);
});

test('a machine without pool prefix or with a versioned system takes nothing', async () => {
  world = await macTestWorld({ poolPrefix: '' });
  world.free('one');

  await world.create('mac-0');
  await world.create('mac-1', { adoptPoolPrefix: POOL, os: 'Tahoe-26.0' });
  await world.pass(30);

  assert.equal((await world.condition('mac-0', 'Provisioned'))?.reason, 'NoAdoptPoolPrefix');
  assert.equal((await world.condition('mac-1', 'Provisioned'))?.reason, 'InvalidOSPin');
  assert.ok(world.model.byName(`${POOL}one`) !== undefined);
  await world.api.patch(MacMachine, { namespace: NS, name: 'mac-1' }, { spec: { os: 'Tahoe' } });
  await world.pass(30);
  assert.equal((await world.machine('mac-1'))?.status?.phase, 'Ready');
});

test('a Mac that upstream’s controller set up gets our agent by one push, and its VMs run on', async () => {
  world = await macTestWorld();
  const server = world.model.order({ name: 'mac-0' });
  world.model.createSSHKey('fleet', 'ssh-ed25519 AAAA');
  world.hosts.mac(server.id).sudo = true;
  world.vmsOf(server.id).add('upstream-1').add('upstream-2');
  const lastTransitionTime = '2026-01-01T00:00:00Z';
  const conditions = ['Provisioned', 'Bootstrapped'].map(type => ({ type, status: 'True', lastTransitionTime }));
  Object.assign(world.world.settings, { poolPrefix: '' });
  await world.api.create(Node, {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name: 'mac-0' },
    spec: { providerID: `scw-applesilicon://fr-par-1/${server.id}` },
  });
  const key = { namespace: NS, name: 'mac-0' };
  // Paused until it is as upstream's controller left it, as a move does it.
  await world.api.create(MacMachine, {
    apiVersion: 'infrastructure.cluster.x-k8s.io/v1alpha1',
    kind: 'ScalewayAppleSiliconMachine',
    metadata: { ...key, annotations: { 'cluster.x-k8s.io/paused': 'true' } },
    spec: { providerID: `scw-applesilicon://fr-par-1/${server.id}` },
  });
  const status = { ready: true, phase: 'Ready', serverID: server.id, hostConfigHash: 'upstream', conditions };
  await world.api.patch(MacMachine, key, { status }, { subresource: 'status' });
  await world.api.patch(MacMachine, key, { metadata: { annotations: { 'cluster.x-k8s.io/paused': null } } });

  await world.pass(600);

  const machine = await world.machine('mac-0');
  assert.equal(machine?.status?.phase, 'Ready');
  assert.deepEqual([...world.vmsOf(server.id)], ['upstream-1', 'upstream-2']);
  assert.ok(!steps().includes('clean-start'));
  assert.ok(!steps().includes('tart'));
  assert.equal(steps().filter(step => step === 'agent-job').length, 1);
  assert.ok(world.events.some(event => event.includes('AgentRolled')));
});
