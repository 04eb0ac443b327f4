// Which runs of a scenario are made: the whole matrix where somebody asks for it, else a spread of it that a seed decides.

import { seededRandom } from '../../sim/time/random.ts';
import type { Random } from '../../src/base/random.ts';
import type { Life } from './life.ts';
import { pairsOf, type RunName, runsOf, STANDING, swarmsOf } from './matrix.ts';

export type Depth = 'whole' | 'sample';

interface Extent {
  /** One of so many pairs of crashes. */
  readonly pairsEvery: number;
  readonly swarms: number;
}

const MAC: Extent = { pairsEvery: 40, swarms: 200 };
/** Each of thirty. */
const METAL: Extent = { pairsEvery: 400, swarms: 20 };

/** Of each scenario, besides the two standing runs. */
const SAMPLE = { runs: 22, pairs: 2, swarms: 2 };

/** The scenario that is tried first: calls that all programs begin with are tried there, and nowhere else again. */
const FIRST = 'metal/life';

export interface Asked {
  readonly scenario: string;
  readonly depth: Depth;
  readonly seed: string;
}

export function chosenRuns(faultFree: Life, { scenario, depth, seed }: Asked): readonly RunName[] {
  if (scenario === 'mac') return [...runsOf(faultFree), ...pairsOf(faultFree, MAC.pairsEvery), ...swarmsOf(MAC.swarms)];
  const runs = runsOf(faultFree).filter(scenario === FIRST ? () => true : isOwn(faultFree));
  const pairs = pairsOf(faultFree, METAL.pairsEvery);
  if (depth === 'whole') return [...STANDING, ...runs, ...pairs, ...swarmsOf(METAL.swarms)];
  const random = seededRandom(`${seed} ${scenario}`);
  return [
    ...STANDING,
    ...drawn(runs, SAMPLE.runs, random),
    ...drawn(pairs, SAMPLE.pairs, random),
    ...swarmsOf(SAMPLE.swarms),
  ];
}

/** What a process asks before it first writes is the same in all scenarios. */
function isOwn({ calls }: Life): (name: RunName) => boolean {
  const first = calls.findIndex(call => !call.includes(' GET '));
  return name => !name.startsWith('call:') || Number(name.split(':')[1]) >= first;
}

function drawn(from: readonly RunName[], count: number, random: Random): readonly RunName[] {
  const left = [...from];
  const take = (): RunName[] => (left.length === 0 ? [] : left.splice(random.below(left.length), 1));
  return Array.from({ length: count }, take).flat();
}
