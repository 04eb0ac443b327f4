// A claim that was robbed of its finalizer, or is gone by force, while its machine stays: what the machine does and says.

import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { Metal3Data } from '../../kinds/generated/metal3-data.generated.ts';
import { Metal3DataClaim } from '../../kinds/generated/metal3-data-claim.generated.ts';
import { Metal3Machine } from '../../kinds/generated/metal3-machine.generated.ts';
import { METAL3_DATA_CLAIM_FINALIZER, METAL3_MACHINE_FINALIZER } from '../../kinds/metal-wire.ts';
import { PAUSED_ANNOTATION } from '../../kinds/wire.ts';
import { at } from '../objects.testing.ts';
import { aFleet, type Fleet, provisionedFleet } from './fleet.testing.ts';

let fleet: Fleet;
beforeEach(async () => {
  fleet = await aFleet();
  await provisionedFleet(fleet);
});
afterEach(() => fleet.stop());

const ONLY_DATA_CLAIM = { metadata: { finalizers: [METAL3_DATA_CLAIM_FINALIZER] } };

const finalizers = async (): Promise<readonly string[]> =>
  [...((await fleet.claimOf('m1'))?.metadata.finalizers ?? [])].sort();

test('a claim that lost the machine’s finalizer gets it back, so that an ordinary deletion frees nothing (metal-h1)', async () => {
  await fleet.api.patch(Metal3DataClaim, at('m1'), ONLY_DATA_CLAIM);
  await fleet.pass(200);
  const back = await finalizers();
  await fleet.api.delete(Metal3DataClaim, at('m1'));
  await fleet.pass(200);

  assert.deepEqual(back, [METAL3_DATA_CLAIM_FINALIZER, METAL3_MACHINE_FINALIZER]);
  assert.deepEqual(await finalizers(), back);
});

test('a paused claim is not written to, though it lost its finalizer', async () => {
  const annotations = { [PAUSED_ANNOTATION]: '' };
  await fleet.api.patch(Metal3DataClaim, at('m1'), { metadata: { ...ONLY_DATA_CLAIM.metadata, annotations } });

  await fleet.pass(200);

  assert.deepEqual(await finalizers(), [METAL3_DATA_CLAIM_FINALIZER]);
});

test('a claim that was removed by force is made again for its machine (metal-S9)', async () => {
  const before = await fleet.claimOf('m1');
  await fleet.api.delete(Metal3DataClaim, at('m1'));
  await fleet.api.patch(Metal3DataClaim, at('m1'), { metadata: { finalizers: [] } });

  await fleet.pass(200);

  const now = await fleet.claimOf('m1');
  assert.notEqual(now?.metadata.uid, before?.metadata.uid);
  assert.equal(now?.metadata.ownerReferences?.[0]?.uid, (await fleet.machineOf('m1')).metadata.uid);
});

test('a machine whose data is gone says so, and that all is well once it is there again', async () => {
  await fleet.api.delete(Metal3Data, at('t-1'));
  await fleet.pass(200);
  const lost = await fleet.said('m1', 'Metal3DataReady');
  const sum = await fleet.said('m1', 'Ready');

  await fleet.rendered('m1', 't-1');
  await fleet.pass(200);

  assert.match(lost, /^False Metal3DataLost: .*Metal3Data t-1, which .* is gone/);
  assert.match(sum, /^False NotReady: /);
  assert.equal(await fleet.said('m1', 'Ready'), 'True Ready: ');
});

test('a deleting claim of a machine that has forgotten its data is held while the host runs (metal-S2, metal-h1)', async () => {
  const forgotten = { status: { renderedData: null } };
  await fleet.api.delete(Metal3DataClaim, at('m1'));
  await fleet.api.patch(Metal3Machine, at('m1'), forgotten, { subresource: 'status' });

  await fleet.pass(200);

  assert.deepEqual(await finalizers(), [METAL3_DATA_CLAIM_FINALIZER, METAL3_MACHINE_FINALIZER]);
  assert.equal((await fleet.machineOf('m1')).status?.renderedData, undefined);
});
