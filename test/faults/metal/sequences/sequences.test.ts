import assert from 'node:assert/strict';
import { test } from 'node:test';
import { playBatch } from './play.ts';

/** `npm run soak:metal` plays ten thousand sequences; here, as many as take seconds. */
const BATCHES = 2;

for (let batch = 0; batch < BATCHES; batch++) {
  test(`whatever users do and whenever programs crash, no index or address is held twice and nothing is left (batch ${batch})`, async () => {
    assert.deepEqual(await playBatch(batch), [], `again: npm run soak:metal -- --batch ${batch}`);
  });
}
