// Compares what a server told with what is recorded, and says where they part.

import { isDeepStrictEqual } from 'node:util';
import type { Case } from './case.ts';
import type { Recorded } from './recorded.ts';
import type { Outcome } from './run.ts';
import type { Shown } from './shown.ts';

/** Undefined: equal. Else the first step that differs, both sides in full. */
export function disagreement(each: Case, outcome: Outcome | undefined, recorded: Recorded): string | undefined {
  if (outcome === undefined) return 'the case did not run';
  if (outcome.kind === 'broke') return outcome.error;
  const expected = recorded[each.says];
  if (expected === undefined) return 'nothing is recorded: run `node test/conformance/try.ts GROUP --record`';
  return firstDifference(plain(outcome.shown), expected);
}

/** As it comes back from a file. */
const plain = (shown: readonly Shown[]): readonly Shown[] => JSON.parse(JSON.stringify(shown)) as readonly Shown[];

function firstDifference(told: readonly Shown[], expected: readonly Shown[]): string | undefined {
  for (let step = 0; step < Math.max(told.length, expected.length); step++) {
    if (isDeepStrictEqual(told[step], expected[step])) continue;
    const where = pathsThatDiffer(told[step], expected[step], '').slice(0, 12).join('\n  ');
    return `step ${step + 1}, ${String(expected[step]?.[0] ?? told[step]?.[0])}\n  ${where}\n  recorded: ${brief(expected[step])}\n  told:     ${brief(told[step])}`;
  }
  return undefined;
}

function pathsThatDiffer(told: unknown, expected: unknown, path: string): string[] {
  if (isDeepStrictEqual(told, expected)) return [];
  if (!isTree(told) || !isTree(expected) || Array.isArray(told) !== Array.isArray(expected)) {
    return [`${path}: recorded ${brief(expected)}, told ${brief(told)}`];
  }
  const keys = new Set([...Object.keys(expected), ...Object.keys(told)]);
  return [...keys].flatMap(key => pathsThatDiffer(told[key], expected[key], `${path}.${key}`));
}

const brief = (value: unknown): string => (JSON.stringify(value) ?? 'nothing').slice(0, 900);

const isTree = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;
