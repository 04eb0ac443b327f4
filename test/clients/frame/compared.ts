// A client's test: the same tour of both servers, and a test for each line that both said the same.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { bothSides, type Sides } from './sides.ts';
import type { Tour } from './topic.ts';
import { type Walked, walk } from './walk.ts';

export function compared(tour: Tour): void {
  describe(tour.name, () => {
    let sides: Sides;
    let real: Walked;
    let embedded: Walked;
    before(async () => {
      sides = await bothSides();
      [real, embedded] = await Promise.all([walk(sides.real, tour), walk(sides.embedded, tour)]);
    });
    after(() => sides[Symbol.asyncDispose]());

    for (const { name, lines } of tour.topics) {
      describe(name, () => {
        for (const [index, line] of lines.entries()) {
          it(line, () => {
            assert.equal(embedded.get(name)?.[index], real.get(name)?.[index]);
          });
        }
      });
    }
  });
}
