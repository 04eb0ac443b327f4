// For whoever writes cases: runs a group on the embedded API and says where it parts from what is recorded.
// `node test/conformance/try.ts GROUP [PART OF A SENTENCE] [--record] [--real FILE]`: --record asks the real server first.

import { parseArgs } from 'node:util';
import type { Case, Group } from './frame/case.ts';
import { embeddedGround } from './frame/embedded-ground.ts';
import type { Ground } from './frame/ground.ts';
import { disagreement } from './frame/judge.ts';
import { realGround, sharedGround } from './frame/real-ground.ts';
import { readRecorded, writeRecorded } from './frame/recorded.ts';
import { type Outcome, runCases } from './frame/run.ts';
import { hangUp } from './frame/wire.ts';
import { casesOf } from './groups.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { record: { type: 'boolean', default: false }, real: { type: 'string' } },
});
const [group, part = ''] = positionals as [Group, string?];
const all = await casesOf[group]();
const cases = all.filter(({ says }) => says.includes(part));

if (values.record) {
  if (values.real === undefined) {
    await using ground = await realGround();
    await record(ground);
  } else {
    const ground = sharedGround(values.real);
    await record(ground);
    hangUp(ground);
  }
}
await using ground = await embeddedGround();
await compare(ground);

/** Sentences that are no longer there leave the file. */
async function record(ground: Ground): Promise<void> {
  const outcomes = await runCases(cases, ground);
  const known = readRecorded(group);
  const kept = all.flatMap(({ says }) => (known[says] === undefined ? [] : [[says, known[says]] as const]));
  const fresh = cases.flatMap(({ says }) => {
    const outcome = outcomes.get(says);
    if (outcome?.kind === 'told') return [[says, outcome.shown] as const];
    process.stdout.write(`BROKE on the real server: ${says}\n  ${outcome?.error}\n`);
    return [];
  });
  writeRecorded(group, { ...Object.fromEntries(kept), ...Object.fromEntries(fresh) });
  process.stdout.write(`recorded ${fresh.length} of ${cases.length}\n`);
}

async function compare(ground: Ground): Promise<void> {
  const outcomes = await runCases(cases, ground);
  const differs = (each: Case): string | undefined =>
    disagreement(each, outcomes.get(each.says), readRecorded(each.difference === undefined ? group : 'differences'));
  if (values.record) recordDifferences(outcomes);
  let equal = 0;
  for (const each of cases) {
    const what = differs(each);
    if (what === undefined) equal += 1;
    else process.stdout.write(`\nDIFFERS: ${each.says}\n  ${what}\n`);
  }
  process.stdout.write(`\n${equal} of ${cases.length} equal\n`);
  if (equal < cases.length || equal === 0) process.exitCode = 1;
}

/** What the embedded API answers where it is known, and listed, to differ. */
function recordDifferences(outcomes: ReadonlyMap<string, Outcome>): void {
  const fresh = cases.flatMap(({ says, difference }) => {
    const outcome = outcomes.get(says);
    return difference !== undefined && outcome?.kind === 'told' ? [[says, outcome.shown] as const] : [];
  });
  if (fresh.length > 0) writeRecorded('differences', { ...readRecorded('differences'), ...Object.fromEntries(fresh) });
}
