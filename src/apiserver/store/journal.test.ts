import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Journal, JournaledStore } from './journal.ts';

test('after one commit that failed no later one is begun, even if the disk would take it again', async () => {
  const commits: number[] = [];
  const journal: Journal = {
    commit: changes => {
      commits.push(changes.length);
      if (commits.length === 1) throw new Error('no space left');
    },
    soon: flush => queueMicrotask(flush),
    close: () => undefined,
  };
  const store = new JournaledStore(journal);
  const write = (name: string): Promise<unknown> =>
    store.write({ storage: 'things', namespace: '', name, expected: 0, object: { metadata: { name } } });

  await assert.rejects(write('a'), { code: 'PIPPIN_E_STORE_CLOSED', message: /no space left/ });
  await assert.rejects(write('b'), { code: 'PIPPIN_E_STORE_CLOSED', message: /no space left/ });

  assert.deepEqual(commits, [1]);
  assert.equal(store.range('things')?.rows.length, 0);
});
