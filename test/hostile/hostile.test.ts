import assert from 'node:assert/strict';
import { test } from 'node:test';
import { attack } from './attack.ts';

/** The history of changes is kept up to a bound; what grows beyond it is a leak. */
const HISTORY_BYTES = 96 * 1024 * 1024;

test('20,000 requests, however malformed, break nothing and leave nothing behind', { timeout: 400_000 }, async () => {
  const { broken, codes, heapBytes, ready } = await attack({ requests: 20_000, seed: 42 });

  assert.deepEqual(broken.slice(0, 3), []);
  assert.ok(ready);
  assert.ok(codes.size >= 8, `only these codes were answered: ${[...codes.keys()]}`);
  assert.ok(heapBytes.late - heapBytes.early < HISTORY_BYTES, JSON.stringify(heapBytes));
});
