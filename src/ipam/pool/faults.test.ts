import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { IPPoolSpec } from '../../kinds/generated/ip-pool.generated.ts';
import { faultText, POOL_RULES, poolFaults } from './faults.ts';

const faults = (spec: Partial<IPPoolSpec>, inUse: readonly string[] = []): readonly string[] =>
  poolFaults({ spec: { namePrefix: 'ip', ...spec } }, inUse).map(faultText);

const RANGE = { start: '192.168.0.10', end: '192.168.0.20' };

test('a pool that is right has no fault, whatever its ranges look like', () => {
  const pools = [
    RANGE,
    { subnet: 'fd00::/64' },
    { start: '10.0.0.1' },
    { end: '10.0.0.1' },
    { ...RANGE, gateway: '192.168.0.1' },
  ];

  assert.deepEqual(faults({}), []);
  assert.deepEqual(
    faults({ pools, preAllocations: { a: '192.168.0.10', b: 'fd00::' } }, ['192.168.0.20', '9.9.9.9']),
    [],
  );
});

test('a range that is reversed is refused, in both families', () => {
  assert.deepEqual(
    faults({ pools: [RANGE, { start: '10.0.0.9', end: '10.0.0.1' }, { start: 'fd00::2', end: 'fd00::1' }] }),
    [
      'spec.pools[1].end: "10.0.0.1" is before the start 10.0.0.9',
      'spec.pools[2].end: "fd00::1" is before the start fd00::2',
    ],
  );
});

test('an entry without any bound is refused', () => {
  assert.deepEqual(faults({ pools: [{ prefix: 24 }] }), [
    'spec.pools[0]: "" must have at least one of start, end and subnet',
  ]);
});

test('what is no address or subnet is refused where it stands', () => {
  const pools = [
    { start: 'a', end: 'b', subnet: '10.0.0.0', gateway: 'c', dnsServers: ['8.8.8.8', 'd'] },
    { subnet: '10.0.0.0/33' },
  ];

  assert.deepEqual(faults({ gateway: 'g', dnsServers: ['e'], preAllocations: { x: 'f' }, pools }), [
    'spec.gateway: "g" is not a valid IP address',
    'spec.dnsServers[0]: "e" is not a valid IP address',
    'spec.preAllocations[x]: "f" is not a valid IP address',
    'spec.pools[0].start: "a" is not a valid IP address',
    'spec.pools[0].end: "b" is not a valid IP address',
    'spec.pools[0].subnet: "10.0.0.0" is not a subnet like 10.0.0.0/24',
    'spec.pools[0].gateway: "c" is not a valid IP address',
    'spec.pools[0].dnsServers[1]: "d" is not a valid IP address',
    'spec.pools[1].subnet: "10.0.0.0/33" is not a subnet like 10.0.0.0/24',
  ]);
});

test('metal-7.19: one address for two claims is refused, however it is spelled', () => {
  const pools = [{ subnet: '2001:db8::/64' }];

  assert.deepEqual(faults({ pools, preAllocations: { a: '2001:db8::5', b: '2001:DB8:0::0005' } }), [
    'spec.preAllocations[b]: "2001:DB8:0::0005" is pre-allocated to the claim "a" already',
  ]);
});

test('a pre-allocation outside of every entry is refused', () => {
  assert.deepEqual(faults({ pools: [RANGE], preAllocations: { a: '192.168.0.21', b: '192.168.0.11' } }), [
    'spec.preAllocations: "192.168.0.21" is out of bounds of the pools given',
  ]);
});

test('an address that is in use must stay within bounds; it may be in another entry than before', () => {
  const inUse = ['192.168.0.10', '192.168.0.20'];

  assert.deepEqual(faults({ pools: [{ start: '192.168.0.12' }, { end: '192.168.0.10' }] }, inUse), []);
  assert.deepEqual(faults({ pools: [{ start: '192.168.0.12' }] }, inUse), [
    'spec.pools: "192.168.0.10" is in use but out of bounds of the pools given',
  ]);
});

test('by chance only what can be counted is given out', () => {
  const pools = [RANGE, { subnet: '10.0.0.0/8' }, { start: '10.0.0.1' }, { end: '10.0.0.1' }, { subnet: 'fd00::/64' }];

  assert.deepEqual(faults({ allocationStrategy: 'sequential', pools }), []);
  assert.deepEqual(faults({ allocationStrategy: 'random', pools: [...pools, { subnet: 'fd00::/66' }] }), [
    'spec.pools[2]: "" cannot be used with the allocationStrategy "random": it gives out no countable range',
    'spec.pools[3]: "" cannot be used with the allocationStrategy "random": it gives out no countable range',
    'spec.pools[4]: "" cannot be used with the allocationStrategy "random": its range is too large to count',
  ]);
});

test('every rule that the page on admission lists refuses some pool', () => {
  const pools = [
    { start: 'a', subnet: 'b', gateway: 'c', dnsServers: ['d'] },
    { start: '10.0.0.9', end: '10.0.0.1' },
    { start: '10.0.0.1' },
    {},
  ];
  const preAllocations = { a: 'e', b: '9.9.9.9', c: '9.9.9.9' };
  const spec = { namePrefix: 'ip', allocationStrategy: 'random', pools, preAllocations } as const;

  const broken = poolFaults({ spec }, ['8.8.8.8']).map(({ rule }) => rule);

  assert.deepEqual([...new Set(broken)].toSorted(), Object.keys(POOL_RULES).toSorted());
});
