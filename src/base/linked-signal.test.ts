// Linked signals: the first one that aborts counts, and released ones no longer follow.

import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { test } from 'node:test';
import { linkedSignal } from './linked-signal.ts';

test('it aborts with the reason of whichever aborts first, or already has', () => {
  const [one, two] = [new AbortController(), new AbortController()];
  const linked = linkedSignal(one.signal, undefined, two.signal);

  two.abort('second');
  one.abort('first');

  assert.equal(linked.signal.reason, 'second');
  assert.equal(linkedSignal(one.signal).signal.reason, 'first');
});

test('once released it follows nobody and leaves nothing behind', () => {
  const long = new AbortController();
  const linked = linkedSignal(long.signal);

  linked.release();
  assert.equal(getEventListeners(long.signal, 'abort').length, 0);
  long.abort();

  assert.equal(linked.signal.aborted, false);
});
