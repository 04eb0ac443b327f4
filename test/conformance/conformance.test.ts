// The suite on the embedded API: each case is told what is recorded of the real server.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Case, GROUPS } from './frame/case.ts';
import { embeddedGround } from './frame/embedded-ground.ts';
import type { OwnGround } from './frame/ground.ts';
import { disagreement } from './frame/judge.ts';
import { readRecorded } from './frame/recorded.ts';
import { type Outcome, runCases } from './frame/run.ts';
import { casesOf } from './groups.ts';

for (const group of GROUPS) {
  const cases = await casesOf[group]();
  const recorded = readRecorded(group);
  const differences = readRecorded('differences');
  const expected = (each: Case): typeof recorded => (each.difference === undefined ? recorded : differences);

  describe(`conformance, ${group}: ${cases.length} cases`, () => {
    let ground: OwnGround;
    let outcomes: ReadonlyMap<string, Outcome>;
    before(async () => {
      ground = await embeddedGround();
      outcomes = await runCases(cases, ground);
    });
    after(() => ground[Symbol.asyncDispose]());

    for (const each of cases) {
      it(each.says, () => {
        assert.equal(disagreement(each, outcomes.get(each.says), expected(each)), undefined);
      });
    }
  });
}
