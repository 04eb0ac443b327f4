// `npm run generate`: writes what is made from something else; with --check it only says what is stale.

import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { errorIndex } from './error-index.ts';
import { metalFaultsPage } from './metal-faults.ts';

const root = resolve(import.meta.dirname, '..');
const checkOnly = process.argv.includes('--check');

/** Scripts of their own, which take the same flag. */
const SCRIPTS = ['scripts/generate-metal-crds.ts', 'scripts/generate-kinds.ts', 'scripts/generate-manifests.ts'];

/** One page: its path and its text. */
const PAGES: readonly (readonly [string, () => string])[] = [
  ['docs/errors.md', errorIndex],
  ['docs/metal-faults.md', metalFaultsPage],
];

function runScript(script: string): boolean {
  const { status } = spawnSync(process.execPath, [script, ...process.argv.slice(2)], { cwd: root, stdio: 'inherit' });
  return status === 0;
}

function writePage(path: string, text: string): boolean {
  const file = join(root, path);
  if (existsSync(file) && readFileSync(file, 'utf8') === text) return true;
  if (checkOnly) {
    process.stderr.write(`${path} is stale: run npm run generate\n`);
    return false;
  }
  writeFileSync(file, text);
  process.stdout.write(`wrote ${path}\n`);
  return true;
}

const results = [...SCRIPTS.map(runScript), ...PAGES.map(([path, make]) => writePage(path, make()))];
process.exitCode = results.every(Boolean) ? 0 : 1;
