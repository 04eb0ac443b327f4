// Claims whose machine was removed by force: who lets them go, when, and what is said until then.

import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { seconds } from '../../base/clock.ts';
import { BareMetalHost } from '../../kinds/generated/bare-metal-host.generated.ts';
import { Cluster } from '../../kinds/generated/cluster.generated.ts';
import { Machine } from '../../kinds/generated/machine.generated.ts';
import { Metal3DataClaim } from '../../kinds/generated/metal3-data-claim.generated.ts';
import { Metal3Machine } from '../../kinds/generated/metal3-machine.generated.ts';
import { HOST_ANNOTATION, METAL3_DATA_CLAIM_FINALIZER, METAL3_MACHINE_FINALIZER } from '../../kinds/metal-wire.ts';
import { at } from '../objects.testing.ts';
import { aFleet, CLUSTER, type Fleet, IMAGE, provisionedFleet } from './fleet.testing.ts';

let fleet: Fleet;
beforeEach(async () => {
  fleet = await aFleet();
  await provisionedFleet(fleet);
});
afterEach(() => fleet.stop());

/** As a person does who takes the finalizers off; then the garbage collector deletes the claim. */
async function removeByForce(): Promise<void> {
  await fleet.api.patch(Cluster, at(CLUSTER), { spec: { paused: true } });
  await fleet.pass(200);
  await fleet.api.delete(Metal3Machine, at('m1'));
  await fleet.api.patch(Metal3Machine, at('m1'), { metadata: { finalizers: [] } });
  await fleet.api.delete(Metal3DataClaim, at('m1'));
  await fleet.api.patch(Cluster, at(CLUSTER), { spec: { paused: false } });
  await fleet.pass(200);
}

const finalizers = async (): Promise<readonly string[] | undefined> => (await fleet.claimOf('m1'))?.metadata.finalizers;

test('a claim without its machine is held while its host runs, and says how to go on (metal-h1)', async () => {
  await removeByForce();

  assert.deepEqual(await finalizers(), [METAL3_MACHINE_FINALIZER, METAL3_DATA_CLAIM_FINALIZER]);
  assert.ok(fleet.told.some(told => /^Warning HostInUse: BareMetalHost h1 to be emptied: .*or delete it/.test(told)));
  assert.equal((await fleet.hostOf('h1')).spec?.image?.url, IMAGE.url);
});

test('it is let go when the host is gone (metal-c)', async () => {
  await removeByForce();

  await fleet.api.delete(BareMetalHost, at('h1'));
  await fleet.pass(200);

  assert.deepEqual(await finalizers(), [METAL3_DATA_CLAIM_FINALIZER]);
});

test('it is let go when the host was emptied and is off, or is another’s', async () => {
  await removeByForce();
  await fleet.api.patch(BareMetalHost, at('h1'), { spec: { image: null, online: false } });
  await fleet.state('h1', 'deprovisioning', { poweredOn: true });
  await fleet.pass(200);
  assert.deepEqual(await finalizers(), [METAL3_MACHINE_FINALIZER, METAL3_DATA_CLAIM_FINALIZER]);

  await fleet.state('h1', 'available');
  await fleet.pass(200);

  assert.deepEqual(await finalizers(), [METAL3_DATA_CLAIM_FINALIZER]);
});

test('a later machine of the same name does not keep it, and gets a claim of its own (metal-G14, metal-S22)', async () => {
  await removeByForce();
  await fleet.api.patch(BareMetalHost, at('h1'), { spec: { consumerRef: null, image: null, online: false } });
  await fleet.state('h1', 'available');
  await fleet.host('h2');
  await fleet.api.delete(Machine, at('m1'));
  await fleet.machine('m1', { spec: { image: IMAGE, dataTemplate: { name: 't' } } });
  await fleet.pass(seconds(2));
  assert.deepEqual(await finalizers(), [METAL3_DATA_CLAIM_FINALIZER]);

  await fleet.api.patch(Metal3DataClaim, at('m1'), { metadata: { finalizers: [] } });
  await fleet.pass(200);

  const claim = await fleet.claimOf('m1');
  assert.equal(claim?.metadata.ownerReferences?.[0]?.uid, (await fleet.machineOf('m1')).metadata.uid);
});

test('while its machine is there, a deleting claim is left to that machine', async () => {
  await fleet.api.delete(Metal3DataClaim, at('m1'));

  await fleet.pass(seconds(120));

  assert.deepEqual(await finalizers(), [METAL3_MACHINE_FINALIZER, METAL3_DATA_CLAIM_FINALIZER]);
});

test('so it is when no host runs with it any more: its data is the machine’s until that goes (metal-S2)', async () => {
  await fleet.api.delete(BareMetalHost, at('h1'));
  await fleet.api.delete(Metal3DataClaim, at('m1'));
  await fleet.pass(seconds(120));
  const held = await finalizers();

  await fleet.api.delete(Metal3Machine, at('m1'));
  await fleet.pass(200);

  assert.deepEqual(held, [METAL3_MACHINE_FINALIZER, METAL3_DATA_CLAIM_FINALIZER]);
  assert.deepEqual(await finalizers(), [METAL3_DATA_CLAIM_FINALIZER]);
});

test('of a paused Cluster nothing is let go', async () => {
  await removeByForce();
  await fleet.api.patch(Cluster, at(CLUSTER), { spec: { paused: true } });
  await fleet.api.delete(BareMetalHost, at('h1'));
  await fleet.pass(seconds(120));
  assert.deepEqual(await finalizers(), [METAL3_MACHINE_FINALIZER, METAL3_DATA_CLAIM_FINALIZER]);

  await fleet.api.patch(Cluster, at(CLUSTER), { spec: { paused: false } });
  await fleet.pass(200);

  assert.deepEqual(await finalizers(), [METAL3_DATA_CLAIM_FINALIZER]);
});

test('a host that a later machine of the same name has on record is that one\u2019s, and holds no earlier claim (metal-G14, metal-S22)', async () => {
  await fleet.api.patch(Cluster, at(CLUSTER), { spec: { paused: true } });
  await fleet.pass(200);
  await fleet.api.delete(Metal3Machine, at('m1'));
  await fleet.api.patch(Metal3Machine, at('m1'), { metadata: { finalizers: [] } });
  await fleet.api.delete(Metal3DataClaim, at('m1'));
  await fleet.api.delete(Machine, at('m1'));
  const annotations = { [HOST_ANNOTATION]: 'metal/h1' };
  await fleet.machine('m1', { metadata: { annotations }, spec: { image: IMAGE, dataTemplate: { name: 't' } } });

  await fleet.api.patch(Cluster, at(CLUSTER), { spec: { paused: false } });
  await fleet.pass(seconds(2));

  assert.equal(await fleet.consumer('h1'), 'Metal3Machine m1');
  assert.deepEqual(await finalizers(), [METAL3_DATA_CLAIM_FINALIZER]);
});
