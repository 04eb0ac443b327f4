import assert from 'node:assert/strict';
import { test } from 'node:test';
import { minutes, seconds } from '../../base/clock.ts';
import { humanDuration } from './age.ts';
import { firstAt } from './json-path.ts';
import { withHeaders } from './render.ts';

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

test('an answer in pieces is given another header without being put together', () => {
  let asked = 0;
  const inPieces = {
    status: 200,
    headers: { 'content-type': 'application/json' },
    pieces: () => [Buffer.from('[1,'), Buffer.from('2]')],
    get body() {
      asked += 1;
      return new Uint8Array();
    },
  };

  const answer = withHeaders(inPieces, { 'audit-id': 'a' });

  assert.equal(asked, 0);
  assert.deepEqual(answer.headers, { 'content-type': 'application/json', 'audit-id': 'a' });
  assert.deepEqual([...(answer.pieces?.() ?? [])].map(String), ['[1,', '2]']);
  assert.equal(String(answer.body), '[1,2]');
});
