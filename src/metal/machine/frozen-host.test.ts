// A host that somebody else has frozen is named as such, with the annotation that they have put there.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BareMetalHost } from '../../kinds/generated/bare-metal-host.generated.ts';
import { Metal3Machine } from '../../kinds/generated/metal3-machine.generated.ts';
import { at } from '../objects.testing.ts';
import { aFleet, provisionedFleet } from './fleet.testing.ts';

const PAUSED = 'baremetalhost.metal3.io/paused';
const FROZEN = /nothing is done to it while it has the annotation baremetalhost\.metal3\.io\/paused=me/;

test('a machine that goes says who keeps its host from being deprovisioned, and goes on when that is over', async () => {
  const fleet = await aFleet();
  await provisionedFleet(fleet);
  await fleet.api.patch(BareMetalHost, at('h1'), { metadata: { annotations: { [PAUSED]: 'me' } } });

  await fleet.api.delete(Metal3Machine, at('m1'));
  await fleet.pass(200);
  const held = await fleet.said('m1', 'Deleting');
  await fleet.api.patch(BareMetalHost, at('h1'), { metadata: { annotations: { [PAUSED]: null } } });
  await fleet.pass(200);
  const thawed = await fleet.said('m1', 'Deleting');
  await fleet.state('h1', 'available');
  await fleet.pass(200);

  assert.match(held, /BareMetalHost h1 to be deprovisioned, now provisioned: /);
  assert.match(held, FROZEN);
  assert.match(thawed, /BareMetalHost h1 to be deprovisioned, now provisioned$/);
  assert.equal(await fleet.api.find(Metal3Machine, at('m1')), undefined);
  await fleet.stop();
});

test('a machine that goes says that its host is detached', async () => {
  const fleet = await aFleet();
  await provisionedFleet(fleet);
  const annotations = { 'baremetalhost.metal3.io/detached': 'true' };
  await fleet.api.patch(BareMetalHost, at('h1'), { metadata: { annotations } });

  await fleet.api.delete(Metal3Machine, at('m1'));
  await fleet.pass(200);

  assert.match(await fleet.said('m1', 'Deleting'), /annotation baremetalhost\.metal3\.io\/detached=true/);
  await fleet.stop();
});

test('a machine that waits for its host to be provisioned says who has frozen it', async () => {
  const fleet = await aFleet();
  await provisionedFleet(fleet);
  await fleet.state('h1', 'provisioning');
  await fleet.api.patch(
    Metal3Machine,
    at('m1'),
    { status: { initialization: null, ready: null } },
    { subresource: 'status' },
  );

  await fleet.api.patch(BareMetalHost, at('h1'), { metadata: { annotations: { [PAUSED]: 'me' } } });
  await fleet.pass(200);

  const said = await fleet.said('m1', 'BareMetalHostProvisioned');
  assert.match(said, /h1 to be provisioned, now provisioning: /);
  assert.match(said, FROZEN);
  await fleet.stop();
});
