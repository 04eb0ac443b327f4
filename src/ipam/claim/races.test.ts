// What a claim comes to when somebody is faster: another process with its address, or a user who takes it away.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { settled } from '../../../sim/time/clock.ts';
import { seconds } from '../../base/clock.ts';
import { IPAddress } from '../../kinds/generated/ip-address.generated.ts';
import { IPClaim } from '../../kinds/generated/ip-claim.generated.ts';
import { heldWatch } from '../../kube/held-watch.testing.ts';
import { aClaim, addresses, anAddress, aPool, at, claimNamed, ownedBy } from '../objects.testing.ts';
import { anIpamTest, type IpamTest } from '../world.testing.ts';

const POOL = { pools: [{ start: '10.0.0.1', end: '10.0.0.1' }] };

test('an address that was made for this very claim meanwhile is its own: no second one is made', async () => {
  let isFirst = true;
  const t = await anIpamTest({
    between: next => async request => {
      if (isFirst && request.method === 'POST' && request.path.endsWith('/ipaddresses')) {
        isFirst = false;
        await next(request);
      }
      return next(request);
    },
  });
  await aPool(t.api);
  await aClaim(t.api, 'a');

  await t.pass(seconds(1));

  assert.deepEqual(await addresses(t.api), ['a 192.168.0.10']);
  assert.equal((await claimNamed(t.api, 'a'))?.status?.address?.name, 'ip-192-168-0-10');
  await t.stop();
});

test('a claim that is taken away while it is being served holds nothing afterwards', async () => {
  let t: IpamTest | undefined;
  let isFirst = true;
  t = await anIpamTest({
    between: next => async request => {
      const answer = await next(request);
      if (isFirst && request.method === 'PATCH' && request.path.endsWith('/ipclaims/a')) {
        isFirst = false;
        await t?.api.patch(IPClaim, at('a'), { metadata: { finalizers: [] } });
        await t?.api.delete(IPClaim, at('a'));
        for (let turn = 0; turn < 20; turn++) await settled();
      }
      return answer;
    },
  });
  await aPool(t.api, POOL);
  await aClaim(t.api, 'a');
  for (let turn = 0; turn < 100; turn++) await settled();
  await t.pass(seconds(5));

  await aClaim(t.api, 'b');
  await t.pass(seconds(2));

  assert.deepEqual(await addresses(t.api), ['b 10.0.0.1']);
  await t.stop();
});

test('a manager that does not see yet that a claim was made anew takes no address from it (safe-1, metal-G14)', async () => {
  const watch = heldWatch('ipclaims');
  const t = await anIpamTest({ between: watch.between });
  await aClaim(t.api, 'a', { annotations: { ipAddress: '192.168.0.10' } });
  await t.pass(seconds(1));
  watch.close();
  await t.api.patch(IPClaim, at('a'), { metadata: { finalizers: [] } });
  await t.api.delete(IPClaim, at('a'));
  const anew = await aClaim(t.api, 'a');
  // As the manager that leads by now makes it.
  const metadata = { finalizers: ['ipaddress.ipam.metal3.io'], ownerReferences: ownedBy(IPClaim, anew) };
  await anAddress(t.api, '192.168.0.10', 'a', metadata);
  await t.pass(seconds(1));
  await aPool(t.api);
  await t.pass(seconds(30));
  const ownersOf = async () => (await t.api.get(IPAddress, at('ip-192-168-0-10'))).metadata.ownerReferences;
  const meanwhile = await ownersOf();

  watch.open();
  await t.pass(seconds(30));

  assert.deepEqual([meanwhile, await ownersOf()], [ownedBy(IPClaim, anew), ownedBy(IPClaim, anew)]);
  assert.equal((await claimNamed(t.api, 'a'))?.status?.address?.name, 'ip-192-168-0-10');
  assert.deepEqual(await addresses(t.api), ['a 192.168.0.10']);
  await t.stop();
});
