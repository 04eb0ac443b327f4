import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { NumberSet } from './number-set.ts';

const firstAbsent = (model: ReadonlySet<bigint>, from: bigint): bigint => {
  let at = from;
  while (model.has(at)) at++;
  return at;
};

test('the first absent number is that of a plain set, from anywhere, whatever was added and taken away', () => {
  const base = fc.constantFrom(0n, 2n ** 32n - 700n, 2n ** 128n - 5000n);
  const number = fc.oneof(fc.bigInt({ min: 0n, max: 80n }), fc.bigInt({ min: 0n, max: 1200n }));
  const act = fc.tuple(fc.constantFrom('add', 'delete', 'look'), number);

  fc.assert(
    fc.property(base, fc.nat({ max: 1100 }), fc.array(act, { maxLength: 60 }), (offset, dense, acts) => {
      const model = new Set<bigint>();
      const set = new NumberSet();
      const add = (one: bigint): void => {
        model.add(one);
        set.add(one);
      };
      for (let each = 0; each < dense; each++) add(offset + BigInt(each));
      for (const [what, distance] of acts) {
        const one = offset + distance;
        if (what === 'add') add(one);
        else if (what === 'delete') {
          model.delete(one);
          set.delete(one);
        }
        assert.equal(set.has(one), model.has(one));
        assert.equal(set.firstAbsent(one), firstAbsent(model, one));
        assert.equal(set.firstAbsent(offset), firstAbsent(model, offset));
      }
    }),
    { numRuns: 300, seed: 7 },
  );
});

test('a million in a row are skipped in few steps', () => {
  const set = new NumberSet();
  for (let each = 0n; each < 1_000_000n; each++) set.add(each);
  let looks = 0;

  for (let each = 0n; each < 1_000_000n; each += 10n, looks++) assert.equal(set.firstAbsent(each), 1_000_000n);

  assert.equal(looks, 100_000);
});

test('a number added twice is absent once it was taken away, and taking away what is absent changes nothing', () => {
  const set = new NumberSet();
  for (const one of [0n, 0n, 1n]) set.add(one);

  set.delete(0n);
  set.delete(9n);

  assert.equal(set.firstAbsent(0n), 0n);
});
