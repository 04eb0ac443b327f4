// An address in use and the pools that it could be made again in: one that goes unseen makes none, and one of another name is not its own.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { minutes, seconds } from '../../base/clock.ts';
import { IPAddress } from '../../kinds/generated/ip-address.generated.ts';
import { IPClaim } from '../../kinds/generated/ip-claim.generated.ts';
import { IPPool } from '../../kinds/generated/ip-pool.generated.ts';
import { heldWatch } from '../../kube/held-watch.testing.ts';
import { aClaim, addresses, aPool, at, claimNamed } from '../objects.testing.ts';
import { anIpamTest } from '../world.testing.ts';

test('an address that is deleted right after its pool stays with its claim, though nobody has seen the pool go (safe-1, ipam-g9)', async () => {
  const watch = heldWatch('ippools');
  const t = await anIpamTest({ between: watch.between });
  await aPool(t.api);
  await aClaim(t.api, 'a');
  await t.pass(seconds(5));
  const { metadata } = await t.api.get(IPAddress, at('ip-192-168-0-10'));

  watch.close();
  await t.api.delete(IPPool, at('pool'));
  await t.api.delete(IPAddress, at('ip-192-168-0-10'));
  await t.pass(minutes(1));
  const held = await t.api.find(IPAddress, at('ip-192-168-0-10'));
  watch.open();
  await t.pass(minutes(1));

  assert.equal(held?.metadata.uid, metadata.uid);
  assert.deepEqual(await addresses(t.api), ['a 192.168.0.10']);
  await t.stop();
});

test('a claim that comes back for another pool does not take over the address that it lost in the first (ipam-14)', async () => {
  const t = await anIpamTest();
  await aPool(t.api);
  await aPool(t.api, { namePrefix: 'other' }, 'other');
  await aClaim(t.api, 'a', { finalizers: ['test/held'] });
  await t.pass(seconds(1));
  await t.api.delete(IPClaim, at('a'));
  await t.pass(0);
  await t.api.patch(IPClaim, at('a'), { metadata: { finalizers: [] } });
  await t.pass(seconds(1));

  await aClaim(t.api, 'a', { annotations: { ipAddress: '192.168.0.10' } }, 'other');
  await t.pass(seconds(5));

  assert.equal((await claimNamed(t.api, 'a'))?.status?.address?.name, 'other-192-168-0-10');
  await t.stop();
});
