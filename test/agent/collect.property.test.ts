// Whatever happened before: nothing that is in use is collected, and a second collection finds nothing more.

import assert from 'node:assert/strict';
import test from 'node:test';
import { Worker } from 'node:worker_threads';

const HISTORIES = 10_000;

test(`over ${HISTORIES} random histories nothing in use is collected and a second collection frees nothing`, async () => {
  const worker = new Worker(new URL('./histories.ts', import.meta.url), {
    workerData: { from: 1, to: HISTORIES },
  });
  const { promise, resolve, reject } = Promise.withResolvers<{ broken?: unknown; collected: number }>();
  worker.once('message', resolve);
  worker.once('error', reject);

  const { broken, collected } = await promise;

  assert.equal(broken, undefined);
  assert.ok(collected > HISTORIES, `something was collected in most histories: ${collected}`);
});
