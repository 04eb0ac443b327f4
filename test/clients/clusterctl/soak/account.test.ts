import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Account } from './account.ts';
import type { Killed } from './kill.ts';

const killed = (nth: number, more: Partial<Killed> = {}): Killed => ({
  scenario: 'move/embedded-10',
  nth,
  direction: nth % 2 === 1 ? 'there' : 'back',
  write: 'PATCH clusters on the source',
  seconds: 10,
  violations: [],
  code: 'aaa',
  ...more,
});

const cell = (lines: readonly string[], row: string): string | undefined =>
  lines.find(line => line.startsWith(row))?.match(/(\d+)$/)?.[1];

test('a soak of several sittings makes only the kills that are not noted, and counts all in its table', () => {
  const account = new Account([1, 2, 3], [killed(1), killed(99)], 10);
  assert.deepEqual(account.missing, [2, 3]);

  account.add(killed(2), 8);
  account.add(killed(3), 16);

  const table = account.end(20);
  assert.equal(cell(table, 'kills there'), '2');
  assert.equal(cell(table, 'kills back'), '1');
  assert.equal(cell(table, 'kills missing'), '0');
  assert.equal(cell(table, 'seconds in moves'), '30');
  assert.equal(cell(table, 'seconds of this sitting (2 kills)'), '20');
  assert.equal(cell(table, 'violations'), '0');
  assert.ok(account.isClean());
});

test('a line comes after so many kills of this sitting', () => {
  const account = new Account([1, 2, 3, 4, 5], [killed(1)], 2);

  const lines = [2, 3, 4, 5].map(nth => account.add(killed(nth), 5 * (nth - 1)));

  assert.deepEqual(
    lines.map(each => each.length),
    [0, 1, 0, 1],
  );
  assert.equal(
    lines[1]?.[0],
    '3 of 5 kills, 5.0 s per kill; the last after write 3 (PATCH clusters on the source), there',
  );
});

test('a violation is told at once, and again at the end of every later sitting', () => {
  const bad = killed(2, { violations: ['nothing is left behind'] });
  const first = new Account([1, 2], [], 10);
  const told = first.add(bad, 1);
  const later = new Account([1, 2], [bad], 10);

  later.add(killed(1), 1);

  assert.match(told[0] ?? '', /^VIOLATION after write 2 .*, back: nothing is left behind$/);
  assert.deepEqual(later.end(1)[0], told[0]);
  assert.equal(cell(later.end(1), 'violations'), '1');
  assert.equal(later.isClean(), false);
});

test('a soak with kills missing is not clean', () => {
  const account = new Account([1, 2], [], 10);

  account.add(killed(1), 1);

  assert.equal(account.isClean(), false);
});

test('kills of two states of the source are counted as such', () => {
  const account = new Account([1, 2], [killed(1)], 10);

  account.add(killed(2, { code: 'bbb' }), 1);

  assert.equal(cell(account.end(1), 'states of the source'), '2');
});
