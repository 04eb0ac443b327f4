// `npm run faults`: the Mac's whole matrix, and a seeded sample of each bare-metal scenario, on as many processes as there are
// processors. `-- metal` takes the whole matrix of all of them, `--scenario metal/S4-template-first` of one, `--run NAME` one run.
// `--records FOLDER` notes each run there, and makes only those that are not noted yet: a matrix may take several sittings.

import { type ChildProcess, fork } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { messageOf } from '../../src/base/errors.ts';
import { type Asked, asked, type What } from './asked.ts';
import type { Life } from './life.ts';
import { baseline, type RunName, runOne } from './matrix.ts';
import { noRecords, type Records, type Result, recordsIn } from './record.ts';
import { chosenRuns } from './sample.ts';
import { type Play, playOf, scenariosFrom } from './scenarios.ts';
import { Table } from './table.ts';

/** Of the bare-metal fleet one run in so many is made twice. */
const TWICE_EVERY = 8;

/** The oracles must hold, and, where it is run twice, the same seed must give the same trace, byte for byte. */
async function judge(name: RunName, faultFree: Life, play: Play, times: number): Promise<readonly string[]> {
  const first = await runOne(name, faultFree, play);
  if (times === 1) return first.violations;
  const second = await runOne(name, faultFree, play);
  return [...first.violations, ...(first.trace === second.trace ? [] : ['two runs of one seed differ'])];
}

async function worker(what: What, { part, parts }: { part: number; parts: number }, records: Records): Promise<void> {
  for (const scenario of what.scenarios) {
    const play = playOf(scenario);
    const faultFree = await baseline(play);
    const known = new Set(records.of(scenario, faultFree).map(({ name }) => name));
    for (const [n, name] of chosenRuns(faultFree, { ...what, scenario }).entries()) {
      if (n % parts !== part || known.has(name)) continue;
      const times = scenario === 'mac' || Math.floor(n / parts) % TWICE_EVERY === 0 ? 2 : 1;
      const before = process.cpuUsage();
      const violations = await judge(name, faultFree, play, times);
      const { user, system } = process.cpuUsage(before);
      const result: Result = { scenario, name, violations, seconds: (user + system) / 1_000_000 };
      process.send?.(result);
    }
  }
  process.disconnect();
}

async function all(what: What, records: Records, folder?: string): Promise<void> {
  const { scenarios, depth, seed } = what;
  const startedMs = performance.now();
  const tables = new Map<string, Table>();
  for (const scenario of scenarios) {
    const faultFree = await baseline(playOf(scenario));
    const table = new Table(chosenRuns(faultFree, { ...what, scenario }), faultFree, { scenario, depth });
    for (const result of records.of(scenario, faultFree)) table.add(result);
    tables.set(scenario, table);
  }
  const parts = availableParallelism();
  const workers = Array.from({ length: parts }, (_, part) => {
    const kept = folder === undefined ? [] : ['--records', folder];
    const argv = ['--depth', depth, '--seed', seed, '--part', `${part}/${parts}`, ...kept];
    return fork(import.meta.filename, [...argv, ...scenarios]);
  });
  for (const each of workers) {
    each.on('message', message => {
      const result = message as Result;
      records.add(result);
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

async function main({ what, run, part, folder }: Asked): Promise<void> {
  const records = folder === undefined ? noRecords : recordsIn(folder);
  if (run !== undefined) return one(what.scenarios[0] ?? 'mac', run);
  if (part !== undefined) {
    const [own = 0, parts = 1] = part.split('/').map(Number);
    return worker(what, { part: own, parts }, records);
  }
  if (what.scenarios.length > 0) return all(what, records, folder);
  await all({ ...what, scenarios: ['mac'], depth: 'whole' }, records, folder);
  await all({ ...what, scenarios: scenariosFrom('metal'), depth: 'sample' }, records, folder);
}

function understood(): Asked {
  try {
    return asked(process.argv.slice(2));
  } catch (error) {
    process.stderr.write(`npm run faults: ${messageOf(error)}\n`);
    return process.exit(2);
  }
}

await main(understood());
