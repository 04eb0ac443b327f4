// `npm run check`: everything that is judged without running the program. All steps run; one that fails fails the check.

import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';

const root = resolve(import.meta.dirname, '..');

/** What it holds, and the Node script with its arguments. */
const STEPS: readonly (readonly [string, ...string[]])[] = [
  ['types', 'node_modules/typescript/bin/tsc', '--project', '.'],
  [
    'lint and format',
    'node_modules/@biomejs/biome/bin/biome',
    'check',
    '--diagnostic-level=warn',
    '--error-on-warnings',
  ],
  ['dead code', 'node_modules/knip/bin/knip.js', '--no-progress', '--treat-config-hints-as-errors'],
  [
    'dead code but for tests',
    'node_modules/knip/bin/knip.js',
    '--no-progress',
    '--production',
    '--config',
    'knip.production.json',
  ],
  ['generated files', 'scripts/generate.ts', '--check'],
  ['house rules', 'scripts/test.ts', 'test/house/'],
];

/** Whether the step holds; prints what it said only when it does not. */
function holds([name, ...args]: readonly [string, ...string[]]): boolean {
  const started = performance.now();
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 1 << 26,
  });
  const took = ((performance.now() - started) / 1000).toFixed(1);
  process.stdout.write(`${status === 0 ? '✔' : '✖'} ${name} (${took} s)\n`);
  if (status !== 0) process.stdout.write(`${stdout}${stderr}\n`);
  return status === 0;
}

const failed = STEPS.filter(step => !holds(step)).map(([name]) => name);
process.stdout.write(failed.length === 0 ? '\ncheck: all hold\n' : `\ncheck: failed: ${failed.join(', ')}\n`);
process.exitCode = failed.length === 0 ? 0 : 1;
