// `npm run story NAME`: tells one story of test/stories on the whole system; the exit code says how it ended.

import { spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '..');
const STORIES = 'test/stories';

const [name, ...rest] = process.argv.slice(2);
const known = globSync(`${STORIES}/*.ts`, { cwd: root })
  .map(path => basename(path, '.ts'))
  .filter(story => !story.includes('.'))
  .sort();

function main(): number {
  if (name === undefined || !known.includes(name)) {
    const problem = name === undefined ? 'which story?' : `there is no story "${name}"`;
    process.stderr.write(
      `error: ${problem}\nremedy: npm run story NAME, with one of: ${known.join(', ') || '(none yet)'}\n`,
    );
    return 2;
  }
  const file = join(root, STORIES, `${name}.ts`);
  const { status, signal } = spawnSync(process.execPath, [file, ...rest], { cwd: root, stdio: 'inherit' });
  process.stdout.write(
    status === 0 ? `story ${name}: passed\n` : `story ${name}: failed (${signal ?? `exit code ${status}`})\n`,
  );
  return status ?? 1;
}

process.exitCode = main();
