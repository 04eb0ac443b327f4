// A pool whose prefix makes no name is let in, as upstream does, and says itself that it serves nobody; so do its claims.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seconds } from '../../base/clock.ts';
import { IPPool } from '../../kinds/generated/ip-pool.generated.ts';
import { prefixFault } from '../allocation/name-prefix.ts';
import { aClaim, addresses, aPool, at, claimNamed, poolNamed, said } from '../objects.testing.ts';
import { anIpamTest } from '../world.testing.ts';

test('a pool with a prefix of which no name can be made says so, its claims say so, and a pool with another serves them', async () => {
  const t = await anIpamTest();
  await aPool(t.api, { namePrefix: 'Bad_Prefix' });
  await aClaim(t.api, 'a');
  await t.pass(seconds(1));
  const [pool, claim] = [await poolNamed(t.api), await claimNamed(t.api, 'a')];
  const tried = t.writes.filter(write => write.startsWith('POST'));

  await t.api.delete(IPPool, at('pool'));
  await t.api.patch(IPPool, at('pool'), { metadata: { finalizers: null } });
  await aPool(t.api);
  await t.pass(seconds(2));

  assert.match(said(pool) ?? '', /^False InvalidSpec: spec\.namePrefix: "Bad_Prefix" begins no valid name /);
  assert.match(
    said(claim) ?? '',
    /^False PoolNotReady: Waiting for another IPPool pool: spec\.namePrefix: "Bad_Prefix"/,
  );
  assert.deepEqual(tried, []);
  assert.deepEqual(await addresses(t.api), ['a 192.168.0.10']);
  await t.stop();
});

test('prefixes of which names can be made have no fault', () => {
  const fault = (namePrefix: string): string | undefined => prefixFault({ spec: { namePrefix, pools: [] } });

  assert.deepEqual(['a', 'pool-1', 'pool.site', '0', 'a-'].map(fault), Array(5).fill(undefined));
  for (const prefix of ['', 'A', 'a_b', '-a', 'a.', 'a'.repeat(250)])
    assert.match(fault(prefix) ?? '', /begins no valid name/);
});
