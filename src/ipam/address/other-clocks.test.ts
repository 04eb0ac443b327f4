// The time since when a claim is lost, as a clock reads it that stands elsewhere than the one that wrote it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { kubeTime, seconds } from '../../base/clock.ts';
import { IPAddress } from '../../kinds/generated/ip-address.generated.ts';
import { IPClaim } from '../../kinds/generated/ip-claim.generated.ts';
import { CLAIM_LOST_ANNOTATION } from '../../kinds/metal-wire.ts';
import { aClaim, addresses, aPool, at } from '../objects.testing.ts';
import { anIpamTest } from '../world.testing.ts';

test('a loss that another clock dates into the future is dated anew, and the address kept its two minutes (ipam-14, safe-21)', async () => {
  const t = await anIpamTest();
  await aPool(t.api);
  await aClaim(t.api, 'a', { finalizers: ['test/held'] });
  await t.pass(seconds(1));
  await t.api.delete(IPClaim, at('a'));
  await t.pass(0);
  await t.api.patch(IPClaim, at('a'), { metadata: { finalizers: [] } });
  await t.pass(0);

  const annotations = { [CLAIM_LOST_ANNOTATION]: kubeTime(t.clock.now() + seconds(30)) };
  await t.api.patch(IPAddress, at('ip-192-168-0-10'), { metadata: { annotations } });
  await t.pass(seconds(1));
  const { metadata } = await t.api.get(IPAddress, at('ip-192-168-0-10'));
  await t.pass(seconds(115));
  const kept = await addresses(t.api);
  await t.pass(seconds(10));

  assert.ok(Date.parse(metadata.annotations?.[CLAIM_LOST_ANNOTATION] ?? '') < t.clock.now() - seconds(120));
  assert.deepEqual([kept, await addresses(t.api)], [['a 192.168.0.10'], []]);
  await t.stop();
});
