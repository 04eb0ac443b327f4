// What the command line of the fault explorer asks for.

import { parseArgs } from 'node:util';
import type { RunName } from './matrix.ts';
import type { Depth } from './sample.ts';
import { scenarioNames, scenariosFrom } from './scenarios.ts';

export interface What {
  readonly scenarios: readonly string[];
  readonly depth: Depth;
  /** Decides which runs a sample has. */
  readonly seed: string;
}

export interface Asked {
  /** No scenarios: the usual ones. */
  readonly what: What;
  /** This one alone. */
  readonly run: RunName | undefined;
  /** `0/2`: of the runs, the part of this process. */
  readonly part: string | undefined;
  /** Where runs are noted. */
  readonly folder: string | undefined;
}

const OPTIONS = {
  scenario: { type: 'string' },
  run: { type: 'string' },
  part: { type: 'string' },
  depth: { type: 'string', default: 'whole' },
  seed: { type: 'string', default: '1' },
  records: { type: 'string' },
} as const;

/** Throws words for whoever typed it. */
export function asked(args: readonly string[]): Asked {
  const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options: OPTIONS });
  const { depth, seed, run, part, records } = values;
  if (depth !== 'whole' && depth !== 'sample') throw new Error(`--depth is "whole" or "sample", not "${depth}"`);
  const scenarios = (values.scenario === undefined ? positionals : [values.scenario]).flatMap(named);
  return { what: { scenarios, depth, seed }, run, part, folder: records };
}

function named(start: string): readonly string[] {
  const scenarios = scenariosFrom(start);
  if (scenarios.length === 0) throw new Error(`there is no scenario ${start}; there are ${scenarioNames().join(', ')}`);
  return scenarios;
}
