// A pool of which a part, or all, gives out no address says so in a condition of its own, and so do the claims on it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { minutes, seconds } from '../../base/clock.ts';
import { IPAddressClaim } from '../../kinds/generated/ip-address-claim.generated.ts';
import { IPClaim } from '../../kinds/generated/ip-claim.generated.ts';
import { IPPool, type IPPoolSpec } from '../../kinds/generated/ip-pool.generated.ts';
import {
  aCapiClaim,
  aClaim,
  addresses,
  aPool,
  at,
  capiAddresses,
  claimNamed,
  poolNamed,
  said,
} from '../objects.testing.ts';
import { anIpamTest } from '../world.testing.ts';
import { idleRanges } from './idle-ranges.ts';

type Entry = NonNullable<IPPoolSpec['pools']>[number];

const NOTHING = 'the entry gives out no address';

test('every kind of entry that gives out no address says which field is to blame, and why', () => {
  const cases: readonly (readonly [Entry, string])[] = [
    [{ start: '10.0.0.9', end: 'fd00::1' }, '.end: "fd00::1" is IPv6 and the start 10.0.0.9 is IPv4'],
    [{ start: '10.9.0.1', subnet: '10.8.0.0/24' }, '.start: "10.9.0.1" is outside of the subnet 10.8.0.0/24'],
    [{ start: 'fd00::1', subnet: '10.8.0.0/24' }, '.start: "fd00::1" is outside of the subnet 10.8.0.0/24'],
    [{ end: '10.0.0.9' }, '.start: neither it nor the subnet is given, and an end alone begins nowhere'],
    [
      { subnet: '10.0.0.1/32' },
      '.subnet: "10.0.0.1/32" has no address after 10.0.0.1 (with 10.0.0.1 as the start too it gives out that one)',
    ],
    [
      { subnet: 'fd00::f/124' },
      '.subnet: "fd00::f/124" has no address after fd00::f (with fd00::f as the start too it gives out that one)',
    ],
    [{ subnet: '10.0.0.0/24', end: 'fd00::1' }, '.end: "fd00::1" is IPv6 and the subnet 10.0.0.0/24 is IPv4'],
    [
      { subnet: '10.0.0.9/24', end: '10.0.0.9' },
      '.end: "10.0.0.9" is not after 10.0.0.9, and the subnet 10.0.0.9/24 alone gives out what comes after that',
    ],
    [{ start: '10.0.0.9', end: '10.0.0.1' }, '.end: "10.0.0.1" is before the start 10.0.0.9'],
    [{ prefix: 24 }, ': "" must have at least one of start, end and subnet'],
    [{ subnet: 'x' }, '.subnet: "x" is not a subnet like 10.0.0.0/24'],
  ];

  for (const [entry, why] of cases) {
    const told = idleRanges({ spec: { namePrefix: 'ip', pools: [{ start: '10.0.0.1' }, entry] } });

    assert.deepEqual(told, [`spec.pools[1]${why}: ${NOTHING}`]);
  }
  assert.deepEqual(
    idleRanges({ spec: { namePrefix: 'ip', pools: [{ start: '10.0.0.1', subnet: '10.0.0.1/32' }] } }),
    [],
  );
});

test('a pool that gives out nothing says so and why, and so do its claims of both kinds; all end when it is mended (ipam-16)', async () => {
  const pools = [{ start: '10.0.0.9', end: 'fd00::1' }];
  const mixed = `spec.pools[0].end: "fd00::1" is IPv6 and the start 10.0.0.9 is IPv4: ${NOTHING}`;
  const empty = 'spec.pools: the list is empty: the pool gives out no address';
  const t = await anIpamTest();
  await aPool(t.api, { pools });
  await aClaim(t.api, 'a');
  await aCapiClaim(t.api, 'b');
  const standing = async (): Promise<readonly unknown[]> => {
    await t.pass(seconds(2));
    const [pool, claim] = [await poolNamed(t.api), await claimNamed(t.api, 'a')];
    const { items } = await t.api.list(IPAddressClaim);
    return [
      said(pool, 'RangesUsable'),
      said(pool, 'RangesApart'),
      said(claim),
      said(items[0]),
      claim?.status?.errorMessage,
    ];
  };

  const first = await standing();
  t.writes.length = 0;
  await t.pass(minutes(60));
  const idle = [...t.writes];
  await t.api.patch(IPPool, at('pool'), { spec: { pools: [] } });
  const second = await standing();
  await t.api.patch(IPPool, at('pool'), { spec: { pools: [{ start: '10.0.0.9', end: '10.0.0.19' }] } });
  const third = await standing();

  const exhausted = (why: string): string => `False PoolExhausted: Exhausted IP Pools: see IPPool pool, ${why}`;
  assert.deepEqual(first, [`False NoAddresses: ${mixed}`, undefined, exhausted(mixed), exhausted(mixed), undefined]);
  assert.deepEqual(idle, []);
  assert.deepEqual(second, [`False NoAddresses: ${empty}`, undefined, exhausted(empty), exhausted(empty), undefined]);
  const fine = 'True AsExpected: ';
  assert.deepEqual(third, [fine, undefined, fine, fine, undefined]);
  assert.deepEqual([...(await addresses(t.api)), ...(await capiAddresses(t.api))].toSorted(), [
    'a 10.0.0.9',
    'b 10.0.0.10',
  ]);
  await t.stop();
});

test('a pool of which a part gives out nothing serves from the rest, and who finds that full is told of the part', async () => {
  const t = await anIpamTest();
  await aPool(t.api, { pools: [{ end: '10.0.0.9' }, { start: '10.0.1.1', end: '10.0.1.1' }] });
  await aClaim(t.api, 'a');
  await t.pass(seconds(2));
  await aClaim(t.api, 'b');
  await t.pass(seconds(2));

  const why = `spec.pools[0].start: neither it nor the subnet is given, and an end alone begins nowhere: ${NOTHING}`;
  assert.equal(said(await poolNamed(t.api), 'RangesUsable'), `False EmptyRange: ${why}`);
  assert.deepEqual(await addresses(t.api), ['a 10.0.1.1']);
  assert.equal(said(await claimNamed(t.api, 'b')), `False PoolExhausted: Exhausted IP Pools: see IPPool pool, ${why}`);
  await t.stop();
});

test('an address that such a pool seems to have is refused in upstream\u2019s words, and the reason is told beside them', async () => {
  const t = await anIpamTest();
  await aPool(t.api, { pools: [{ end: '10.0.0.9' }], preAllocations: { meant: '10.0.0.5' } });
  await aClaim(t.api, 'meant');
  await aClaim(t.api, 'asks', { annotations: { ipAddress: '10.0.0.6' } });
  await t.pass(seconds(2));

  const { items } = await t.api.list(IPClaim);
  const told = items.map(claim => [claim.status?.errorMessage, said(claim)]);

  const why = `see IPPool pool, spec.pools[0].start: neither it nor the subnet is given, and an end alone begins nowhere: ${NOTHING}`;
  const [asked, reserved] = ['Requested IP not available', 'Pre-allocated IP out of bounds'];
  assert.deepEqual(told, [
    [asked, `False AllocationFailed: ${asked}: 10.0.0.6 is in no range of the pool; ${why}`],
    [reserved, `False AllocationFailed: ${reserved}: ${why}`],
  ]);
  await t.stop();
});
