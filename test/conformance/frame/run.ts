// Runs cases on a ground: several at once, those that must be alone by themselves, and hands back what each was told.

import type { Case } from './case.ts';
import type { Ground } from './ground.ts';
import type { Shown } from './shown.ts';
import { Trial } from './trial.ts';

const AT_ONCE = 6;
const CASE_DEADLINE_MS = 90_000;

export type Outcome =
  | { readonly kind: 'told'; readonly shown: readonly Shown[] }
  | { readonly kind: 'broke'; readonly error: string };

/** By sentence. */
export async function runCases(cases: readonly Case[], ground: Ground): Promise<ReadonlyMap<string, Outcome>> {
  const outcomes = new Map<string, Outcome>();
  const waiting = cases.filter(each => each.alone !== true);
  const worker = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      outcomes.set(next.says, await runCase(next, ground));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  for (const each of cases.filter(({ alone }) => alone === true)) outcomes.set(each.says, await runCase(each, ground));
  return outcomes;
}

async function runCase({ says, steps }: Case, ground: Ground): Promise<Outcome> {
  const trial = new Trial(ground, says);
  try {
    await withinDeadline(steps(trial));
    return { kind: 'told', shown: trial.shown };
  } catch (error) {
    const told = JSON.stringify(trial.shown.at(-1) ?? []).slice(0, 2000);
    return { kind: 'broke', error: `${error instanceof Error ? error.stack : String(error)}\nlast told: ${told}` };
  } finally {
    await trial.end();
  }
}

async function withinDeadline(steps: Promise<void>): Promise<void> {
  let late: NodeJS.Timeout | undefined;
  const deadline = new Promise<never>((_, reject) => {
    late = setTimeout(() => reject(new Error(`the case took over ${CASE_DEADLINE_MS / 1000} s`)), CASE_DEADLINE_MS);
  });
  await Promise.race([steps, deadline]).finally(() => clearTimeout(late));
}
