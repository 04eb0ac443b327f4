import assert from 'node:assert/strict';
import { test } from 'node:test';
import { netmask } from './netmask.ts';

for (const [prefix, family, text] of [
  [24, 4, '255.255.255.0'],
  [16, 4, '255.255.0.0'],
  [0, 4, '0.0.0.0'],
  [25, 4, '255.255.255.128'],
  [32, 4, '255.255.255.255'],
  [64, 6, 'ffff:ffff:ffff:ffff::'],
  [96, 6, 'ffff:ffff:ffff:ffff:ffff:ffff::'],
  [112, 6, 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:0'],
  [0, 6, '::'],
  [61, 6, 'ffff:ffff:ffff:fff8::'],
  [128, 6, 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
] as const) {
  test(`a prefix of ${prefix} bits of IPv${family} is the mask ${text}`, () => {
    assert.equal(netmask(prefix, family, 'prefix'), text);
  });
}
