import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rungFor } from './failure-ladder.ts';

const usual = { rebootAfter: 3, giveBackAfter: 8 };
const failures = (attempts: number, more = {}) => ({ attempts, rebooted: false, canGiveBack: true, ...more });

test('a host is tried, rebooted once, tried on, and given back', () => {
  const rungs = [1, 2, 3].map(attempts => rungFor(failures(attempts), usual));
  const later = [4, 7, 8, 9].map(attempts => rungFor(failures(attempts, { rebooted: true }), usual));

  assert.deepEqual(rungs, ['try again', 'try again', 'reboot']);
  assert.deepEqual(later, ['try again', 'try again', 'give back', 'give back']);
});

test('a reboot that could not be ordered is due again', () => {
  assert.equal(rungFor(failures(5), usual), 'reboot');
});

test('giving back comes before a reboot that never happened', () => {
  assert.equal(rungFor(failures(8), usual), 'give back');
});

test('without a prefix nothing is given back', () => {
  assert.equal(rungFor(failures(20, { canGiveBack: false, rebooted: true }), usual), 'try again');
});

test('either rung can be disabled', () => {
  assert.equal(rungFor(failures(20), { rebootAfter: 3, giveBackAfter: 0 }), 'reboot');
  assert.equal(rungFor(failures(20), { rebootAfter: 0, giveBackAfter: 0 }), 'try again');
});
