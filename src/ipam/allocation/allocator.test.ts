import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seededRandom } from '../../../sim/time/random.ts';
import type { IPPoolSpec } from '../../kinds/generated/ip-pool.generated.ts';
import { Allocator } from './allocator.ts';
import type { Choice } from './choice.ts';
import { planOf } from './plan.ts';

type Spec = Omit<IPPoolSpec, 'namePrefix'>;

function anAllocator(spec: Spec, { coolDownMs = 0, seed = 1 } = {}) {
  const time = { nowMs: 0 };
  const freed: string[] = [];
  const allocator = new Allocator({
    random: seededRandom(seed),
    monotonic: () => time.nowMs,
    coolDownMs,
    freed: text => freed.push(text),
  });
  const replan = (next: Spec): void =>
    allocator.replan(
      planOf({
        apiVersion: 'ipam.metal3.io/v1alpha1',
        kind: 'IPPool',
        metadata: { name: 'p' },
        spec: { namePrefix: 'x', ...next },
      }),
    );
  replan(spec);
  const give = (claim: string, requested?: string): Choice =>
    allocator.give({ claim, holder: `IPClaim ${claim}`, requested });
  return { allocator, time, freed, replan, give };
}

/** What a claim was given, or the words of the refusal. */
const shown = (choice: Choice): string => {
  if (choice.kind === 'given') return choice.text;
  return choice.kind === 'refused' ? `${choice.reason}: ${choice.message}` : choice.what;
};

const RANGE = { start: '192.168.0.10', end: '192.168.0.20' };

test('allocate: without pools every claim is told that they are exhausted', () => {
  assert.equal(shown(anAllocator({}).give('a')), 'PoolExhausted: Exhausted IP Pools');
});

test('allocate: a pre-allocation in the second pool comes with the values of the whole pool', () => {
  const { give } = anAllocator({
    prefix: 24,
    gateway: '192.168.0.1',
    dnsServers: ['8.8.8.8'],
    preAllocations: { a: '192.168.0.15' },
    pools: [
      { start: '192.168.0.11', end: '192.168.0.13', prefix: 26, gateway: '192.168.0.2' },
      { start: '192.168.0.14', end: '192.168.0.20' },
    ],
  });

  assert.deepEqual(give('a'), {
    kind: 'given',
    text: '192.168.0.15',
    values: { prefix: 24, gateway: '192.168.0.1', dnsServers: ['8.8.8.8'] },
  });
});

test('ipam-g14, allocate: a pre-allocation in IPv6 that is spelled in another way is the same address, and nobody else gets it', () => {
  const { give } = anAllocator({
    preAllocations: { a: '2001:0DB8:0000::0005' },
    pools: [{ start: '2001:db8::4', end: '2001:db8::6' }],
  });

  assert.deepEqual(
    ['b', 'a', 'c', 'd'].map(claim => shown(give(claim))),
    ['2001:db8::4', '2001:db8::5', '2001:db8::6', 'PoolExhausted: Exhausted IP Pools'],
  );
});

test('allocate: an entry overrides prefix, gateway and DNS servers of the whole pool', () => {
  const { give } = anAllocator({
    prefix: 24,
    gateway: '192.168.0.1',
    dnsServers: ['8.8.8.8'],
    preAllocations: { a: '192.168.0.15' },
    pools: [{ ...RANGE, prefix: 26, gateway: '192.168.0.2', dnsServers: ['8.8.4.4'] }],
  });
  const values = { prefix: 26, gateway: '192.168.0.2', dnsServers: ['8.8.4.4'] };

  assert.deepEqual(give('a'), { kind: 'given', text: '192.168.0.15', values });
  assert.deepEqual(give('b'), { kind: 'given', text: '192.168.0.10', values });
});

test('allocate: a pre-allocation that no pool has is refused', () => {
  const { give } = anAllocator({ preAllocations: { a: '192.168.0.21' }, pools: [RANGE] });

  assert.equal(shown(give('a')), 'AllocationFailed: Pre-allocated IP out of bounds');
});

test('allocate: the first free address is the lowest that no object holds', () => {
  const { allocator, give } = anAllocator({ pools: [{ start: '192.168.0.11', end: '192.168.0.20' }] });
  for (const each of ['192.168.0.12', '192.168.0.11']) allocator.seeObject(`IPAddress ${each}`, each);

  assert.equal(shown(give('a')), '192.168.0.13');
});

