// Which test files `npm test`, `npm run test:kube` and `npm run test:clients` run, in what surroundings, and the exit code.

import { spawnSync } from 'node:child_process';
import { chmodSync, globSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, homedir, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { run } from 'node:test';
import { parseArgs } from 'node:util';
import { report, type Tally } from './test-report.ts';

const USAGE = `usage: npm test -- [-v] [-t PATTERN] [PART OF A PATH ...]
  -v, --verbose         print every test, not only every file
  -t, --name PATTERN    only tests whose name matches
`;

/** Longest first: what crosses folders takes longer than the unit tests. */
const EVERYWHERE = [
  'test/**/*.test.ts',
  'src/**/*.test.ts',
  'bench/**/*.test.ts',
  'sim/**/*.test.ts',
  'scripts/**/*.test.ts',
];
/** Needs the real control plane. */
const ON_REAL_KUBERNETES = 'test/kube/';
/** Needs it, and programs that others wrote. */
const WITH_FOREIGN_CLIENTS = 'test/clients/';
/** Only what hangs is ended by it, on however slow a machine: what a test waits for has a deadline of its own. */
const TEST_TIMEOUT_MS = 600_000;

const root = resolve(import.meta.dirname, '..');
const { values: options, positionals: parts } = parseArgs({
  allowPositionals: true,
  options: {
    verbose: { type: 'boolean', short: 'v', default: false },
    name: { type: 'string', short: 't' },
    kube: { type: 'boolean', default: false },
    clients: { type: 'boolean', default: false },
  },
});

function testFiles(): string[] {
  const files = EVERYWHERE.flatMap(pattern => globSync(pattern, { cwd: root }).sort());
  const asked = (file: string): boolean => parts.length === 0 || parts.some(part => file.includes(part));
  const ofThisRun = (file: string): boolean =>
    file.startsWith(ON_REAL_KUBERNETES) === options.kube && file.startsWith(WITH_FOREIGN_CLIENTS) === options.clients;
  return files.filter(file => asked(file) && ofThisRun(file));
}

/** What such tests run is made once per version, and kept outside the tree. */
function areMade(...scripts: readonly string[]): boolean {
  const isMade = (script: string): boolean =>
    spawnSync(process.execPath, [join(root, script)], { cwd: root, stdio: 'inherit' }).status === 0;
  return scripts.every(isMade);
}

const onRealKubernetes = options.kube || options.clients;

/** safe-24: whatever clusters and clouds the person who runs the tests has access to, the tests cannot find them. */
function forgetThePerson(scratch: string): void {
  const cache = process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache');
  for (const name of Object.keys(process.env)) {
    if (/^(KUBECONFIG|TART_HOME|SCW_.*|XDG_.*|PIPPIN_.*)$/.test(name)) delete process.env[name];
  }
  const home = join(scratch, 'home');
  mkdirSync(home);
  process.env.HOME = home;
  process.env.TMPDIR = scratch;
  // The real control plane's programs are there.
  if (onRealKubernetes) process.env.XDG_CACHE_HOME = cache;
}

async function runTests(files: readonly string[], signal: AbortSignal): Promise<number> {
  const events = run({
    files: files.map(file => join(root, file)),
    concurrency: Math.min(4, Math.max(2, availableParallelism())),
    timeout: TEST_TIMEOUT_MS,
    signal,
    ...(options.name === undefined ? {} : { testNamePatterns: [options.name] }),
  });
  const tally: Tally = { passed: 0, failed: 0, skipped: 0 };
  const how = { root, verbose: options.verbose, chosen: options.name !== undefined };
  for await (const text of report(events, how, tally)) process.stdout.write(text);
  return tally.failed === 0 && tally.passed > 0 && !signal.aborted ? 0 : 1;
}

async function main(): Promise<number> {
  const files = testFiles();
  if (files.length === 0) {
    const where = parts.length === 0 ? 'there is no test file' : `no test file has ${parts.join(' or ')} in its path`;
    process.stderr.write(`error: ${where}\n${USAGE}`);
    return 1;
  }
  if (onRealKubernetes && !areMade('scripts/kube/build.ts')) return 1;
  if (options.clients && !areMade('scripts/clients/prepare.ts')) return 1;

  const scratch = mkdtempSync(join(tmpdir(), 'pippin-test-'));
  // One test plays a user who may do nothing: that one must get as far as the files that it is refused.
  chmodSync(scratch, 0o711);
  const interrupted = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => interrupted.abort());
  try {
    forgetThePerson(scratch);
    return await runTests(files, interrupted.signal);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

process.exitCode = await main();
