import { test } from 'node:test';
import { scenarios } from './stuck-data-template/scenarios.ts';

for (const { name, run } of scenarios) {
  test(`stuck Template: ${name}`, async () => {
    await run();
  });
}
