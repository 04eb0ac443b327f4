import { test } from 'node:test';
import { scenarios } from './stranded-pods/scenarios.ts';

for (const { name, run } of scenarios) {
  test(`stranded Pods: ${name}`, async () => {
    await run();
  });
}
