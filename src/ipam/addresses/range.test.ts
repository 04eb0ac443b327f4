import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addressText } from '../../base/ip.ts';
import { readAddress } from './address.ts';
import { type Bounds, countOf, isWithin, parseSubnet, rangeOf } from './range.ts';

/** The address of an index, as upstream counts them; undefined beyond the last. */
function at(bounds: Bounds, index: number): string | undefined {
  const range = rangeOf(bounds);
  const bits = (range?.first ?? 0n) + BigInt(index);
  return range === undefined || bits > range.last ? undefined : addressText({ family: range.family, bits });
}

test('GetIPAddress: without start and subnet there is none', () => {
  assert.equal(rangeOf({}), undefined);
  assert.equal(rangeOf({ end: '192.168.0.100' }), undefined);
});

test('GetIPAddress: a start alone, with an end and with a subnet counts from the start', () => {
  const start = '192.168.0.10';

  assert.equal(at({ start }, 1), '192.168.0.11');
  assert.equal(at({ start, end: '192.168.0.100' }, 1), '192.168.0.11');
  assert.equal(at({ start, subnet: '192.168.0.0/24' }, 1), '192.168.0.11');
});

test('GetIPAddress: beyond the end or the subnet there is none', () => {
  const start = '192.168.0.10';

  assert.equal(at({ start, end: '192.168.0.100' }, 90), '192.168.0.100');
  assert.equal(at({ start, end: '192.168.0.100' }, 91), undefined);
  assert.equal(at({ start, subnet: '192.168.0.0/24' }, 245), '192.168.0.255');
  assert.equal(at({ start, subnet: '192.168.0.0/24' }, 246), undefined);
});

test('GetIPAddress: an empty subnet, and one that the start is not in, give none', () => {
  assert.equal(rangeOf({ subnet: '' }), undefined);
  assert.equal(rangeOf({ start: '192.168.0.10', subnet: '' }), undefined);
  assert.equal(rangeOf({ start: '10.0.0.1', subnet: '192.168.0.0/24' }), undefined);
});

test('GetIPAddress: a subnet alone keeps the bits of the host: .10/24 begins at .11 and ends with the subnet', () => {
  const subnet = '192.168.0.10/24';

  assert.equal(at({ subnet }, 0), '192.168.0.11');
  assert.equal(at({ subnet }, 1), '192.168.0.12');
  assert.equal(at({ subnet }, 250), undefined);
  assert.equal(at({ subnet: '192.168.1.10/24', end: '192.168.1.12' }, 1), '192.168.1.12');
});

test('pool size: an inclusive range, a single address, a range that a subnet ends', () => {
  assert.equal(countOf({ start: '192.168.0.10', end: '192.168.0.19' }), 10n);
  assert.equal(countOf({ start: '192.168.0.10', end: '192.168.0.10' }), 1n);
  assert.equal(countOf({ start: '192.168.0.10', subnet: '192.168.0.0/24' }), 246n);
});

test('pool size: a subnet alone leaves out its network', () => {
  assert.equal(countOf({ subnet: '192.168.0.0/24' }), 255n);
  assert.equal(countOf({ subnet: '192.168.1.0/30' }), 3n);
  assert.equal(countOf({ subnet: 'fd00::/64' }), 2n ** 64n - 1n);
});

test('pool size: reversed, without an end, and unreadable ones have none', () => {
  assert.equal(countOf({ start: '192.168.0.19', end: '192.168.0.10' }), undefined);
  assert.equal(countOf({ start: '192.168.0.10' }), undefined);
  assert.equal(countOf({ start: 'abc', end: '192.168.0.10' }), undefined);
  assert.equal(countOf({ start: '192.168.0.10', end: 'abc' }), undefined);
  assert.equal(countOf({ subnet: '192.168.0.0' }), undefined);
  assert.equal(countOf({ start: '192.168.0.10', end: 'fd00::1' }), undefined);
});

test('overflow: after the highest address of a family there is none', () => {
  const v6 = 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff';

  assert.equal(at({ start: '255.255.255.255' }, 0), '255.255.255.255');
  assert.equal(at({ start: '255.255.255.255' }, 1), undefined);
  assert.equal(at({ start: v6 }, 0), v6);
  assert.equal(at({ start: v6 }, 1), undefined);
  assert.equal(rangeOf({ subnet: '255.255.255.255/32' }), undefined);
});

test('a subnet is an address and the length of a prefix', () => {
  assert.deepEqual(
    ['10.0.0.1/33', '10.0.0.1', '10.0.0/8', 'fd00::/129', 'fd00::/', '/8', '10.0.0.1/08', '10.0.0.1/8/8'].map(
      parseSubnet,
    ),
    Array.from({ length: 8 }, () => undefined),
  );
  assert.equal(parseSubnet('0.0.0.0/0')?.last, 2n ** 32n - 1n);
  assert.equal(parseSubnet('fd00::1/128')?.network, parseSubnet('fd00::1/128')?.last);
});

test('bounds let in what every one of them does: the network too, and whatever lies before an end', () => {
  const within = (bounds: Bounds, text: string): boolean => {
    const address = readAddress(text);
    assert.ok(address !== undefined);
    return isWithin(bounds, address);
  };

  assert.equal(within({ subnet: '192.168.0.0/24' }, '192.168.0.0'), true);
  assert.equal(within({ end: '192.168.0.9' }, '10.0.0.1'), true);
  assert.equal(within({ end: '192.168.0.9' }, '192.168.0.10'), false);
  assert.equal(within({ start: '192.168.0.9' }, '192.168.0.8'), false);
  assert.equal(within({ start: '192.168.0.9', subnet: '192.168.0.0/24' }, '192.168.1.9'), false);
  assert.equal(within({}, '10.0.0.1'), false);
  assert.equal(within({ start: 'abc' }, '10.0.0.1'), false);
});
