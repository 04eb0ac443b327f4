// The address manager with watches alone, with timers alone, and under upstream's definitions: it comes to the same end.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { minutes, seconds } from '../base/clock.ts';
import { Cluster } from '../kinds/generated/cluster.generated.ts';
import { IPAddress } from '../kinds/generated/ip-address.generated.ts';
import { IPAddressClaim } from '../kinds/generated/ip-address-claim.generated.ts';
import { IPClaim } from '../kinds/generated/ip-claim.generated.ts';
import { IPPool } from '../kinds/generated/ip-pool.generated.ts';
import { withoutEvents } from '../kube/without-events.testing.ts';
import {
  aCapiClaim,
  aClaim,
  addresses,
  anAddress,
  aPool,
  at,
  capiAddresses,
  claimNamed,
  left,
  objectOf,
  poolNamed,
} from './objects.testing.ts';
import { anIpamTest, type IpamTest, type IpamTestOptions } from './world.testing.ts';

const WAYS: readonly (readonly [string, IpamTestOptions, number])[] = [
  ['watches alone', { rechecks: 'outside only' }, seconds(3)],
  ['timers alone', { between: withoutEvents }, minutes(30)],
];

for (const [way, options, laterMs] of WAYS) {
  test(`${way}: waits of every kind end`, async () => {
    const t = await anIpamTest(options);
    const later = (): Promise<void> => t.pass(laterMs);
    await aClaim(t.api, 'a');
    await later();
    await aPool(t.api, { clusterName: 'c', pools: [{ start: '10.0.0.1', end: '10.0.0.1' }] });
    await later();
    await aCapiClaim(t.api, 'b');
    await aClaim(t.api, 'asks', { annotations: { ipAddress: '10.0.0.2' } });
    await later();
    await t.api.create(Cluster, objectOf(Cluster, 'c', { paused: true }));
    await later();
    await t.api.patch(IPPool, at('pool'), { spec: { pools: [{ start: '10.0.0.1', end: '10.0.0.3' }] } });
    await t.api.delete(IPAddress, at('ip-10-0-0-1'));
    await later();
    const paused = [...(await addresses(t.api)), ...(await capiAddresses(t.api))];
    await t.api.patch(Cluster, at('c'), { spec: { paused: false } });
    await later();
    const served = [...(await addresses(t.api)), ...(await capiAddresses(t.api))];
    await t.api.delete(IPPool, at('pool'));
    for (const name of ['a', 'asks']) await t.api.delete(IPClaim, at(name));
    await t.api.delete(IPAddressClaim, at('b'));
    await later();

    assert.deepEqual(paused, ['a 10.0.0.1']);
    assert.deepEqual(served, ['a 10.0.0.1', 'asks 10.0.0.2', 'b 10.0.0.3']);
    assert.deepEqual(await left(t.api), {});
    await t.stop();
  });
}

/** All that is written within an hour in which nobody does anything. */
async function idleWrites(t: IpamTest): Promise<readonly string[]> {
  await t.pass(minutes(5));
  t.writes.length = 0;
  await t.pass(minutes(60));
  return t.writes;
}

test('under upstream\u2019s definitions, which have no conditions, the words are told in Events, once', async () => {
  const t = await anIpamTest({ definitions: 'upstream' });
  await aPool(t.api, {
    pools: [
      { start: '10.0.0.9', end: '10.0.0.1' },
      { start: '10.0.1.1', end: '10.0.1.1' },
    ],
  });
  await anAddress(t.api, '10.0.1.1', 'x');
  await aClaim(t.api, 'a');

  const idle = await idleWrites(t);

  const empty = 'spec.pools[0].end: "10.0.0.1" is before the start 10.0.0.9: the entry gives out no address';
  assert.deepEqual(idle, []);
  assert.deepEqual(t.told.toSorted(), [
    `Warning EmptyRange: ${empty}`,
    'Warning InvalidSpec: spec.pools[0].end: "10.0.0.1" is before the start 10.0.0.9',
    `Warning PoolExhausted: Exhausted IP Pools: see IPPool pool, ${empty}`,
  ]);
  assert.deepEqual((await claimNamed(t.api, 'a'))?.status?.errorMessage, undefined);
  assert.deepEqual((await poolNamed(t.api))?.status?.indexes, { x: '10.0.1.1' });
  await t.stop();
});

test('where nothing changes nothing is written, whatever claims wait for', async () => {
  const t = await anIpamTest();
  await aPool(t.api, { clusterName: 'gone', pools: [{ start: '10.0.0.1', end: '10.0.0.1' }] });
  for (const name of ['a', 'b']) await aClaim(t.api, name);
  await aClaim(t.api, 'c', {}, 'absent');
  await aCapiClaim(t.api, 'd');

  assert.deepEqual(await idleWrites(t), []);
  assert.deepEqual(t.reads, []);
  await t.stop();
});
