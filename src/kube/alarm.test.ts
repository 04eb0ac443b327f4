// A sleep that is cut short, on time, or given up.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { virtualClock } from '../../sim/time/clock.ts';
import { Alarm } from './alarm.ts';

const never = new AbortController().signal;

test('an alarm that does not ring sleeps its time', async () => {
  const clock = virtualClock();
  const slept = new Alarm(clock).sleep(1000, never).then(() => clock.monotonic());

  await clock.advance(5000);

  assert.equal(await slept, 1000);
});

test('a ring ends the sleep that goes on, and leaves no timer', async () => {
  const clock = virtualClock();
  const alarm = new Alarm(clock);
  const slept = alarm.sleep(1000, never);

  alarm.ring();
  await slept;

  assert.deepEqual(clock.pending(), []);
});

test('a ring before the sleep ends the next one, once', async () => {
  const clock = virtualClock();
  const alarm = new Alarm(clock);
  alarm.ring();
  await alarm.sleep(1000, never);
  const second = alarm.sleep(1000, never).then(() => clock.monotonic());

  await clock.advance(5000);

  assert.equal(await second, 1000);
});

test('a sleep that is given up rejects with the reason', async () => {
  const stopping = new AbortController();
  const slept = new Alarm(virtualClock()).sleep(1000, stopping.signal);

  stopping.abort(new Error('over'));

  await assert.rejects(slept, /over/);
});
