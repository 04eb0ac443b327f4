// Keys and identities: who may get into a host, and as whom its agent speaks.

import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { CertificateSigningRequest, ClusterRoleBinding, Secret, ServiceAccount } from '../../src/kube/core/other.ts';
import { type MacTestWorld, macTestWorld, NS } from './mac-world.ts';

let world: MacTestWorld;
afterEach(() => world.close());

test('machines of a fleet share one key, which the cloud knows before a host is taken', async () => {
  world = await macTestWorld();
  world.free('one');
  world.free('two');

  await Promise.all(['mac-0', 'mac-1'].map(name => world.create(name, { fleetName: 'builders' })));
  await world.pass(60);

  const [key, ...others] = world.model.state.keys;
  assert.equal(key?.name, 'builders');
  assert.deepEqual(others, []);
  const stored = await world.api.get(Secret, { namespace: NS, name: 'builders-ssh-key' });
  assert.equal(Buffer.from(stored.data?.publicKey ?? '', 'base64').toString(), key?.publicKey);
  const calls = world.model.calls.map(({ name }) => name);
  assert.ok(calls.indexOf('createSSHKey') < calls.indexOf('updateServer'));
});

test('a cloud key of the fleet’s name with other material is replaced', async () => {
  world = await macTestWorld();
  world.free('one');
  world.model.createSSHKey('macs-mac-0', 'ssh-ed25519 AAAAstranger');

  await world.create('mac-0');
  await world.pass(30);

  assert.equal(world.model.state.keys.length, 1);
  assert.ok(world.model.state.keys.every(key => !key.publicKey.includes('stranger')));
});

test('no host is taken while the key cannot be registered, and the machine says why', async () => {
  world = await macTestWorld();
  world.free('one');
  world.model.faults.next('createSSHKey', 403, 1000);

  await world.create('mac-0');
  await world.pass(60);

  const refused = await world.condition('mac-0', 'FleetKeyRegistered');
  assert.equal(refused?.reason, 'FleetKeyRefused');
  assert.equal(world.calls('updateServer'), 0);
});

test('a certificate request is gone once the agent has its certificate', async () => {
  world = await macTestWorld();
  world.free('one');
  await world.create('mac-0');
  await world.pass(30);

  assert.equal((await world.machine('mac-0'))?.status?.phase, 'Ready');
  assert.deepEqual((await world.api.list(CertificateSigningRequest)).items, []);
});

test('an identity that nobody signs is waited for and not held against the host', async () => {
  world = await macTestWorld();
  world.free('one');
  world.denyCertificates();

  await world.create('mac-0');
  await world.pass(300);

  assert.equal((await world.condition('mac-0', 'Bootstrapped'))?.reason, 'NodeIdentityUnavailable');
  assert.equal((await world.machine('mac-0'))?.status?.bootstrapAttempts, 0);
  assert.ok((await world.api.list(CertificateSigningRequest)).items.length <= 1);
});

test('where certificates are not signed the agent gets an account, and loses it with its machine', async () => {
  world = await macTestWorld({ identity: 'service account' });
  world.free('one');
  world.model.order({ name: 'bystander' });
  await world.create('mac-0');
  await world.pass(60);

  const config = JSON.parse(world.started.at(-1)?.kubeconfig ?? '{}');
  assert.equal(config.users[0].user.token, 'token of tart-kubelet-mac-0');
  const binding = await world.api.get(ClusterRoleBinding, { name: 'tart-kubelet-mac-0' });
  assert.equal(binding.roleRef.name, 'tart-kubelet');

  await world.delete('mac-0');
  await world.pass(60);
  assert.equal(await world.machine('mac-0'), undefined);
  const names = (await world.api.list(ServiceAccount, { namespace: NS })).items.map(({ metadata }) => metadata.name);
  assert.ok(!names.includes('tart-kubelet-mac-0'));
  assert.equal(await world.api.find(ClusterRoleBinding, { name: 'tart-kubelet-mac-0' }), undefined);
});

test('another machine of the same name keeps its agent’s rights', async () => {
  world = await macTestWorld({ identity: 'service account' });
  world.free('one');
  world.model.order({ name: 'bystander' });
  await world.create('mac-0');
  await world.pass(60);
  await world.create('mac-0', {}, 'default');
  await world.pass(10);

  await world.delete('mac-0', 'default');
  await world.pass(30);

  assert.notEqual(await world.api.find(ClusterRoleBinding, { name: 'tart-kubelet-mac-0' }), undefined);
});
