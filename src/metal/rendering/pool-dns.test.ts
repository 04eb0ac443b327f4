import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { IPPool, IPPoolSpec } from '../../kinds/generated/ip-pool.generated.ts';
import { dnsServersFor } from './index.ts';

type Entry = NonNullable<IPPoolSpec['pools']>[number];

const aPool = (entries: readonly Entry[], dnsServers: readonly string[] = ['9.9.9.9']): IPPool => ({
  apiVersion: 'ipam.metal3.io/v1alpha1',
  kind: 'IPPool',
  metadata: { name: 'pool', namespace: 'metal3' },
  spec: { namePrefix: 'pool', pools: entries, dnsServers },
});

const own = (entry: Entry): Entry => ({ ...entry, dnsServers: ['1.1.1.1'] });
const OWN = ['1.1.1.1'];
const OF_POOL = ['9.9.9.9'];

interface Found {
  readonly title: string;
  readonly entries: readonly Entry[];
  readonly address: string;
  readonly servers: readonly string[];
}

const range = { start: '10.0.0.10', end: '10.0.0.20' };
const range6 = { start: 'fd00::a', end: 'fd00::14' };
const first = { subnet: '10.0.0.0/24', dnsServers: ['2.2.2.2'] };

const FOUND: readonly Found[] = [
  {
    title: "an entry's own servers before the pool's",
    entries: [own({ subnet: '10.0.0.0/24' })],
    address: '10.0.0.7',
    servers: OWN,
  },
  {
    title: "the pool's servers where the entry has none",
    entries: [{ subnet: '10.0.0.0/24' }],
    address: '10.0.0.7',
    servers: OF_POOL,
  },
  {
    title: "the pool's servers where the entry's list is empty",
    entries: [{ subnet: '10.0.0.0/24', dnsServers: [] }],
    address: '10.0.0.7',
    servers: OF_POOL,
  },
  { title: 'the second subnet', entries: [first, own({ subnet: '10.0.1.0/24' })], address: '10.0.1.7', servers: OWN },
  { title: 'a range', entries: [own(range)], address: '10.0.0.15', servers: OWN },
  { title: 'the start of a range', entries: [own(range)], address: '10.0.0.10', servers: OWN },
  { title: 'the end of a range', entries: [own(range)], address: '10.0.0.20', servers: OWN },
  { title: 'a range without an end', entries: [own({ start: '10.0.0.10' })], address: '10.200.0.1', servers: OWN },
  { title: 'a range without a start', entries: [own({ end: '10.0.0.20' })], address: '0.0.0.1', servers: OWN },
  { title: 'an entry without bounds', entries: [own({})], address: '172.16.0.1', servers: OWN },
  { title: 'an IPv6 subnet', entries: [first, own({ subnet: 'fd00::/64' })], address: 'fd00::1:2', servers: OWN },
  { title: 'an IPv6 range', entries: [own(range6)], address: 'FD00:0::000f', servers: OWN },
  { title: 'the end of an IPv6 range', entries: [own(range6)], address: 'fd00::14', servers: OWN },
  {
    title: 'a subnet written with bits of a host',
    entries: [own({ subnet: '10.0.0.10/24' })],
    address: '10.0.0.1',
    servers: OWN,
  },
  ...[{ start: 'ten' }, { end: '10.0.0' }, { subnet: '10.0.0.0/33' }].map(bad => ({
    title: `an entry after one whose bound cannot be read, ${JSON.stringify(bad)},`,
    entries: [{ ...bad, dnsServers: ['2.2.2.2'] }, own({ subnet: '10.0.0.0/24' })],
    address: '10.0.0.7',
    servers: OWN,
  })),
];

for (const { title, entries, address, servers } of FOUND) {
  test(`name servers of an address: ${title} is found`, () => {
    assert.deepEqual(dnsServersFor(aPool(entries), address), servers);
  });
}

test('an address of a pool that has no name servers anywhere has none', () => {
  assert.deepEqual(dnsServersFor(aPool([{ subnet: '10.0.0.0/24' }], []), '10.0.0.7'), []);
});

const NOT_HELD = 'IPPool metal3/pool does not hold it';

for (const [title, entries, address] of [
  ['outside of all entries', [{ subnet: '10.0.0.0/24' }], '10.0.1.1'],
  ['in the subnet, past the range', [{ subnet: '10.0.0.0/24', ...range }], '10.0.0.21'],
  ['in the subnet, before the range', [{ subnet: '10.0.0.0/24', ...range }], '10.0.0.9'],
  ['of the other family', [{ start: 'fd00::1', end: 'fd00::ffff' }], '10.0.0.1'],
  ['of a pool without entries', [], '10.0.0.1'],
] as const) {
  test(`an address ${title} is refused`, () => {
    assert.throws(() => dnsServersFor(aPool(entries), address), { message: `address ${address}: ${NOT_HELD}` });
  });
}

for (const [title, address] of [
  ['that is not there', undefined],
  ['that is empty', ''],
  ['that cannot be read', '10.0.0'],
] as const) {
  test(`an address ${title} is refused`, () => {
    assert.throws(() => dnsServersFor(aPool([{}]), address), {
      message: `address "${address ?? ''}": it is no IP address`,
    });
  });
}

test('an address whose pool is not there is refused', () => {
  assert.throws(() => dnsServersFor(undefined, '10.0.0.1'), { message: 'address 10.0.0.1: its IPPool is not there' });
});
