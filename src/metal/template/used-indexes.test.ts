import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { UsedIndexes } from './used-indexes.ts';

const index = fc.oneof(fc.nat({ max: 70 }), fc.nat({ max: 5000 }), fc.nat({ max: 2 ** 31 - 1 }));

const lowestOf = (used: ReadonlySet<number>): number => {
  let lowest = 0;
  while (used.has(lowest)) lowest++;
  return lowest;
};

test('the lowest free index is that of a plain set, whatever was used and given back', () => {
  const acts = fc.array(fc.oneof(fc.tuple(fc.constant('use'), index), fc.tuple(fc.constant('give back'), index)), {
    maxLength: 400,
  });
  fc.assert(
    fc.property(acts, fc.nat({ max: 2100 }), (list, dense) => {
      const model = new Set<number>();
      const used = new UsedIndexes();
      const use = (one: number): void => {
        model.add(one);
        used.add(one);
      };
      for (let each = 0; each < dense; each++) use(each);
      for (const [act, one] of list) {
        if (act === 'use') use(one);
        else if (model.delete(one)) used.delete(one);
        assert.equal(used.lowestFree(), lowestOf(model));
      }
    }),
    { numRuns: 100, seed: 7 },
  );
});

test('a number used twice is free after it was given back once, and giving back what is free changes nothing', () => {
  const used = new UsedIndexes();
  for (const one of [0, 0, 1]) used.add(one);

  used.delete(0);
  used.delete(9);

  assert.equal(used.lowestFree(), 0);
});

test('100,000 dense indexes and one far away cost no walk over them', () => {
  const used = new UsedIndexes();
  used.add(2 ** 31 - 1);
  for (let each = 0; each < 100_000; each++) {
    assert.equal(used.lowestFree(), each);
    used.add(each);
  }

  used.delete(31_337);

  assert.equal(used.lowestFree(), 31_337);
});
