import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Row } from '../store.ts';
import { keptRow } from './serialise.ts';

const rowOfBytes = (name: string, bytes: number): Row => {
  const body = Buffer.from(JSON.stringify({ metadata: { name }, data: 'x'.repeat(bytes) }));
  return keptRow({ storage: 'things', namespace: '', name }, { revision: 1, apiVersion: 'v1', kind: 'Thing', body });
};

/** More than is kept of what was parsed once. */
function parseOthers(): void {
  for (let count = 0; count < 10; count++) void rowOfBytes(`other-${count}`, 100 * 1024).object;
}

test('what is parsed once is soon forgotten, what is parsed again is kept', () => {
  const row = rowOfBytes('asked', 100);
  const first = row.object;
  parseOthers();
  const second = row.object;
  parseOthers();
  const third = row.object;

  assert.deepEqual(second, first);
  assert.notEqual(second, first);
  assert.equal(third, second);
});
