import assert from 'node:assert/strict';
import { appendFileSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Life } from './life.ts';
import { type Result, recordsIn } from './record.ts';

const life = (trace: string): Life => ({ calls: [], events: [], injected: [], trace, violations: [], end: '' });
const result = (name: string, ...violations: readonly string[]): Result => ({
  scenario: 'metal/life',
  name,
  violations,
  seconds: 0.5,
});

function inFolder(use: (folder: string) => void): void {
  const folder = mkdtempSync(join(tmpdir(), 'pippin-records-'));
  try {
    use(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test('who goes on with a matrix finds the runs that were made, with what they violated', () =>
  inFolder(folder => {
    const first = recordsIn(folder);
    assert.deepEqual(first.of('metal/life', life('a')), []);
    first.add(result('call:0:403'));
    first.add(result('call:0:404', 'it stays'));

    const found = recordsIn(folder).of('metal/life', life('a'));

    assert.deepEqual(found, [result('call:0:403'), result('call:0:404', 'it stays')]);
  }));

test('runs of other code, in which the life goes otherwise without any fault, count for nothing', () =>
  inFolder(folder => {
    const first = recordsIn(folder);
    first.of('metal/life', life('a'));
    first.add(result('call:0:403'));

    assert.deepEqual(recordsIn(folder).of('metal/life', life('b')), []);
    assert.deepEqual(recordsIn(folder).of('metal/life', life('b')), []);
  }));

test('a line that was cut off is a run that is still to be made', () =>
  inFolder(folder => {
    const first = recordsIn(folder);
    first.of('metal/life', life('a'));
    first.add(result('call:0:403'));
    const [file = ''] = readdirSync(folder);
    appendFileSync(join(folder, file), '\n{"scenario":"metal/life","na');
    first.add(result('call:0:500'));

    const found = recordsIn(folder).of('metal/life', life('a'));

    assert.deepEqual(found, [result('call:0:403'), result('call:0:500')]);
  }));
