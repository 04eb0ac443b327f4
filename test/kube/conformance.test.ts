// The suite on the real server: what is recorded of it is what it says.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { GROUPS } from '../conformance/frame/case.ts';
import type { OwnGround } from '../conformance/frame/ground.ts';
import { disagreement } from '../conformance/frame/judge.ts';
import { realGround } from '../conformance/frame/real-ground.ts';
import { readRecorded } from '../conformance/frame/recorded.ts';
import { type Outcome, runCases } from '../conformance/frame/run.ts';
import { casesOf } from '../conformance/groups.ts';

describe('conformance on the real control plane', () => {
  let ground: OwnGround;
  before(async () => {
    ground = await realGround();
  });
  after(() => ground[Symbol.asyncDispose]());

  for (const group of GROUPS) {
    describe(group, async () => {
      const cases = await casesOf[group]();
      const recorded = readRecorded(group);
      let outcomes: ReadonlyMap<string, Outcome>;
      before(async () => {
        outcomes = await runCases(cases, ground);
      });

      for (const each of cases) {
        it(each.says, () => {
          assert.equal(disagreement(each, outcomes.get(each.says), recorded), undefined);
        });
      }
    });
  }
});
