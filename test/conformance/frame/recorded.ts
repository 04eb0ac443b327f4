// What the real server told each case: one file a group, one line an answer, kept current by the run on the real one.

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Group } from './case.ts';
import type { Shown } from './shown.ts';

const FOLDER = join(import.meta.dirname, '../recorded');

export type Recorded = Readonly<Record<string, readonly Shown[]>>;

/** `of`: the group's answers of the real server, or what the embedded API answers where it is known to differ. */
export function readRecorded(of: Group | 'differences'): Recorded {
  const file = fileOf(of);
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Recorded) : {};
}

export function writeRecorded(of: Group | 'differences', answers: Recorded): void {
  const cases = Object.entries(answers)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([says, shown]) => `${JSON.stringify(says)}:[\n${shown.map(each => JSON.stringify(each)).join(',\n')}\n]`);
  writeFileSync(fileOf(of), `{\n${cases.join(',\n')}\n}\n`);
}

const fileOf = (of: string): string => join(FOLDER, `${of}.generated.json`);
