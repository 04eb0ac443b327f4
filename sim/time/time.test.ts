// The virtual clock and the seeded random numbers: what fault runs rest on.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { settled, virtualClock } from './clock.ts';
import { seededRandom } from './random.ts';

test('timers fire in order of due time, equal ones in the order they were set', async () => {
  const clock = virtualClock();
  const fired: string[] = [];
  clock.after(20, () => fired.push('late'));
  clock.after(10, () => fired.push('first'));
  clock.after(10, () => fired.push('second'));

  await clock.advance(15);

  assert.deepEqual(fired, ['first', 'second']);
  assert.equal(clock.monotonic(), 15);
});

test('a timer that another one sets within the span fires in the same advance', async () => {
  const clock = virtualClock();
  const fired: number[] = [];
  clock.after(10, () => clock.after(10, () => fired.push(clock.monotonic())));

  await clock.advance(100);

  assert.deepEqual(fired, [20]);
});

test('a cancelled timer never fires', async () => {
  const clock = virtualClock();
  const fired: string[] = [];
  const cancel = clock.after(10, () => fired.push('cancelled'));
  clock.after(10, () => fired.push('kept'));

  cancel();
  await clock.advance(100);

  assert.deepEqual(fired, ['kept']);
});

test('a sleep ends with the reason of its signal and leaves no timer behind', async () => {
  const clock = virtualClock();
  const stop = new AbortController();
  const sleeping = assert.rejects(clock.sleep(1000, stop.signal), { message: 'stopped' });

  stop.abort(new Error('stopped'));
  await sleeping;

  assert.deepEqual(clock.pending(), []);
});

test('a jump of the wall clock leaves monotonic time and timers alone', async () => {
  const clock = virtualClock(1_000_000);
  let fired = false;
  clock.after(50, () => {
    fired = true;
  });

  clock.jumpWall(-500_000);
  await clock.advance(49);

  assert.equal(clock.now(), 500_049);
  assert.equal(clock.monotonic(), 49);
  assert.equal(fired, false);
});

test('an explorer may fire a later timer first, and time never goes back', () => {
  const clock = virtualClock();
  clock.after(10, () => undefined);
  clock.after(20, () => undefined);
  const later = clock.pending()[1];

  assert.ok(later !== undefined && clock.fire(later.id));
  assert.ok(clock.fireNext());

  assert.equal(clock.monotonic(), 20);
  assert.equal(clock.fireNext(), false);
});

test('running until a condition stops at the timer that made it true', async () => {
  const clock = virtualClock();
  let count = 0;
  const tick = (): void => {
    count++;
    clock.after(10, tick);
  };
  clock.after(10, tick);

  assert.equal(await clock.runUntil(() => count === 3, 1000), true);
  assert.equal(clock.monotonic(), 30);
  assert.equal(await clock.runUntil(() => false, 100), false);
});

test('a deadline aborts with a TimeoutError', async () => {
  const clock = virtualClock();
  const signal = clock.deadline(30);

  await clock.advance(30);
  await settled();

  assert.equal(signal.aborted, true);
  assert.equal(signal.reason.name, 'TimeoutError');
});

test('the same seed draws the same, and another stream’s draws shift nothing', () => {
  const one = seededRandom(7);
  const other = seededRandom(7);
  other.stream('jitter').below(100);
  other.stream('names').uuid();

  assert.deepEqual(
    Array.from({ length: 20 }, () => one.below(1000)),
    Array.from({ length: 20 }, () => other.below(1000)),
  );
  assert.notDeepEqual(seededRandom(8).bytes(16), seededRandom(7).bytes(16));
});

test('asking for a stream again goes on with it, so no value comes twice', () => {
  const random = seededRandom(1);

  assert.notEqual(random.stream('uid').uuid(), random.stream('uid').uuid());
  assert.match(random.uuid(), /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
});

test('draws cover their range evenly enough', () => {
  const random = seededRandom('even');
  const counts = new Array<number>(10).fill(0);

  for (let draw = 0; draw < 10_000; draw++) {
    const value = random.below(10);
    counts[value] = (counts[value] ?? 0) + 1;
  }

  for (const count of counts) assert.ok(count > 850 && count < 1150, `${counts}`);
});
