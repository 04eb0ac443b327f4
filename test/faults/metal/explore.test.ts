import assert from 'node:assert/strict';
import { test } from 'node:test';
import { baseline, type RunName, runOne, runsOf, swarmsOf } from '../matrix.ts';
import { playOf } from '../scenarios.ts';

/** `npm run faults -- --scenario metal/life` runs all of them; here, a spread of them that takes seconds. */
const EVERY = 131;

const life = playOf('metal/life');
const faultFree = await baseline(life);

test('a bare-metal machine lives and leaves nothing behind, and the same seed gives the same trace', async () => {
  const again = await baseline(life);

  assert.deepEqual(faultFree.violations, []);
  assert.equal(again.trace, faultFree.trace);
});

const sample: readonly RunName[] = [...runsOf(faultFree).filter((_, n) => n % EVERY === 0), ...swarmsOf(2)];

for (const name of sample) {
  test(`whatever fails, a bare-metal machine leaves nothing behind: ${name}`, async () => {
    const { violations } = await runOne(name, faultFree, life);

    assert.deepEqual(violations, [], `again: npm run faults -- --scenario metal/life --run ${name}`);
  });
}

test('with watches alone: no timer of a wait on an API object fires, and the end is the same', async () => {
  const { violations, end } = await life({}, { rechecks: 'outside only' });

  assert.deepEqual(violations, []);
  assert.equal(end, faultFree.end);
});

test('with timers alone: no watch event arrives, and the end is the same', async () => {
  const { violations, end } = await life({ onEvent: () => 'dropped' });

  assert.deepEqual(violations, []);
  assert.equal(end, faultFree.end);
});
