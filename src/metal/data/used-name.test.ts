// Who counts as one who runs with a Data, or with what is left of it: by UID, by what they have noted, and until they go.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { minutes, seconds } from '../../base/clock.ts';
import { BareMetalHost } from '../../kinds/generated/bare-metal-host.generated.ts';
import { Metal3Data } from '../../kinds/generated/metal3-data.generated.ts';
import { Metal3DataClaim } from '../../kinds/generated/metal3-data-claim.generated.ts';
import { Metal3Machine } from '../../kinds/generated/metal3-machine.generated.ts';
import {
  HOST_ANNOTATION,
  METAL3_DATA_CLAIM_FINALIZER,
  METAL3_DATA_FINALIZER,
  METAL3_MACHINE_FINALIZER,
} from '../../kinds/metal-wire.ts';
import { at, put, said } from '../objects.testing.ts';
import { type MetalTest, NS } from '../workload/world.testing.ts';
import { dataNamed } from './data-world.testing.ts';
import { aRunningHost, hostIs, leaseOf, torn } from './running-host.testing.ts';

const HELD = { metadata: { finalizers: [METAL3_MACHINE_FINALIZER] } };

const noted = (t: MetalTest, name: string): Promise<Metal3Machine> =>
  t.api.patch(
    Metal3Machine,
    at('m0'),
    { status: { renderedData: { name, namespace: NS } } },
    { subresource: 'status' },
  );

async function emptied(t: MetalTest): Promise<void> {
  await t.api.patch(BareMetalHost, at('host-m0'), { spec: { image: null, online: false } });
  await hostIs(t, 'available');
}

/** Whether its Data, or whoever stands in for it, has not let go of the lease yet. */
const isLeaseHeld = async (t: MetalTest): Promise<boolean> => {
  const metadata = (await leaseOf(t))?.metadata;
  return metadata?.deletionTimestamp === undefined && metadata?.finalizers?.includes(METAL3_DATA_FINALIZER) === true;
};

test('a Data without its Claim goes though the host of its machine runs, where that machine has noted another Data (metal-G11)', async () => {
  const t = await aRunningHost();
  await t.halt();
  await noted(t, 'abc-7');
  await torn(t, Metal3DataClaim, 'm0');

  await t.restart();
  await t.pass(seconds(10));

  assert.equal(await dataNamed(t, 'abc-0'), undefined);
  assert.equal(await isLeaseHeld(t), false);
  await t.stop();
});

test('a machine that is being deleted makes no Claim again: once its host is off the Data does not wait for it (metal-S9)', async () => {
  const t = await aRunningHost();
  await t.halt();
  await emptied(t);
  await t.api.patch(Metal3Machine, at('m0'), HELD);
  await torn(t, Metal3DataClaim, 'm0');
  await t.restart();
  await t.pass(seconds(10));
  const kept = await dataNamed(t, 'abc-0');

  await t.api.delete(Metal3Machine, at('m0'));
  await t.pass(seconds(10));

  assert.notEqual(kept, undefined, 'its machine makes the Claim again');
  assert.notEqual((await t.api.get(Metal3Machine, at('m0'))).metadata.deletionTimestamp, undefined);
  assert.equal(await dataNamed(t, 'abc-0'), undefined);
  await t.stop();
});

test('a lease of a lost Data stays while the machine that has noted it stays, its host off or not, and goes with it (metal-S11)', async () => {
  const t = await aRunningHost();
  await t.halt();
  await emptied(t);
  await t.api.patch(Metal3Machine, at('m0'), HELD);
  await torn(t, Metal3DataClaim, 'm0');
  await torn(t, Metal3Data, 'abc-0');
  await t.restart();
  await t.pass(minutes(2));
  const held = await isLeaseHeld(t);

  await t.api.delete(Metal3Machine, at('m0'));
  await t.pass(seconds(10));

  assert.deepEqual([held, await isLeaseHeld(t)], [true, false]);
  await t.stop();
});

test('a lease of a lost Data stays while the host of a machine runs that is being deleted, and goes once it is off (metal-S11, metal-h1)', async () => {
  const t = await aRunningHost();
  await t.halt();
  await t.api.patch(Metal3Machine, at('m0'), HELD);
  await t.api.delete(Metal3Machine, at('m0'));
  await torn(t, Metal3DataClaim, 'm0');
  await torn(t, Metal3Data, 'abc-0');
  await t.restart();
  await t.pass(minutes(2));
  const held = await isLeaseHeld(t);

  await emptied(t);
  await t.pass(seconds(10));

  assert.deepEqual([held, await isLeaseHeld(t)], [true, false]);
  await t.stop();
});

test('with Data and machine removed by force, the Claim that has noted the Data keeps its lease until the host is off (metal-S11, metal-h1)', async () => {
  const t = await aRunningHost();
  await t.halt();
  const finalizers = [METAL3_MACHINE_FINALIZER, METAL3_DATA_CLAIM_FINALIZER];
  await t.api.patch(Metal3DataClaim, at('m0'), { metadata: { finalizers } });
  await t.api.delete(Metal3DataClaim, at('m0'));
  await torn(t, Metal3Machine, 'm0');
  await torn(t, Metal3Data, 'abc-0');
  await t.restart();
  await t.pass(minutes(2));
  const held = await isLeaseHeld(t);

  await emptied(t);
  await t.pass(seconds(10));

  assert.deepEqual([held, await isLeaseHeld(t)], [true, false]);
  await t.stop();
});

test('what a later machine of the same name has noted says nothing of the Data that the host of the earlier one runs with (metal-G14, metal-h1)', async () => {
  const t = await aRunningHost();
  await t.halt();
  await torn(t, Metal3Machine, 'm0');
  await put(t.api, Metal3Machine, 'm0', {
    metadata: { annotations: { [HOST_ANNOTATION]: `${NS}/another` } },
    spec: { dataTemplate: { name: 'abc' } },
  });
  await noted(t, 'abc-7');
  await torn(t, Metal3DataClaim, 'm0');
  await t.api.delete(Metal3Data, at('abc-0'));
  await t.restart();
  await t.pass(minutes(2));
  const held = await isLeaseHeld(t);
  const why = said(await t.api.get(Metal3Data, at('abc-0')), 'Deleting');

  await emptied(t);
  await t.pass(seconds(10));

  assert.match(why, /^True HostInUse: Waiting for BareMetalHost host-m0 to be emptied: .*was removed by force/);
  assert.deepEqual([held, await isLeaseHeld(t)], [true, false]);
  await t.stop();
});
