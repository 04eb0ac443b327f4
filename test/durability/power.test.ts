// A reduced `npm run soak:power`: the store survives a power cut at any moment, and the soak can tell.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { keepingSoak } from './power/keeping.ts';
import { seenSoak } from './power/seen.ts';
import { powerSoak } from './power/soak.ts';
import { straceMissing } from './power/strace.ts';

const folder = mkdtempSync(join(tmpdir(), 'pippin-power-'));
after(() => rmSync(folder, { recursive: true }));

describe('a power cut', { skip: straceMissing() ?? false, timeout: 240_000 }, () => {
  test('leaves every acknowledged write, and nothing half-written, whatever the disk had not synced', async () => {
    const { early, wrong, images, acknowledged } = await powerSoak({ images: 60, writes: 600, seed: 'test', folder });

    assert.deepEqual([early, wrong], [[], []]);
    assert.deepEqual([images, acknowledged], [60, 608]);
  });

  test('takes acknowledged writes from a store that does not sync, and the soak sees it', async () => {
    const { early, wrong, acknowledged } = await powerSoak({
      images: 20,
      writes: 160,
      seed: 'test',
      folder,
      mutant: 'without-sync',
    });

    assert.equal(early.length, acknowledged, 'each was acknowledged before its sync');
    assert.ok(wrong.length > 5, `${wrong.length} of 20 images`);
  });

  test('after a kill takes nothing back that the next start has shown, synced or not when it was killed', async () => {
    const { sawUnsynced, wrong } = await seenSoak({ images: 20, killedAt: 40, folder });

    assert.deepEqual([sawUnsynced, wrong], [true, []]);
  });

  test('finds a backup whole or without its name, and a restore done, undone or to be run again', async () => {
    const { images, unfinished, wrong } = await keepingSoak({ images: 60, folder });

    assert.deepEqual(wrong, []);
    assert.ok(images >= 60 && unfinished > 0, `${unfinished} of ${images} unfinished`);
  });
});
