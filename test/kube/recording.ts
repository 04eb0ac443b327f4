// Answers of the real server that unit tests of ours are held against: kept in files, and checked here to be current.

import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const FOLDER = join(import.meta.dirname, '../../src/apiserver/builtin/recorded');

/** With RECORD=1 the file is written; else it must say what the real server says. */
export function holdRecording(name: string, answers: Readonly<Record<string, unknown>>): void {
  const file = join(FOLDER, `${name}.generated.json`);
  const lines = Object.entries(answers).map(([key, answer]) => `${JSON.stringify(key)}:${JSON.stringify(answer)}`);
  const text = `{\n${lines.join(',\n')}\n}\n`;
  if (process.env.RECORD === '1') writeFileSync(file, text);
  assert.ok(existsSync(file), `run again with RECORD=1 to write ${file}`);
  assert.deepEqual(JSON.parse(text), JSON.parse(readFileSync(file, 'utf8')));
}
