// An address that is deleted while its pool goes: nobody could make it again for the claim that uses it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { minutes, seconds } from '../../base/clock.ts';
import { CapiIPAddress } from '../../kinds/generated/capi-ip-address.generated.ts';
import { IPAddress } from '../../kinds/generated/ip-address.generated.ts';
import { IPAddressClaim } from '../../kinds/generated/ip-address-claim.generated.ts';
import { IPClaim } from '../../kinds/generated/ip-claim.generated.ts';
import { IPPool } from '../../kinds/generated/ip-pool.generated.ts';
import type { Kind } from '../../kube/kind.ts';
import { aCapiClaim, aClaim, addresses, aPool, at, capiAddresses, left } from '../objects.testing.ts';
import { anIpamTest } from '../world.testing.ts';

test('an address of either kind that is deleted after its pool stays until its claim goes, and says so; then all of them go (ipam-g9, ipam-g11)', async () => {
  const t = await anIpamTest();
  await aPool(t.api);
  await aClaim(t.api, 'a');
  await aCapiClaim(t.api, 'b');
  await t.pass(seconds(1));

  await t.api.delete(IPPool, at('pool'));
  await t.pass(seconds(1));
  for (const name of ['ip-192-168-0-10', 'ip-192-168-0-11']) {
    for (const kind of [IPAddress, CapiIPAddress] as readonly Kind[]) {
      if ((await t.api.find(kind, at(name))) !== undefined) await t.api.delete(kind, at(name));
    }
  }
  await t.pass(minutes(5));
  const held = [...(await addresses(t.api)), ...(await capiAddresses(t.api))].map(each => each.split(' ')[0]);
  await t.api.delete(IPClaim, at('a'));
  await t.api.delete(IPAddressClaim, at('b'));
  await t.pass(seconds(5));

  assert.deepEqual(held, ['a', 'b']);
  assert.ok(t.told.some(told => /^Warning InUse: .*IPClaim a, which uses it, to go/.test(told)));
  assert.deepEqual(await left(t.api), {});
  await t.stop();
});
