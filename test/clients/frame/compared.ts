// A client's test: the same tour of both servers, and a test for each line that both said the same.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { bothSides, type Sides } from './sides.ts';
import type { ForeignClient, Walked } from './topic.ts';

export function compared(client: ForeignClient): void {
  describe(client.name, () => {
    let sides: Sides;
    let real: Walked;
    let embedded: Walked;
    before(async () => {
      sides = await bothSides();
      [real, embedded] = await Promise.all([client.walk(sides.real), client.walk(sides.embedded)]);
    });
    after(() => sides[Symbol.asyncDispose]());

    for (const { name, lines, differences = {} } of client.topics) {
      describe(name, () => {
        for (const [index, line] of lines.entries()) {
          const difference = differences[line];
          it(difference === undefined ? line : `${line} (difference ${difference})`, () => {
            const [ours, theirs] = [embedded, real].map(walked => walked.get(name)?.[index]);
            if (difference === undefined) assert.equal(ours, theirs);
            else assert.notEqual(ours, theirs, `no difference any more: take it off the list`);
          });
        }
      });
    }
  });
}
