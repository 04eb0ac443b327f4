import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Write } from '../way.ts';
import { afterWrite, digestOfSource, evenly } from './kill.ts';

const write: Write = { method: 'PATCH', path: '/', body: '', status: 200 };

test('all writes are the whole of them, each once, and a sample is spread over them', () => {
  assert.deepEqual(evenly(4, 4), [1, 2, 3, 4]);
  assert.deepEqual(evenly(9, 4), [1, 2, 3, 4]);
  assert.deepEqual(evenly(2, 8), [2, 6]);
});

test('it is killed after that write and no other', () => {
  const when = afterWrite(2);

  const answers = [1, 2, 3].map(() => when(write, 'source'));

  assert.deepEqual(answers, [false, true, false]);
});

test('the digest of the source follows its text, not its tests', () => {
  const folder = mkdtempSync(join(tmpdir(), 'pippin-source-'));
  try {
    writeFileSync(join(folder, 'a.ts'), 'one');
    const first = digestOfSource(folder);
    writeFileSync(join(folder, 'a.test.ts'), 'a test');
    const tested = digestOfSource(folder);
    writeFileSync(join(folder, 'a.ts'), 'two');

    const other = digestOfSource(folder);

    assert.equal(tested, first);
    assert.notEqual(other, first);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
