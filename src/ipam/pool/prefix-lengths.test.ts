import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seconds } from '../../base/clock.ts';
import { IPAddress } from '../../kinds/generated/ip-address.generated.ts';
import { IPPool, type IPPoolSpec } from '../../kinds/generated/ip-pool.generated.ts';
import { aClaim, aPool, at, poolNamed, said } from '../objects.testing.ts';
import { anIpamTest } from '../world.testing.ts';
import { poolFaults } from './faults.ts';
import { prefixLengthFaults } from './prefix-lengths.ts';

const faults = (spec: Partial<IPPoolSpec>): readonly string[] =>
  prefixLengthFaults({ spec: { namePrefix: 'ip', ...spec } });

const FOUR = { start: '10.0.0.1', end: '10.0.0.9' };
const SIX = { subnet: 'fd00::/64' };

test('a prefix that no address of its range can have is a fault of the field that it stands in', () => {
  const [long, below] = [
    'is no prefix length of an IPv4 address: 1 to 32',
    'is no prefix length of an IPv6 address: 1 to 128',
  ];

  assert.deepEqual(faults({ pools: [FOUR, { ...FOUR, prefix: 99 }] }), [`spec.pools[1].prefix: 99 ${long}`]);
  assert.deepEqual(faults({ prefix: 64, pools: [SIX, FOUR, FOUR] }), [`spec.prefix: 64 ${long}`]);
  assert.deepEqual(faults({ pools: [{ ...SIX, prefix: 129 }] }), [`spec.pools[0].prefix: 129 ${below}`]);
  assert.deepEqual(faults({ prefix: -1, pools: [SIX] }), [`spec.prefix: -1 ${below}`]);
});

test('a prefix that fits, one that no range takes, and none are no faults', () => {
  assert.deepEqual(faults({ prefix: 64, pools: [SIX, { ...FOUR, prefix: 32 }] }), []);
  assert.deepEqual(faults({ prefix: 128, pools: [SIX] }), []);
  assert.deepEqual(faults({ pools: [FOUR, { ...SIX, prefix: 0 }] }), []);
  assert.deepEqual(faults({ prefix: 99, pools: [] }), []);
});

test('ipam-12: a pool with a prefix too long for IPv4 is admitted and told of, serves on, and recovers when it is mended', async () => {
  const pools = [{ ...FOUR, prefix: 99 }];
  const t = await anIpamTest();
  await aPool(t.api, { pools });
  await aClaim(t.api, 'a');
  await t.pass(seconds(2));
  const faulty = said(await poolNamed(t.api));
  const prefixes = async () =>
    (await t.api.list(IPAddress)).items.map(({ spec }) => `${spec?.address}/${spec?.prefix}`);
  const served = await prefixes();

  await t.api.patch(IPPool, at('pool'), { spec: { pools: [{ ...FOUR, prefix: 24 }] } });
  await t.pass(seconds(2));
  const mended = [said(await poolNamed(t.api)), ...(await prefixes())];
  await t.api.delete(IPAddress, at('ip-10-0-0-1'));
  await t.pass(seconds(2));

  assert.deepEqual(poolFaults({ spec: { namePrefix: 'ip', pools } }), []);
  const why = 'spec.pools[0].prefix: 99 is no prefix length of an IPv4 address: 1 to 32';
  assert.equal(faulty, `False InvalidSpec: ${why}`);
  assert.deepEqual(served, ['10.0.0.1/99']);
  assert.deepEqual(mended, ['True AsExpected: ', '10.0.0.1/99']);
  assert.deepEqual(await prefixes(), ['10.0.0.1/24']);
  await t.stop();
});
