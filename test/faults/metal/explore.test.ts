import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Life } from '../life.ts';
import { baseline, runOne, STANDING } from '../matrix.ts';
import { chosenRuns } from '../sample.ts';
import { playOf } from '../scenarios.ts';
import { metalScenarios } from './scenarios.ts';

/** `npm run faults` runs a larger sample, `npm run faults -- metal` all of them; here, what takes seconds. */
const FAULTS_OF_EACH = 1;

for (const { name, says } of metalScenarios) {
  const scenario = `metal/${name}`;
  const [id = name] = name.split('-');
  const play = playOf(scenario);
  let faultFree: Life | undefined;

  test(`metal-${id} (${name}): ${says}`, async () => {
    faultFree = await baseline(play);

    assert.deepEqual(faultFree.violations, []);
  });

  test(`metal-${id} (${name}): the same when a call fails`, async () => {
    assert.ok(faultFree !== undefined);
    const sample = chosenRuns(faultFree, { scenario, depth: 'sample', seed: '1' });

    for (const run of sample.slice(STANDING.length, STANDING.length + FAULTS_OF_EACH)) {
      const { violations } = await runOne(run, faultFree, play);
      assert.deepEqual(violations, [], `again: npm run faults -- --scenario ${scenario} --run ${run}`);
    }
  });
}

const life = playOf('metal/life');
const faultFree = await baseline(life);

test('the same seed gives the same trace', async () => {
  const again = await baseline(life);

  assert.equal(again.trace, faultFree.trace);
});

for (const run of STANDING) {
  test(`a bare-metal machine lives and leaves nothing behind, ${run}`, async () => {
    const { violations } = await runOne(run, faultFree, life);

    assert.deepEqual(violations, []);
  });
}
