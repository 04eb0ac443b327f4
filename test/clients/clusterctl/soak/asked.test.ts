import assert from 'node:assert/strict';
import { test } from 'node:test';
import { asked } from './asked.ts';

test('without a word ten machines move between embedded APIs, killed after every write', () => {
  const { side, machines, sample, folder, isPair } = asked([]);

  assert.deepEqual(
    { side, machines, sample, folder, isPair },
    {
      side: 'embedded',
      machines: 10,
      sample: undefined,
      folder: undefined,
      isPair: false,
    },
  );
});

test('a number that is none is refused by the name of its option', () => {
  assert.throws(() => asked(['--pairs', '0']), /--pairs is a whole number from 1, not "0"/);
  assert.throws(() => asked(['--sample', 'all']), /--sample is a whole number from 1, not "all"/);
});
