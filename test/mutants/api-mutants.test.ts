import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import type { ApiMutant, ToldByCases } from './api/mutant.ts';
import { apiMutants } from './api/mutants.ts';

const root = join(import.meta.dirname, '../..');
const ASK = join(root, 'test/mutants/api/ask-cases.ts');
const MUTATE = ['--import', join(root, 'test/mutants/mutate.ts')];
const TESTS = ['--test', '--test-isolation=none', '--test-reporter', 'tap'];

/** What one process compiled need not be compiled by the next: they differ in one file, which is known by its text. */
const compiled = mkdtempSync(join(tmpdir(), 'pippin-mutants-'));
after(() => rmSync(compiled, { recursive: true, force: true }));

interface Ended {
  readonly status: number;
  readonly said: string;
}

/** One process; `mutant`: with this one in place. */
function run(words: readonly string[], mutant?: string): Promise<Ended> {
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const arranged = { ...env, NODE_COMPILE_CACHE: compiled, ...(mutant === undefined ? {} : { PIPPIN_MUTANT: mutant }) };
  const all = [...(mutant === undefined ? [] : MUTATE), ...words];
  return new Promise(resolve => {
    const options = { cwd: root, env: arranged, timeout: 240_000, maxBuffer: 2 ** 26 };
    const child = execFile(process.execPath, all, options, (_error, stdout, stderr) =>
      resolve({ status: child.exitCode ?? -1, said: `${stdout}${stderr}` }),
    );
  });
}

const isToldByCases = (mutant: ApiMutant): mutant is ToldByCases => 'cases' in mutant;
const casesIn = ({ group, cases }: ToldByCases): readonly string[] => cases.flatMap(part => [group, part]);

describe('what tells the mutants of the API', { concurrency: 2 }, () => {
  test('the cases are answered as recorded where nothing is changed', async () => {
    const { status, said } = await run([ASK, ...apiMutants.filter(isToldByCases).flatMap(casesIn)]);

    assert.equal(status, 0, said);
  });

  test('the unit tests pass where nothing is changed', async () => {
    const files = apiMutants.flatMap(mutant => (isToldByCases(mutant) ? [] : mutant.caughtBy));
    const { status, said } = await run([...TESTS, ...new Set(files)]);

    assert.equal(status, 0, said);
  });

  for (const mutant of apiMutants) {
    test(`a server is found out of which it is true that ${mutant.name}`, async () => {
      const words = isToldByCases(mutant) ? [ASK, ...casesIn(mutant)] : [...TESTS, ...mutant.caughtBy];
      const { status, said } = await run(words, mutant.name);

      assert.doesNotMatch(said, /exactly once|no mutant is called|never loaded/, said);
      assert.equal(status, 1, `nothing noticed:\n${said}`);
      assert.match(said, isToldByCases(mutant) ? /^DIFFERS: /m : /^not ok .*$/m);
    });
  }
});

test('each mutant has a name of its own and changes its line', () => {
  assert.equal(new Set(apiMutants.map(({ name }) => name)).size, apiMutants.length);
  assert.deepEqual(
    apiMutants.filter(({ line, instead }) => line === instead),
    [],
  );
});
