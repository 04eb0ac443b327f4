import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { mutants } from './mutants.ts';

const root = join(import.meta.dirname, '../..');

/** Runs the tests with the mutant in place; node:test's exit code and what it said. */
function run(
  mutant: string,
  files: readonly string[],
  named = '',
): { readonly status: number | null; readonly said: string } {
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const hook = join(root, 'test/mutants/mutate.ts');
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [
      '--import',
      hook,
      '--test',
      '--test-isolation=none',
      '--test-reporter',
      'tap',
      ...(named === '' ? [] : ['--test-name-pattern', named]),
      ...files,
    ],
    { cwd: root, env: { ...env, PIPPIN_MUTANT: mutant }, encoding: 'utf8', timeout: 240_000 },
  );
  return { status, said: `${stdout}${stderr}` };
}

for (const { name, caughtBy, named } of mutants) {
  test(`the mutant "${name}" is caught`, () => {
    const { status, said } = run(name, caughtBy, named);

    assert.doesNotMatch(said, /exactly once|no mutant is called/, 'the mutant was put in place');
    assert.equal(status, 1, 'a test failed');
    assert.match(said, /^not ok .*$/m);
  });
}

test('a changed line is looked for in its file, and its absence is told', () => {
  const { status, said } = run('not a mutant', ['test/deletion/vm-gone.test.ts']);

  assert.notEqual(status, 0);
  assert.match(said, /no mutant is called/);
});