test('allocate: a claim gets the address that it asks for', () => {
  assert.equal(shown(anAllocator({ pools: [RANGE] }).give('a', '192.168.0.16')), '192.168.0.16');
});

test('allocate: asking for what is taken, pre-allocated to another or in no range is refused, with the reason', () => {
  const { give } = anAllocator({ pools: [RANGE], preAllocations: { z: '192.168.0.17' } });
  give('a', '192.168.0.16');

  const refusals = ['192.168.0.16', '192.168.0.17', '192.168.0.21'].map(each => give('b', each));

  assert.deepEqual(refusals.map(shown), Array(3).fill('AllocationFailed: Requested IP not available'));
  assert.deepEqual(
    refusals.map(each => each.kind === 'refused' && each.detail),
    [
      '192.168.0.16 is held by IPClaim a',
      '192.168.0.17 is held by the pre-allocation of "z"',
      '192.168.0.21 is in no range of the pool',
    ],
  );
});

test('allocate: asking for another address than the pre-allocated one is refused, asking for the same is not', () => {
  const { give } = anAllocator({ pools: [RANGE], preAllocations: { a: '192.168.0.15' } });

  assert.equal(
    shown(give('a', '192.168.0.16')),
    'AllocationFailed: PreAllocation and requested ip address are conflicting',
  );
  assert.equal(shown(give('a', '192.168.0.15')), '192.168.0.15');
});

test('allocate: where the first pool is full the second serves, with its own values alone', () => {
  const { allocator, give } = anAllocator({
    prefix: 24,
    gateway: '192.168.0.1',
    pools: [
      { start: '192.168.0.10', end: '192.168.0.10' },
      { subnet: '192.168.1.10/24', prefix: 16, gateway: '192.168.1.1' },
    ],
  });
  for (const each of ['192.168.1.11', '192.168.0.10']) allocator.seeObject(`IPAddress ${each}`, each);

  assert.deepEqual(give('a'), {
    kind: 'given',
    text: '192.168.1.12',
    values: { prefix: 16, gateway: '192.168.1.1', dnsServers: [] },
  });
});

test('allocate: a range and a /30 are exhausted after their last address', () => {
  for (const pool of [{ start: '192.168.1.1', end: '192.168.1.3' }, { subnet: '192.168.1.0/30' }]) {
    const { give } = anAllocator({ pools: [pool] });

    assert.deepEqual(
      ['a', 'b', 'c', 'd'].map(claim => shown(give(claim))),
      ['192.168.1.1', '192.168.1.2', '192.168.1.3', 'PoolExhausted: Exhausted IP Pools'],
    );
  }
});

test('allocate: what is no address cannot be asked for', () => {
  assert.equal(
    shown(anAllocator({ pools: [RANGE] }).give('a', 'abc')),
    'AllocationFailed: Invalid ipAddress annotation "abc": not a valid IP address',
  );
});

test('random: addresses are of the range, all different, and the last free one is found', () => {
  const { give } = anAllocator({ allocationStrategy: 'random', pools: [RANGE] });

  const given = Array.from({ length: 12 }, (_, at) => shown(give(`c${at}`)));

  assert.equal(new Set(given.slice(0, 11)).size, 11);
  assert.deepEqual(
    given.slice(0, 11).toSorted(),
    Array.from({ length: 11 }, (_, at) => `192.168.0.${10 + at}`),
  );
  assert.notDeepEqual(given.slice(0, 11), given.slice(0, 11).toSorted());
  assert.equal(given[11], 'PoolExhausted: Exhausted IP Pools');
});

test('random: pre-allocations and addresses that were asked for are nobody else\u2019s', () => {
  for (let seed = 0; seed < 50; seed++) {
    const spec = { allocationStrategy: 'random' as const, pools: [{ start: '10.0.0.1', end: '10.0.0.3' }] };
    const { give } = anAllocator({ ...spec, preAllocations: { a: '10.0.0.2' } }, { seed });

    const given = [give('b', '10.0.0.1'), give('c'), give('a')].map(shown);

    assert.deepEqual(given, ['10.0.0.1', '10.0.0.3', '10.0.0.2']);
  }
});

