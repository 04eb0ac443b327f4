import assert from 'node:assert/strict';
import { test } from 'node:test';
import { storeContract } from './store.contract.ts';
import { memoryStore } from './store-memory.ts';

storeContract('memory store', async history => memoryStore(history));

test('stores that begin with what another held have it at its revision, and none sees what the others write', async () => {
  const key = { storage: 'things', namespace: '', name: 'a' };
  const object = { apiVersion: 'v1', kind: 'Thing', metadata: { name: 'a' } };
  const first = memoryStore();
  await first.write({ ...key, expected: 0, object });
  const held = { rows: first.range('things')?.rows ?? [], revision: first.revision };
  const [one, other] = [memoryStore(undefined, held), memoryStore(undefined, held)];

  const written = await one.write({ ...key, expected: first.revision, object: { ...object, spec: 1 } });

  assert.equal(written.kind, 'written');
  assert.equal(one.revision, first.revision + 1);
  assert.equal(other.revision, first.revision);
  assert.deepEqual(other.get(key)?.object, first.get(key)?.object);
  assert.equal(other.tail('things', first.revision - 1), undefined, 'what came before is not known');
});
