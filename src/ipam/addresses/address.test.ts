import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { addressText } from '../../base/ip.ts';
import { canonicalText, highestOf, readAddress } from './address.ts';

test('an address has one spelling', () => {
  const spelled: readonly (readonly [string, string | undefined])[] = [
    ['192.168.0.10', '192.168.0.10'],
    ['0.0.0.0', '0.0.0.0'],
    ['255.255.255.255', '255.255.255.255'],
    ['2001:DB8:0:0:0:0:0:0005', '2001:db8::5'],
    ['::0005', '::5'],
    ['::', '::'],
    ['1::', '1::'],
    ['fd00:0:0:1:0:0:0:1', 'fd00:0:0:1::1'],
    ['fd00:0:1:0:1:0:1:0', 'fd00:0:1:0:1:0:1:0'],
    ['2001:db8:0:0:1:0:0:1', '2001:db8::1:0:0:1'],
    ['::ffff:10.0.0.5', '10.0.0.5'],
    ['::ffff:a00:5', '10.0.0.5'],
    ['64:ff9b::10.0.0.5', '64:ff9b::a00:5'],
  ];

  assert.deepEqual(
    spelled.map(([text]) => [text, canonicalText(text)]),
    spelled,
  );
});

test('what is no address is none', () => {
  const none = ['', '10.0.0', '10.0.0.256', '10.0.0.01', '10.0.0.1/24', ' 10.0.0.1', '1:2:3', ':::', '1::2::3', ':1::']
    .concat(['1:2:3:4:5:6:7:8:9', '1:2:3:4:5:6:7::8:9', '12345::', 'g::', 'fe80::1%eth0', '::10.0.0', '1.2.3.4::'])
    .concat(['1:2:3:4:5:6:7:1.2.3.4', '::1.2.3.256', 'abc']);

  assert.deepEqual(
    none.map(canonicalText),
    none.map(() => undefined),
  );
});

test('reading what was written gives the same address, in capitals too', () => {
  const address = fc.oneof(
    fc.record({ family: fc.constant(4 as const), bits: fc.bigInt({ min: 0n, max: highestOf(4) }) }),
    fc.record({ family: fc.constant(6 as const), bits: fc.bigInt({ min: 2n ** 49n, max: highestOf(6) }) }),
    fc.record({ family: fc.constant(6 as const), bits: fc.bigInt({ min: 0n, max: 2n ** 32n }) }),
  );

  fc.assert(
    fc.property(address, one => {
      const text = addressText(one);

      assert.deepEqual(readAddress(text), { ...one });
      assert.deepEqual(readAddress(text.toUpperCase()), { ...one });
    }),
    { numRuns: 2000, seed: 7 },
  );
});