test('a range of 2^100 addresses costs no more than a small one', () => {
  for (const allocationStrategy of ['sequential', 'random'] as const) {
    const { give } = anAllocator({ allocationStrategy, pools: [{ subnet: 'fd00::/28' }] });

    const given = Array.from({ length: 1000 }, (_, at) => shown(give(`c${at}`)));

    assert.equal(new Set(given).size, 1000);
    assert.equal(shown(give('z', 'fd00:f:ffff::')), 'fd00:f:ffff::');
  }
});

test('a claim holds what it was given, and gets it again, until it is gone', () => {
  const { allocator, freed, give } = anAllocator({ pools: [RANGE] });
  give('a');
  allocator.seeObject('IPAddress x', '192.168.0.10');
  allocator.loseObject('IPAddress x');
  const other = shown(give('b'));
  const again = shown(give('a'));

  allocator.unbind('IPClaim a');

  assert.deepEqual(
    [other, again, freed, shown(give('c'))],
    ['192.168.0.11', '192.168.0.10', ['192.168.0.10'], '192.168.0.10'],
  );
});

test('an object of either kind is in the way of claims of both', () => {
  const { allocator, give } = anAllocator({ pools: [{ start: '10.0.0.1', end: '10.0.0.2' }] });
  allocator.seeObject('IPAddress.ipam.cluster.x-k8s.io x', '10.0.0.1');

  const given = shown(give('a'));
  const other = allocator.give({ claim: 'a', holder: 'IPAddressClaim a' });

  assert.deepEqual([given, shown(other)], ['10.0.0.2', 'PoolExhausted: Exhausted IP Pools']);
});

test('a pre-allocated address that another holds is waited for, not taken', () => {
  const { allocator, freed, give } = anAllocator({ pools: [RANGE], preAllocations: { a: '192.168.0.15' } });
  allocator.seeObject('IPAddress x', '192.168.0.15');

  const before = give('a');
  allocator.loseObject('IPAddress x');

  assert.equal(shown(before), '192.168.0.15, which is pre-allocated to it, to be let go by IPAddress x');
  assert.deepEqual([freed, shown(give('a'))], [[], '192.168.0.15']);
});

test('without pre-allocations (a pool that is being deleted) none of them is held any more', () => {
  const { freed, replan, give } = anAllocator({ pools: [RANGE], preAllocations: { a: '192.168.0.10' } });

  replan({ pools: [RANGE] });

  assert.deepEqual([freed, shown(give('b'))], [['192.168.0.10'], '192.168.0.10']);
});

test('an address that was let go cools down before another claim gets it', () => {
  const { allocator, time, freed, give } = anAllocator(
    { pools: [{ start: '10.0.0.1', end: '10.0.0.2' }] },
    { coolDownMs: 60_000 },
  );
  give('a');
  give('b');
  allocator.unbind('IPClaim a');

  const soon = [give('c'), give('d', '10.0.0.1')].map(shown);
  const untilWarm = allocator.untilWarm();
  time.nowMs = 59_999;
  const before = shown(give('c'));
  time.nowMs = 60_000;

  assert.deepEqual(soon, ['PoolExhausted: Exhausted IP Pools', 'the cool-down of 10.0.0.1 to end']);
  assert.deepEqual([untilWarm, freed, before, shown(give('c'))], [60_000, ['10.0.0.1'], soon[0], '10.0.0.1']);
});

test('a pre-allocation is kept back neither from its claim, nor from others once nobody is meant to have it (ipam-8)', () => {
  const { allocator, replan, give } = anAllocator({ pools: [RANGE] }, { coolDownMs: 60_000 });
  const before = shown(give('before'));
  allocator.unbind('IPClaim before');

  replan({ pools: [RANGE], preAllocations: { a: before, b: '192.168.0.11' } });
  const [reserved, other] = [shown(give('a')), shown(give('c'))];
  replan({ pools: [RANGE], preAllocations: { a: before } });

  assert.deepEqual([before, reserved, other], ['192.168.0.10', '192.168.0.10', '192.168.0.12']);
  assert.equal(shown(give('d')), '192.168.0.11');
});
