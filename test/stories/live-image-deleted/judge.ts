// What the replayed hours must have come to, under our collector; and what shows the fault under the report's rule.

import assert from 'node:assert/strict';
import type { Account } from './replay.ts';

/** Warm starts among those whose content the host had seen before. */
export const warmShare = ({ warm, cold, firstSights }: Account): number => warm / (warm + cold - firstSights);

export function judgeOurs(account: Account): void {
  assert.equal(account.liveDeleted, 0, 'no live image was deleted');
  assert.equal(account.supersededLeft, 0, 'superseded digests went');
  assert.equal(account.done, account.provisions, 'every job was done');
  assert.ok(warmShare(account) >= 0.97, `warm starts after first sight: ${warmShare(account)}`);
}

export function judgeText(account: Account): void {
  assert.ok(account.liveDeleted >= 3, "the report's rule deletes the live image again and again");
}
