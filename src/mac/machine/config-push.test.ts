import assert from 'node:assert/strict';
import { test } from 'node:test';
import { kubeTime, minutes, seconds } from '../../base/clock.ts';
import { GAVE_UP, mayPush } from './config-push.ts';

const nowMs = Date.parse('2026-09-01T10:00:00Z');
const at = { nowMs, settings: { retryFailedAfterMs: minutes(30) } };
const ago = (ms: number): string => kubeTime(nowMs - ms);
const gaveUp = (ms: number) => ({
  failureReason: GAVE_UP,
  failedHostConfigHash: 'b',
  lastUpdateFailureTime: ago(ms),
});

test('a push that has not failed yet is due at once, one that just failed after a minute', () => {
  assert.equal(mayPush({}, 'b', at), 'push');
  assert.deepEqual(mayPush({ lastUpdateFailureTime: ago(seconds(20)) }, 'b', at), { inMs: seconds(40) });
  assert.equal(mayPush({ lastUpdateFailureTime: ago(seconds(60)) }, 'b', at), 'push');
});

test('after giving up, the same configuration waits, another one does not', () => {
  assert.deepEqual(mayPush(gaveUp(minutes(1)), 'b', at), { inMs: minutes(29) });
  assert.equal(mayPush(gaveUp(minutes(1)), 'c', at), 'push');
});

test('after a while the same configuration is tried again, unless that is disabled', () => {
  assert.equal(mayPush(gaveUp(minutes(30)), 'b', at), 'push');
  const never = { nowMs, settings: { retryFailedAfterMs: 0 } };
  assert.deepEqual(mayPush(gaveUp(minutes(300)), 'b', never), { inMs: Number.POSITIVE_INFINITY });
});

test('a missing time counts as long ago', () => {
  assert.equal(mayPush({ failureReason: GAVE_UP, failedHostConfigHash: 'b' }, 'b', at), 'push');
});
