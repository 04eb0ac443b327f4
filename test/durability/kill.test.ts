// A reduced `npm run soak:kill`: 100 kills of an API server at work.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { killSoak } from './kill/soak.ts';

const KILLS = 100;
const folder = mkdtempSync(join(tmpdir(), 'pippin-kill-'));
after(() => rmSync(folder, { recursive: true }));

test('100 times kill -9 in mid-write lose no acknowledged write, show no half of one and reuse no revision', {
  timeout: 400_000,
}, async () => {
  const { kills, killsInStart, acknowledged, cutOff, events, violations } = await killSoak({
    kills: KILLS,
    mostWrites: 24,
    seed: 'test',
    folder,
    onKill: () => undefined,
  });

  assert.deepEqual(violations, []);
  assert.equal(kills, KILLS);
  assert.ok(killsInStart > 0 && acknowledged > KILLS && cutOff >= KILLS && events > acknowledged);
});
