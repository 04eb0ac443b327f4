// Least privilege, both ways: nothing that our programs ask is refused, and nothing is granted that none of them asks.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { grantsOf, neededFor } from './grants.ts';
import { Rights } from './record.ts';
import { type Recorded, runs } from './runs.ts';

const rights = new Rights();
const played = new Map<Recorded, Promise<void>>();

/** Once, whichever test comes first. */
function play(run: Recorded): Promise<void> {
  const playing = played.get(run) ?? run.record(rights);
  played.set(run, playing);
  return playing;
}

for (const run of runs) {
  test(`nothing is refused: ${run.name}`, async () => {
    const before = rights.refused.length;

    await play(run);

    assert.deepEqual(rights.refused.slice(before), []);
  });
}

/** Grants that no run of ours needs. This list may only shrink. */
const FOR_OTHERS: readonly (readonly [RegExp, why: string])[] = [
  [/^clusterApi: pippin-for-cluster-api /, 'the real Cluster API core collects it; its contract names the verbs'],
  [/^metal: pippin-metal-for-cluster-api /, 'the real Cluster API core collects it; its contract names the verbs'],
];

test('without any one grant of deploy/ some request would be refused', async () => {
  for (const run of runs) await play(run);
  const grants = grantsOf();
  const needed = neededFor(rights.asked, grants);

  const unused = grants.filter(grant => !needed.has(grant)).map(({ text }) => text);

  assert.deepEqual(
    unused.filter(text => !FOR_OTHERS.some(([pattern]) => pattern.test(text))),
    [],
  );
  for (const [pattern, why] of FOR_OTHERS)
    assert.ok(
      unused.some(text => pattern.test(text)),
      `needless: ${why}`,
    );
});
