import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fleetWith } from '../stories/stranded-pods/act.ts';
import { live } from './life.ts';
import { baseline, type RunName, runOne, runsOf, swarmsOf } from './matrix.ts';
import { judgeRelease } from './oracles.ts';

/** `npm run faults` runs all of them; here, a spread of them that takes seconds. */
const EVERY = 97;

const faultFree = await baseline();

test('a Mac is adopted, set up, runs a Pod and is taken apart, and the same seed gives the same trace', async () => {
  const again = await baseline();

  assert.deepEqual(faultFree.violations, []);
  assert.equal(again.trace, faultFree.trace);
});

const sample: readonly RunName[] = [...runsOf(faultFree).filter((_, n) => n % EVERY === 0), ...swarmsOf(3)];

for (const name of sample) {
  test(`whatever fails, nothing running is let go and all that is deleted goes away: ${name}`, async () => {
    const { violations } = await runOne(name, faultFree);

    assert.deepEqual(violations, [], `again: npm run faults -- --run ${name}`);
  });
}

test('with watches alone: no timer of a wait on an API object fires, and the end is the same', async () => {
  const { violations, end } = await live({}, { rechecks: 'outside only' });

  assert.deepEqual(violations, []);
  assert.equal(end, faultFree.end);
});

test('with timers alone: no watch event arrives, and the end is the same', async () => {
  const { violations, end } = await live({ onEvent: () => 'dropped' });

  assert.deepEqual(violations, []);
  assert.equal(end, faultFree.end);
});

for (let seed = 0; seed < 6; seed++) {
  test(`three managers that all believe to lead take one Mac apart once, in order ${seed}`, async () => {
    const { violations, end } = await live({}, { otherLeaders: 2, seed: `two leaders ${seed}` });

    assert.deepEqual(violations, []);
    assert.equal(end, faultFree.end);
  });
}

test('an oracle that is broken is told: a finalizer that goes while the VM runs', async () => {
  const fleet = await fleetWith(['job']);
  const pod = fleet.view.pod('job');
  assert.ok(pod !== undefined);

  const said = judgeRelease(pod, undefined, fleet);
  await fleet.close();

  assert.match(said ?? '', /the finalizer of Pod job went while VM/);
});

test('an oracle that is broken is told: a machine that goes while its host bears its name', async () => {
  const fleet = await fleetWith(['job']);
  const machine = fleet.view.mac('mac-0');
  assert.ok(machine !== undefined);

  const said = judgeRelease(machine, undefined, fleet);
  await fleet.close();

  assert.match(said ?? '', /the finalizer of machine mac-0 went while/);
});
