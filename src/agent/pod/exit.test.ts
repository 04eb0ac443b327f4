// How an end reads, from what the guest and tart left behind.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ExitRecord } from '../vm-runtime.ts';
import { endingOf } from './exit.ts';

const exit = (ended: ExitRecord['ended'], exitCode = 0): ExitRecord => ({ ended, exitCode, finishedMs: 5_000 });
const report = (text: string) => ({ text, modifiedMs: 4_000 });
const codeOf = (text: string): number =>
  endingOf({ report: report(text), exit: exit('by-crash', 1), nowMs: 9_000 }).exitCode;

test("the guest's word wins over tart's, a signal's number included (agent-32, agent-33)", () => {
  assert.equal(codeOf('0\n'), 0);
  assert.equal(codeOf('137'), 137);
  assert.equal(codeOf('255'), 255);
});

test('a torn, unreadable or impossible report is none (agent-33)', () => {
  for (const text of ['', '256', '-1', '1 2', 'ok', '0x0', '1e1', '00000']) assert.equal(codeOf(text), 1, text);
});

test('silence is never success (agent-33)', () => {
  const codes = [undefined, exit('from-outside'), exit('by-crash'), exit('by-crash', 3)].map(
    record => endingOf({ report: undefined, exit: record, nowMs: 9_000 }).exitCode,
  );

  assert.deepEqual(codes, [137, 143, 1, 3]);
});

test('a guest that shut down and said nothing has succeeded, and says that it was not reported (agent-13)', () => {
  const ending = endingOf({ report: undefined, exit: exit('by-guest'), nowMs: 9_000 });

  assert.equal(ending.exitCode, 0);
  assert.equal(ending.reason, 'TartRunExited');
  assert.match(ending.message ?? '', /no exit code/);
});

test('the end is dated by the process, then by the file, then by now (agent-34)', () => {
  const times = [
    endingOf({ report: report('0'), exit: exit('by-guest'), nowMs: 9_000 }),
    endingOf({ report: report('0'), exit: undefined, nowMs: 9_000 }),
    endingOf({ report: undefined, exit: undefined, nowMs: 9_000 }),
  ].map(ending => ending.finishedMs);

  assert.deepEqual(times, [5_000, 4_000, 9_000]);
});
