// `npm test`: which test files run, in what surroundings, and what the exit code says.

import { globSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { run } from 'node:test';
import { parseArgs } from 'node:util';
import { report, type Tally } from './test-report.ts';

const USAGE = `usage: npm test -- [-v] [-t PATTERN] [PART OF A PATH ...]
  -v            print every test, not only every file
  -t PATTERN    only tests whose name matches
`;

/** Longest first: what crosses folders takes longer than the unit tests. */
const EVERYWHERE = ['test/**/*.test.ts', 'src/**/*.test.ts', 'sim/**/*.test.ts', 'scripts/**/*.test.ts'];
/** Needs the real control plane: `npm run test:kube`. */
const ON_REAL_KUBERNETES = 'test/kube/';
const FILE_TIMEOUT_MS = 240_000;

const root = resolve(import.meta.dirname, '..');

function testFiles(parts: readonly string[]): string[] {
  const files = EVERYWHERE.flatMap(pattern => globSync(pattern, { cwd: root }).sort());
  const asked = (file: string): boolean => parts.length === 0 || parts.some(part => file.includes(part));
  const isHere = (file: string): boolean =>
    parts.some(p => p.includes(ON_REAL_KUBERNETES)) || !file.startsWith(ON_REAL_KUBERNETES);
  return files.filter(file => asked(file) && isHere(file));
}

/** safe-24: whatever clusters and clouds the person who runs the tests has access to, the tests cannot find them. */
function forgetThePerson(scratch: string): void {
  for (const name of Object.keys(process.env)) {
    if (/^(KUBECONFIG|TART_HOME|SCW_.*|XDG_.*|PIPPIN_.*)$/.test(name)) delete process.env[name];
  }
  const home = join(scratch, 'home');
  mkdirSync(home);
  process.env.HOME = home;
  process.env.TMPDIR = scratch;
}

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { verbose: { type: 'boolean', short: 'v' }, name: { type: 'string', short: 't' } },
  });
  const files = testFiles(positionals);
  if (files.length === 0) {
    process.stderr.write(`error: no test file has ${positionals.join(' or ')} in its path\n${USAGE}`);
    return 1;
  }

  const scratch = mkdtempSync(join(tmpdir(), 'pippin-test-'));
  forgetThePerson(scratch);
  const interrupted = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => interrupted.abort());
  try {
    const events = run({
      files: files.map(file => join(root, file)),
      concurrency: Math.min(4, Math.max(2, availableParallelism())),
      timeout: FILE_TIMEOUT_MS,
      signal: interrupted.signal,
      ...(values.name === undefined ? {} : { testNamePatterns: [values.name] }),
    });
    const tally: Tally = { passed: 0, failed: 0, skipped: 0 };
    for await (const text of report(
      events,
      { root, verbose: values.verbose === true, chosen: values.name !== undefined },
      tally,
    ))
      process.stdout.write(text);
    return tally.failed === 0 && tally.passed > 0 && !interrupted.signal.aborted ? 0 : 1;
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

process.exitCode = await main();
