// Stock kubectl sees no difference: the same tour of both servers, word for word.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { bothSides, type Sides } from '../frame/sides.ts';
import { topics } from './topics/index.ts';
import { type Walked, walk } from './walk.ts';

describe('stock kubectl', () => {
  let sides: Sides;
  let real: Walked;
  let embedded: Walked;
  before(async () => {
    sides = await bothSides();
    [real, embedded] = await Promise.all([walk(sides.real, topics), walk(sides.embedded, topics)]);
  });
  after(() => sides[Symbol.asyncDispose]());

  for (const { name, lines } of topics) {
    describe(name, () => {
      for (const [index, line] of lines.entries()) {
        it(line, () => {
          assert.equal(embedded.get(name)?.[index], real.get(name)?.[index]);
        });
      }
    });
  }
});
