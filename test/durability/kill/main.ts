// `npm run soak:kill [-- --kills N --seed S]`: 1,000 kills unless told otherwise; ends with 1 at the first violation.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { exitOnSignals } from '../../exit-on-signals.ts';
import { killSoak } from './soak.ts';

const { values } = parseArgs({
  options: { kills: { type: 'string', default: '1000' }, seed: { type: 'string', default: 'kill' } },
});
const kills = Number(values.kills);
const folder = mkdtempSync(join(tmpdir(), 'pippin-soak-kill-'));
const started = performance.now();
const seconds = (): string => ((performance.now() - started) / 1000).toFixed(0);
const say = (line: string): void => void process.stdout.write(`${line}\n`);

exitOnSignals();
say(`${kills} kills, seed "${values.seed}"`);
const summary = await killSoak({
  kills,
  seed: values.seed,
  folder,
  onKill: ({ kills: done, acknowledged, cutOff, events }) => {
    if (done % 25 !== 0) return;
    say(`${seconds()} s: ${done} kills, ${acknowledged} writes acknowledged, ${cutOff} cut off, ${events} events`);
  },
});
say(`${summary.kills} kills in mid-write and ${summary.killsInStart} in a start, in ${seconds()} s`);
say(`${summary.acknowledged} writes acknowledged, ${summary.cutOff} cut off, ${summary.events} watch events`);
say(`newest revision ${summary.revision}; violations: ${summary.violations.length}`);
for (const violation of summary.violations.slice(0, 20)) say(`  ${violation}`);
if (summary.violations.length === 0) rmSync(folder, { recursive: true });
else say(`the data folder is kept in ${folder}`);
process.exitCode = summary.violations.length === 0 && summary.kills >= kills ? 0 : 1;
