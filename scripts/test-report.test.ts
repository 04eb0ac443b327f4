import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

/** In a process of its own: node:test does not run inside a test. */
const RUNNER = `
import { run } from 'node:test';
import { report } from '${fileURLToPath(import.meta.resolve('./test-report.ts'))}';
const [root, ...names] = process.argv.slice(2);
const tally = { passed: 0, failed: 0, skipped: 0 };
const events = run({ files: names.map(name => root + '/' + name) });
for await (const text of report(events, { root, verbose: false, chosen: false }, tally)) process.stdout.write(text);
process.stdout.write(JSON.stringify(tally));
`;

/** Runs test files with these contents and answers what was printed. */
function printedFor(files: Record<string, string>): { text: string; tally: unknown } {
  const root = mkdtempSync(join(tmpdir(), 'report-'));
  for (const [name, text] of Object.entries(files)) {
    writeFileSync(join(root, name), `import test from 'node:test';\n${text}\n`);
  }
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  writeFileSync(join(root, 'run.mjs'), RUNNER);
  const args = [join(root, 'run.mjs'), root, ...Object.keys(files)];
  const output = execFileSync(process.execPath, args, { env, encoding: 'utf8' });
  rmSync(root, { recursive: true });
  const end = output.lastIndexOf('{');
  return { text: output.slice(0, end), tally: JSON.parse(output.slice(end)) };
}

test('a run ends with its totals on a plain line', () => {
  const { text, tally } = printedFor({
    'good.mjs': 'test("adds", () => {}); test("needs kubectl", { skip: "no kubectl here" }, () => {});',
    'bad.mjs': 'console.log("seen before"); test("subtracts", () => { throw new Error("off by one"); });',
  });

  assert.match(text, /^✔ good\.mjs 2 tests/m);
  assert.match(text, /^ℹ tests 3$/m);
  assert.match(text, /\n1 passed, 1 failed, 1 skipped\n$/);
  assert.deepEqual(tally, { passed: 1, failed: 1, skipped: 1 });
});

test('a failure is told with its place, its cause and what the file printed', () => {
  const { text } = printedFor({
    'bad.mjs': 'console.log("seen before"); test("subtracts", () => { throw new Error("off by one"); });',
  });

  assert.match(text, /✖ bad\.mjs:2 subtracts\n {4}Error: off by one/);
  assert.match(text, /seen before/);
});

test('a skipped test is named with its reason', () => {
  const { text } = printedFor({
    'good.mjs': 'test("runs", () => {}); test("needs kubectl", { skip: "no kubectl here" }, () => {});',
  });

  assert.match(text, /Skipped:\n﹣ good\.mjs:2 needs kubectl: no kubectl here\n/);
});

test('a file that cannot be loaded, and one without a test, fail the run', () => {
  const broken = printedFor({ 'broken.mjs': 'throw new Error("no such table");' });
  const empty = printedFor({ 'empty.mjs': '' });

  assert.deepEqual(broken.tally, { passed: 0, failed: 1, skipped: 0 });
  assert.match(broken.text, /no such table/);
  assert.deepEqual(empty.tally, { passed: 0, failed: 1, skipped: 0 });
  assert.match(empty.text, /empty\.mjs\n {4}has no test in it/);
});
