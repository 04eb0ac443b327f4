import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toYaml } from './document.ts';
import { compareKeys } from './key-order.ts';

for (const [title, ordered] of [
  ['numbers in keys count as numbers', ['a2', 'a10', 'a100']],
  ['of equal numbers the shorter goes first', ['a2', 'a02', 'a002']],
  ['a zero after a digit is part of its number', ['a1', 'a10', 'a11', 'a100', 'a101']],
  ['other characters go before letters', ['-', '.', '_', '1', 'A', 'a', 'é']],
  ['a key goes before one that it starts', ['', 'a', 'ab', 'ab-']],
  ['capital letters go before small ones', ['Z', 'a', 'z']],
] as const) {
  test(`order of keys: ${title}`, () => {
    assert.deepEqual([...ordered].reverse().sort(compareKeys), [...ordered]);
  });
}

test('a number that 64 bits do not hold wraps, as upstream has it', () => {
  assert.deepEqual(['1', '9223372036854775808'].sort(compareKeys), ['9223372036854775808', '1']);
});

test('keys whose order runs in circles are written alike whatever came first', () => {
  const keys = ['x5', 'x091', 'x0b'];
  const document = (names: readonly string[]) => Object.fromEntries(names.map(name => [name, 1]));

  const orders = [keys, [...keys].reverse(), ['x091', 'x5', 'x0b']];

  assert.equal(new Set(orders.map(order => toYaml(document(order)))).size, 1);
});
