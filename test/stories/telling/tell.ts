// Tells a story: one line for each scenario, what happened in it, and how long it took to run.

import { messageOf } from '../../../src/base/errors.ts';
import type { Scenario } from './scenario.ts';

/** Runs all scenarios, prints the account, and leaves exit code 1 when one fails. */
export async function tell(opening: string, scenarios: readonly Scenario[]): Promise<void> {
  process.stdout.write(`${opening}\n\n`);
  const startedMs = performance.now();
  let failed = 0;
  for (const { name, run } of scenarios) {
    try {
      process.stdout.write(`  ok      ${name}\n          ${await run()}\n`);
    } catch (error) {
      failed += 1;
      process.stdout.write(`  FAILED  ${name}\n          ${messageOf(error)}\n`);
    }
  }
  const seconds = ((performance.now() - startedMs) / 1000).toFixed(1);
  process.stdout.write(`\n${scenarios.length - failed} passed, ${failed} failed, in ${seconds} s of real time\n`);
  if (failed > 0) process.exitCode = 1;
}
