// Plays random sequences one after the other on one fleet: nothing is held twice, and each ends with nothing left.

import { seededRandom } from '../../../../sim/time/random.ts';
import { minutes } from '../../../../src/base/clock.ts';
import type { Random } from '../../../../src/base/random.ts';
import { createCluster, createParkedMachine } from '../../../world/metal/acts.ts';
import { type MetalFleet, metalFleet } from '../../../world/metal/fleet.ts';
import { IPAM, METAL } from '../../../world/metal/names.ts';
import { QUIET, WORK } from '../stage.ts';
import { everythingIsDeleted, somethingHappens, TEMPLATE_OF } from './acts.ts';

/** Of one fleet: to start it costs more than to play on it. */
export const SEQUENCES_OF_A_BATCH = 20;
const ACTS = { atLeast: 8, more: 25 };
const ENDS_WITHIN_MS = minutes(30);

/** The sequences of one batch. Answers what was violated, with the acts that led to it. */
export async function playBatch(batch: number): Promise<readonly string[]> {
  const fleet = await metalFleet({ ...QUIET, seed: `batch ${batch}` });
  const random = seededRandom(`acts of batch ${batch}`);
  try {
    await createCluster(fleet.api, WORK);
    for (const [n, template] of TEMPLATE_OF.entries()) {
      await createParkedMachine(fleet.api, `machine-${n}`, { cluster: WORK, template });
    }
    await fleet.pass(minutes(1));
    const stays = fleet.left().join();
    for (let n = 0; n < SEQUENCES_OF_A_BATCH; n++) {
      const violations = await playOne(fleet, random, stays);
      if (violations.length > 0) return violations.map(each => `batch ${batch}, sequence ${n}: ${each}`);
    }
    return [];
  } finally {
    await fleet.close();
  }
}

async function playOne(fleet: MetalFleet, random: Random, stays: string): Promise<readonly string[]> {
  const acts: string[] = [];
  const count = ACTS.atLeast + random.below(ACTS.more);
  for (let n = 0; n < count; n++) {
    acts.push(await somethingHappens(fleet, random));
    const wrong = [...fleet.violations, ...fleet.refused, ...sharedData(fleet)];
    if (wrong.length > 0) return [`${wrong.join('; ')} after ${acts.join(', ')}`];
  }
  fleet.line.follow({});
  for (const process of [METAL, IPAM]) fleet.start(process);
  await everythingIsDeleted(fleet);
  const isGone = await fleet.run(() => fleet.left().join() === stays, ENDS_WITHIN_MS);
  await fleet.pass(minutes(1));
  const wrong = [...fleet.violations, ...fleet.refused];
  const left = isGone && fleet.left().join() === stays ? [] : [`left: ${fleet.left().join(', ')}`];
  return [...wrong, ...left].map(each => `${each} after ${acts.join(', ')}`);
}

/** One Data, and with it one index, of two claims. */
function sharedData({ view }: MetalFleet): readonly string[] {
  const claims = new Map<string, string>();
  return view.claims().flatMap(({ metadata, status }) => {
    const data = status?.renderedData?.name;
    if (data === undefined) return [];
    const other = claims.get(data);
    claims.set(data, metadata.name);
    return other === undefined ? [] : [`${data} is of ${other} and of ${metadata.name}`];
  });
}
