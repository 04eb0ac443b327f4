// What a claim comes to when somebody is faster: another process with its address, or a user who takes it away.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { settled } from '../../../sim/time/clock.ts';
import { seconds } from '../../base/clock.ts';
import { IPClaim } from '../../kinds/generated/ip-claim.generated.ts';
import { aClaim, addresses, aPool, at, claimNamed } from '../objects.testing.ts';
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
