// A host whose consumerRef somebody edits while it runs: what the machine put on it is held until it is gone from it.

import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { seconds } from '../../base/clock.ts';
import { BareMetalHost } from '../../kinds/generated/bare-metal-host.generated.ts';
import { Metal3DataClaim } from '../../kinds/generated/metal3-data-claim.generated.ts';
import { Metal3Machine } from '../../kinds/generated/metal3-machine.generated.ts';
import { HOST_ANNOTATION, METAL3_DATA_CLAIM_FINALIZER, METAL3_MACHINE_FINALIZER } from '../../kinds/metal-wire.ts';
import { apiVersionOf } from '../../kube/kind.ts';
import { at } from '../objects.testing.ts';
import { NS } from '../workload/world.testing.ts';
import { aFleet, type Fleet, IMAGE, provisionedFleet } from './fleet.testing.ts';

let fleet: Fleet;
beforeEach(async () => {
  fleet = await aFleet();
});
afterEach(() => fleet.stop());

const HELD = [METAL3_MACHINE_FINALIZER, METAL3_DATA_CLAIM_FINALIZER];
const finalizers = async (): Promise<readonly string[] | undefined> => (await fleet.claimOf('m1'))?.metadata.finalizers;
const isThere = async (): Promise<boolean> => (await fleet.api.find(Metal3Machine, at('m1'))) !== undefined;

async function edited(spec: Readonly<Record<string, unknown>>): Promise<void> {
  await fleet.api.patch(BareMetalHost, at('h1'), { spec });
}

const consumerIs = (name: string) => ({
  consumerRef: { apiVersion: apiVersionOf(Metal3Machine), kind: Metal3Machine.kind, namespace: NS, name },
});

async function remove(): Promise<void> {
  await fleet.api.delete(Metal3Machine, at('m1'));
  await fleet.pass(200);
}

for (const missing of ['the consumerRef', 'the record too'] as const) {
  test(`a host that lost ${missing} while nobody looked is given back as any other: emptied, off, and then free (metal-h1)`, async () => {
    await provisionedFleet(fleet);
    await fleet.halt();
    await edited({ consumerRef: null });
    const annotations = { [HOST_ANNOTATION]: null };
    if (missing !== 'the consumerRef') await fleet.api.patch(Metal3Machine, at('m1'), { metadata: { annotations } });
    await fleet.api.delete(Metal3Machine, at('m1'));

    await fleet.restart();
    await fleet.pass(200);
    const emptied = (await fleet.hostOf('h1')).spec;
    await fleet.state('h1', 'deprovisioning', { poweredOn: true });
    await fleet.pass(seconds(60));
    const held = await finalizers();
    await fleet.state('h1', 'available');
    await fleet.pass(200);

    assert.deepEqual([emptied?.image, emptied?.online, emptied?.consumerRef?.name], [undefined, false, 'm1']);
    assert.deepEqual(held, HELD);
    assert.equal(await isThere(), false);
    assert.equal(await fleet.consumer('h1'), undefined);
    assert.deepEqual(await finalizers(), [METAL3_DATA_CLAIM_FINALIZER]);
  });
}

test('a host that loses its consumerRef while it is emptied holds the addresses until it is off (metal-h1)', async () => {
  await provisionedFleet(fleet);
  await remove();
  await fleet.state('h1', 'deprovisioning', { poweredOn: true });
  await fleet.pass(200);

  await edited({ consumerRef: null });
  await fleet.pass(seconds(60));
  const held = await finalizers();
  await fleet.state('h1', 'available');
  await fleet.pass(200);

  assert.deepEqual(held, HELD);
  assert.equal(await isThere(), false);
});

test('a host that names another consumer is not touched, and holds the machine, which says so, while it runs what is its own (metal-h1, metal-h3)', async () => {
  await provisionedFleet(fleet);
  await edited(consumerIs('other'));
  await fleet.machine('other');
  await remove();
  await fleet.pass(seconds(60));
  const { spec } = await fleet.hostOf('h1');
  const said = await fleet.said('m1', 'Deleting');
  const held = await finalizers();

  await edited({ image: null, userData: null, metaData: null, networkData: null, online: false });
  await fleet.pass(seconds(5));
  const adopted = (await fleet.hostOf('h1')).spec?.image;
  await fleet.state('h1', 'deprovisioning', { poweredOn: true });
  await fleet.pass(seconds(60));
  const heldStill = await finalizers();
  await fleet.state('h1', 'available');
  await fleet.pass(200);

  assert.deepEqual([spec?.image?.url, spec?.online, spec?.consumerRef?.name], [IMAGE.url, true, 'other']);
  assert.match(said, /^True ReleaseHost: .*h1 to be emptied or installed anew: its consumer is Metal3Machine other/);
  assert.ok(fleet.told.some(told => /^Warning RunsForAnother: .*BareMetalHost h1/.test(told)));
  assert.deepEqual([held, heldStill, adopted], [HELD, HELD, undefined]);
  assert.equal(await isThere(), false);
  assert.equal(await fleet.consumer('h1'), 'Metal3Machine other');
});

test('a host that another consumer has installed anew holds nobody (metal-S24)', async () => {
  await provisionedFleet(fleet);
  const image = { ...IMAGE, url: 'http://images/theirs.qcow2' };
  const theirs = { metaData: { name: 'other-metadata' }, networkData: null, userData: { name: 'theirs' } };
  await edited({ ...consumerIs('other'), image, ...theirs });

  await remove();

  assert.equal(await isThere(), false);
  assert.equal((await fleet.hostOf('h1')).spec?.image?.url, image.url);
});

test('a machine without data that was faster with its record than another with the host holds nothing of it (metal-h3)', async () => {
  await fleet.host('h1');
  await fleet.machine('m1');
  await fleet.pass(200);
  await fleet.state('h1', 'provisioned');
  const annotations = { [HOST_ANNOTATION]: `${NS}/h1` };
  await fleet.machine('m2', { metadata: { annotations } });
  await fleet.api.delete(Metal3Machine, at('m2'));
  await fleet.pass(seconds(60));

  assert.equal(await fleet.api.find(Metal3Machine, at('m2')), undefined);
  assert.equal(await fleet.consumer('h1'), 'Metal3Machine m1');
});

test('without its machine, too, a claim is held while a host runs with the data of that machine, whoever it names (metal-h1)', async () => {
  await provisionedFleet(fleet);
  await edited({ networkData: { name: 'm1-networkdata', namespace: NS } });
  await fleet.halt();
  await edited({ consumerRef: null });
  await fleet.api.delete(Metal3Machine, at('m1'));
  await fleet.api.patch(Metal3Machine, at('m1'), { metadata: { finalizers: [] } });
  await fleet.api.delete(Metal3DataClaim, at('m1'));
  await fleet.restart();
  await fleet.pass(seconds(90));
  const held = await finalizers();

  await edited({ image: null, online: false });
  await fleet.state('h1', 'available');
  await fleet.pass(200);

  assert.deepEqual([held, await finalizers()], [HELD, [METAL3_DATA_CLAIM_FINALIZER]]);
});

test('a machine that has no data yet takes back the host that it has begun to install, and no other (metal-h1)', async () => {
  await fleet.host('h1');
  await fleet.machine('m1');
  await fleet.pass(200);
  await fleet.state('h1', 'provisioning');
  await fleet.host('h2');

  await edited({ consumerRef: null });
  await fleet.pass(seconds(5));

  assert.deepEqual([await fleet.consumer('h1'), await fleet.consumer('h2')], ['Metal3Machine m1', undefined]);
  assert.equal(await fleet.recorded('m1'), `${NS}/h1`);
});
