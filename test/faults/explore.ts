// `npm run faults`: the Mac's whole matrix, and a seeded sample of each bare-metal scenario, on as many processes as there are
// processors. `-- metal` takes the whole matrix of all of them, `--scenario metal/S4-template-first` of one, `--run NAME` one run.

import { type ChildProcess, fork } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import type { Life } from './life.ts';
import { baseline, type RunName, runOne } from './matrix.ts';
import { chosenRuns, type Depth } from './sample.ts';
import { type Play, playOf, scenariosFrom } from './scenarios.ts';
import { Table } from './table.ts';

/** Of the bare-metal fleet one run in so many is made twice. */
const TWICE_EVERY = 8;

interface Result {
  readonly scenario: string;
  readonly name: RunName;
  readonly violations: readonly string[];
}

/** The oracles must hold, and, where it is run twice, the same seed must give the same trace, byte for byte. */
async function judge(name: RunName, faultFree: Life, play: Play, times: number): Promise<readonly string[]> {
  const first = await runOne(name, faultFree, play);
  if (times === 1) return first.violations;
  const second = await runOne(name, faultFree, play);
  return [...first.violations, ...(first.trace === second.trace ? [] : ['two runs of one seed differ'])];
}

interface What {
  readonly scenarios: readonly string[];
  readonly depth: Depth;
}

async function worker({ scenarios, depth }: What, part: number, parts: number): Promise<void> {
  for (const scenario of scenarios) {
    const play = playOf(scenario);
    const faultFree = await baseline(play);
    for (const [n, name] of chosenRuns(faultFree, { scenario, depth, seed }).entries()) {
      if (n % parts !== part) continue;
      const times = scenario === 'mac' || Math.floor(n / parts) % TWICE_EVERY === 0 ? 2 : 1;
      const result: Result = { scenario, name, violations: await judge(name, faultFree, play, times) };
      process.send?.(result);
    }
  }
  process.disconnect();
}

async function all(what: What): Promise<void> {
  const { scenarios, depth } = what;
  const startedMs = performance.now();
  const tables = new Map<string, Table>();
  for (const scenario of scenarios) {
    const faultFree = await baseline(playOf(scenario));
    const expected = chosenRuns(faultFree, { scenario, depth, seed });
    tables.set(scenario, new Table(expected, faultFree, { scenario, depth }));
  }
  const parts = availableParallelism();
  const workers = Array.from({ length: parts }, (_, part) => {
    const argv = ['--depth', depth, '--seed', seed, '--part', `${part}/${parts}`];
    return fork(import.meta.filename, [...argv, ...scenarios]);
  });
  for (const each of workers) {
    each.on('message', message => {
      const result = message as Result;
      tables.get(result.scenario)?.add(result);
    });
  }
  await Promise.all(workers.map(ended));
  account([...tables.values()], (performance.now() - startedMs) / 1000);
}

function account(tables: readonly Table[], seconds: number): void {
  const [only, ...more] = tables;
  if (more.length === 0) only?.print(seconds);
  else {
    const runs = tables.reduce((sum, table) => sum + table.runs, 0);
    process.stdout.write(
      `${tables.length} scenarios, ${runs} runs in ${seconds.toFixed(0)} s, one in ${TWICE_EVERY} of them twice\n`,
    );
  }
  if (!tables.every(each => each.isClean())) process.exitCode = 1;
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

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    scenario: { type: 'string' },
    run: { type: 'string' },
    part: { type: 'string' },
    depth: { type: 'string', default: 'whole' },
    /** Decides which runs a sample has. */
    seed: { type: 'string', default: '1' },
  },
});
const { run, seed } = values;
const depth: Depth = values.depth === 'sample' ? 'sample' : 'whole';
const asked = values.scenario === undefined ? positionals : [values.scenario];
const scenarios = asked.flatMap(scenariosFrom);
if (run !== undefined) await one(scenarios[0] ?? 'mac', run);
else if (values.part !== undefined) {
  const [part = 0, parts = 1] = values.part.split('/').map(Number);
  await worker({ scenarios, depth }, part, parts);
} else if (scenarios.length > 0) await all({ scenarios, depth });
else {
  await all({ scenarios: ['mac'], depth: 'whole' });
  await all({ scenarios: scenariosFrom('metal'), depth: 'sample' });
}
