import assert from 'node:assert/strict';
import { test } from 'node:test';
import { IdleWatch } from './idle-memory.ts';

test('memory is given back once after work, when the work has ended, and not again before there was more', () => {
  const watch = new IdleWatch();

  const looks = [3_000, 6_000, 6_100, 6_200, 6_300, 9_000, 9_100].map(cpuMs => watch.isTime(cpuMs));

  assert.deepEqual(looks, [false, false, true, false, false, false, true]);
});
