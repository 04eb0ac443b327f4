import assert from 'node:assert/strict';
import { test } from 'node:test';
import { virtualClock } from '../../sim/time/clock.ts';
import { InvariantBroken } from '../base/errors.ts';
import { Absent, evidence, PROOF_AGE_MS } from './proof.ts';

test('two reads closer than 5 s never become a proof', async () => {
  const clock = virtualClock();
  const first = evidence(clock, 'cloud', 'server 42', 'absent');
  await clock.advance(4_999);
  const last = evidence(clock, 'cloud', 'server 42', 'absent');

  assert.throws(() => Absent.byTwoReads('VM', 'gone', [first, last]), InvariantBroken);
});

test('two reads about different things never become a proof', async () => {
  const clock = virtualClock();
  const first = evidence(clock, 'cloud', 'server 41', 'absent');
  await clock.advance(5_000);
  const last = evidence(clock, 'cloud', 'server 42', 'absent');

  assert.throws(() => Absent.byTwoReads('VM', 'gone', [first, last]), InvariantBroken);
});

test('a proof is spent within a minute of its last answer', async () => {
  const clock = virtualClock();
  const proof = Absent.byRecord('VM', 'released', evidence(clock, 'cloud', 'server 42', 'absent'));

  await clock.advance(PROOF_AGE_MS);
  assert.equal(proof.isStillTrue(clock), true);
  await clock.advance(1);
  assert.equal(proof.isStillTrue(clock), false);
});

test('a proof is stale when either clock says so, or when the wall clock went back (safe-21)', () => {
  const forwards = virtualClock();
  const ahead = Absent.byRecord('VM', 'released', evidence(forwards, 'cloud', 'server 42', 'absent'));
  forwards.jumpWall(PROOF_AGE_MS + 1);
  assert.equal(ahead.isStillTrue(forwards), false);

  const backwards = virtualClock();
  const behind = Absent.byRecord('VM', 'released', evidence(backwards, 'cloud', 'server 42', 'absent'));
  backwards.jumpWall(-1);
  assert.equal(behind.isStillTrue(backwards), false);
});
