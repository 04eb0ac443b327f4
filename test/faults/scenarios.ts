// Every scenario that faults are tried on, by the name that a run is told with.

import type { Plan } from './fault-line.ts';
import { type Life, type LifeOptions, live } from './life.ts';
import { liveMetal } from './metal/scenario.ts';
import { metalScenarios } from './metal/scenarios.ts';

/** Plays it under a plan. Only what two kinds of fleets share can be asked for. */
export type Play = (plan: Plan, options?: Pick<LifeOptions, 'seed' | 'rechecks'>) => Promise<Life>;

export const playMac: Play = (plan, options) => live(plan, options);

const SCENARIOS: ReadonlyMap<string, Play> = new Map([
  ['mac', playMac],
  ...metalScenarios.map((each): [string, Play] => [
    `metal/${each.name}`,
    (plan, options) => liveMetal(each, plan, options),
  ]),
]);

export function playOf(scenario: string): Play {
  const play = SCENARIOS.get(scenario);
  if (play === undefined) throw new Error(`there is no scenario ${scenario}; there are ${scenarioNames().join(', ')}`);
  return play;
}

export const scenarioNames = (): readonly string[] => [...SCENARIOS.keys()];

/** Names that begin with this: `metal` is all of the bare-metal fleet. */
export const scenariosFrom = (start: string): readonly string[] =>
  [...SCENARIOS.keys()].filter(name => name === start || name.startsWith(`${start}/`));
