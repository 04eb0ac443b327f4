// A host whose state says nothing of what is on its disk: while it has power, or nobody tells, its machine is held.

import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { seconds } from '../../base/clock.ts';
import { BareMetalHost } from '../../kinds/generated/bare-metal-host.generated.ts';
import { Metal3Machine } from '../../kinds/generated/metal3-machine.generated.ts';
import { METAL3_DATA_CLAIM_FINALIZER, METAL3_MACHINE_FINALIZER } from '../../kinds/metal-wire.ts';
import { at } from '../objects.testing.ts';
import { aFleet, type Fleet, provisionedFleet } from './fleet.testing.ts';

let fleet: Fleet;
beforeEach(async () => {
  fleet = await aFleet();
  await provisionedFleet(fleet);
});
afterEach(() => fleet.stop());

const isThere = async (): Promise<boolean> => (await fleet.api.find(Metal3Machine, at('m1'))) !== undefined;

const untold = [
  ['', /to be powered off, now without a state/],
  ['registering', /to be powered off, now registering/],
  ['unmanaged', /to be powered off, now unmanaged: nobody manages its power. Give it spec.bmc, or delete it/],
] as const;

for (const [state, words] of untold) {
  test(`a host in state "${state}" holds its machine while it has power (metal-h1)`, async () => {
    await fleet.state('h1', state, { poweredOn: true });
    await fleet.api.delete(Metal3Machine, at('m1'));
    await fleet.pass(seconds(60));
    const said = await fleet.said('m1', 'Deleting');
    const claim = await fleet.claimOf('m1');

    await fleet.state('h1', state, { poweredOn: false });
    await fleet.pass(200);

    assert.match(said, words);
    assert.deepEqual(claim?.metadata.finalizers, [METAL3_MACHINE_FINALIZER, METAL3_DATA_CLAIM_FINALIZER]);
    assert.equal(await isThere(), false);
  });
}

test('a host that ran its machine and has lost its status holds it until somebody tells, or it is gone (metal-h1)', async () => {
  const status = { provisioning: null, poweredOn: null };
  await fleet.api.patch(BareMetalHost, at('h1'), { status }, { subresource: 'status' });
  await fleet.api.delete(Metal3Machine, at('m1'));
  await fleet.pass(seconds(60));
  const said = await fleet.said('m1', 'Deleting');

  await fleet.api.delete(BareMetalHost, at('h1'));
  await fleet.pass(200);

  assert.match(said, /^True ReleaseHost: .*BareMetalHost h1 to have a status: .*or delete it/);
  assert.equal(await isThere(), false);
});
