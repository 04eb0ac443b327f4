// Runs a few conformance cases on the embedded API: `GROUP PART` by `GROUP PART`; the exit code says what they were told.

import type { Case, Group } from '../../conformance/frame/case.ts';
import { embeddedGround } from '../../conformance/frame/embedded-ground.ts';
import { disagreement } from '../../conformance/frame/judge.ts';
import { readRecorded } from '../../conformance/frame/recorded.ts';
import { runCases } from '../../conformance/frame/run.ts';
import { casesOf } from '../../conformance/groups.ts';

await using ground = await embeddedGround();
const answers: readonly boolean[][] = await Promise.all([...asked(process.argv.slice(2))].map(ask));
process.exitCode = answers.flat().every(Boolean) ? 0 : 1;

/** The parts of sentences that are asked for, by group. */
function asked(words: readonly string[]): ReadonlyMap<Group, readonly string[]> {
  const parts = new Map<Group, readonly string[]>();
  for (let at = 0; at < words.length; at += 2) {
    const group = words[at] as Group;
    parts.set(group, [...(parts.get(group) ?? []), words[at + 1] ?? '']);
  }
  return parts;
}

async function ask([group, parts]: readonly [Group, readonly string[]]): Promise<boolean[]> {
  const all = await casesOf[group]();
  for (const part of parts) {
    if (!all.some(({ says }) => says.includes(part))) throw new Error(`no case of ${group} says "${part}"`);
  }
  const cases = all.filter(({ says }) => parts.some(part => says.includes(part)));
  const outcomes = await runCases(cases, ground);
  const recorded = readRecorded(group);
  return cases.map((each: Case): boolean => {
    const outcome = outcomes.get(each.says);
    const what = disagreement(each, outcome, recorded);
    // What broke was told nothing: that is no proof that the fault shows in an answer.
    if (what !== undefined)
      process.stdout.write(`${outcome?.kind === 'told' ? 'DIFFERS' : 'BROKE'}: ${each.says}\n${what}\n`);
    return what === undefined;
  });
}
