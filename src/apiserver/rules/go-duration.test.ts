import assert from 'node:assert/strict';
import { test } from 'node:test';
import { goDurationProblem } from './go-duration.ts';

test('durations are read as Go reads them', () => {
  for (const text of ['1s', '0', '-1.5h', '1h30m', '.5s', '5.s', '1µs', '1μs', '+2ms'])
    assert.equal(goDurationProblem(text), undefined, text);
});

test('what is no duration is told in the words of Go', () => {
  const problems = {
    '': 'time: invalid duration ""',
    x: 'time: invalid duration "x"',
    '1': 'time: missing unit in duration "1"',
    '1s2': 'time: missing unit in duration "1s2"',
    '1d': 'time: unknown unit "d" in duration "1d"',
    '.s': 'time: invalid duration ".s"',
    '9999999999h': 'time: invalid duration "9999999999h"',
    '1é': 'time: unknown unit "\\xc3\\xa9" in duration "1\\xc3\\xa9"',
  };
  for (const [text, problem] of Object.entries(problems)) assert.equal(goDurationProblem(text), problem);
});
