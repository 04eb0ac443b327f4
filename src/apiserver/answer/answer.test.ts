import assert from 'node:assert/strict';
import { test } from 'node:test';
import { minutes, seconds } from '../../base/clock.ts';
import { humanDuration } from './age.ts';
import { firstAt } from './json-path.ts';

test('ages are as kubectl shows them', () => {
  const hours = (n: number): number => minutes(60 * n);
  const cases: readonly (readonly [number, string])[] = [
    [seconds(-5), '<invalid>'],
    [seconds(-1), '0s'],
    [seconds(119), '119s'],
    [seconds(120), '2m'],
    [seconds(130), '2m10s'],
    [minutes(10) + seconds(30), '10m'],
    [minutes(179), '179m'],
    [hours(3), '3h'],
    [hours(7) + minutes(5), '7h5m'],
    [hours(47), '47h'],
    [hours(48), '2d'],
    [hours(50), '2d2h'],
    [hours(24 * 10), '10d'],
    [hours(24 * 800), '2y70d'],
    [hours(24 * 365 * 9), '9y'],
  ];
  for (const [ms, text] of cases) assert.equal(humanDuration(ms), text);
});

test('printer columns find their values', () => {
  const object = {
    spec: { 'a.b': 1, list: [{ n: 'x' }, { n: 'y' }], zero: 0 },
    status: {
      conditions: [
        { type: 'A', status: 'False' },
        { type: 'Ready', status: 'True' },
      ],
    },
  };
  const cases: readonly (readonly [string, unknown])[] = [
    ['.spec.zero', 0],
    ['.spec.list[1].n', 'y'],
    ['.spec.list[-1].n', 'y'],
    ['.spec.list[*].n', 'x'],
    ["['spec']['a.b']", 1],
    ['.spec.a\\.b', 1],
    ['{.spec.zero}', 0],
    ['.status.conditions[?(@.type=="Ready")].status', 'True'],
    [".status.conditions[?(@.type=='A')].status", 'False'],
    ['.spec.missing.deep', undefined],
    ['.spec.__proto__', undefined],
    ['not a path', undefined],
  ];
  for (const [path, value] of cases) assert.equal(firstAt(object, path), value, path);
});
