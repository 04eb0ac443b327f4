// What is known of a scenario's runs, kept in a file: whoever goes on later makes only those that are missing.

import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Life } from './life.ts';
import type { RunName } from './matrix.ts';

/** One run, judged. */
export interface Result {
  readonly scenario: string;
  readonly name: RunName;
  readonly violations: readonly string[];
  /** Of one processor. */
  readonly seconds: number;
}

/** What is noted of each scenario in a folder; without a folder nothing is. */
export interface Records<R extends Pick<Result, 'scenario'> = Result> {
  /** Results of runs of this very life: what was noted of another one, of older code, is dropped. */
  of(scenario: string, faultFree: Pick<Life, 'trace'>): readonly R[];
  add(result: R): void;
}

export const noRecords: Records<never> = { of: () => [], add: () => undefined };

export function recordsIn<R extends Pick<Result, 'scenario'> = Result>(folder: string): Records<R> {
  mkdirSync(folder, { recursive: true });
  const fileOf = (scenario: string): string => join(folder, `${scenario.replaceAll('/', '-')}.jsonl`);
  return {
    of(scenario, faultFree) {
      const file = fileOf(scenario);
      const head = JSON.stringify({ faultFree: createHash('sha256').update(faultFree.trace).digest('hex') });
      const [first, ...lines] = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : [];
      if (first === head) return lines.flatMap(line => resultIn<R>(line));
      writeFileSync(file, head);
      return [];
    },
    // The end of the line comes before it: one that was cut off spoils no other.
    add: result => appendFileSync(fileOf(result.scenario), `\n${JSON.stringify(result)}`),
  };
}

/** A line that was cut off, when the machine stopped, says nothing. */
function resultIn<R>(line: string): R[] {
  try {
    return [JSON.parse(line) as R];
  } catch {
    return [];
  }
}
