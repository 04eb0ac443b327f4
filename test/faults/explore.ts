// `npm run faults`: the whole matrix, two runs of each, on as many processes as there are processors. `--run NAME` runs one;
// `--scenario metal/life` takes another scenario than the Mac's, `--scenario metal` all of that fleet, one after the other.

import { type ChildProcess, fork } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import type { Life } from './life.ts';
import { baseline, pairsOf, type RunName, runOne, runsOf, swarmsOf } from './matrix.ts';
import { type Play, playOf, scenariosFrom } from './scenarios.ts';
import { Table } from './table.ts';

const PAIRS_EVERY = 40;
const SWARMS = 200;

export interface Result {
  readonly name: RunName;
  readonly violations: readonly string[];
}

/** Runs it twice: the oracles must hold, and the same seed must give the same trace, byte for byte. */
async function judge(name: RunName, faultFree: Life, play: Play): Promise<Result> {
  const first = await runOne(name, faultFree, play);
  const second = await runOne(name, faultFree, play);
  const unequal = first.trace === second.trace ? [] : ['two runs of one seed differ'];
  return { name, violations: [...first.violations, ...unequal] };
}

async function worker(scenario: string, part: number, parts: number): Promise<void> {
  const play = playOf(scenario);
  const faultFree = await baseline(play);
  for (const [n, name] of allRuns(faultFree).entries()) {
    if (n % parts === part) process.send?.(await judge(name, faultFree, play));
  }
  process.disconnect();
}

const allRuns = (faultFree: Life): readonly RunName[] => [
  ...runsOf(faultFree),
  ...pairsOf(faultFree, PAIRS_EVERY),
  ...swarmsOf(SWARMS),
];

async function all(scenario: string): Promise<void> {
  const startedMs = performance.now();
  const faultFree = await baseline(playOf(scenario));
  const expected = allRuns(faultFree);
  const table = new Table(expected, faultFree, scenario);
  const parts = availableParallelism();
  const workers = Array.from({ length: parts }, (_, part) =>
    fork(import.meta.filename, ['--scenario', scenario, '--part', `${part}/${parts}`]),
  );
  for (const each of workers) each.on('message', message => table.add(message as Result));
  await Promise.all(workers.map(ended));
  table.print((performance.now() - startedMs) / 1000);
  if (!table.isClean()) process.exitCode = 1;
}

function ended(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    child.once('exit', code => (code === 0 ? resolve() : reject(new Error(`a worker ended with ${code}`))));
  });
}

async function one(scenario: string, name: RunName): Promise<void> {
  const play = playOf(scenario);
  const life = await runOne(name, await baseline(play), play);
  process.stdout.write(`${life.trace}\n\ninjected: ${life.injected.join('; ') || 'nothing'}\n`);
  for (const violation of life.violations) process.stdout.write(`VIOLATION ${violation}\n`);
  process.stdout.write(life.violations.length === 0 ? 'every oracle holds\n' : '');
  if (life.violations.length > 0) process.exitCode = 1;
}

const { values } = parseArgs({
  options: { scenario: { type: 'string', default: 'mac' }, run: { type: 'string' }, part: { type: 'string' } },
});
const { scenario, run } = values;
if (run !== undefined) await one(scenario, run);
else if (values.part !== undefined) {
  const [part = 0, parts = 1] = values.part.split('/').map(Number);
  await worker(scenario, part, parts);
} else {
  for (const each of scenariosFrom(scenario)) await all(each);
}
