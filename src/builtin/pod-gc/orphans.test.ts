// When a missing Node's Pods may be looked at.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { suspect } from './orphans.ts';

const at = (nowMs: number) => ({ nowMs, quarantineMs: 40_000 });

test('a Node counts as missing only after the whole quarantine', () => {
  const nodes = { boundTo: ['mac-0', 'mac-1', ''], existing: new Set(['mac-1']) };

  const first = suspect(new Map(), nodes, at(0));
  const early = suspect(first.quarantine, nodes, at(39_999));
  const late = suspect(early.quarantine, nodes, at(40_000));

  assert.deepEqual([first.overdue, early.overdue, late.overdue], [[], [], ['mac-0']]);
});

test('a Node that came back starts its quarantine anew when it is missed again', () => {
  const missing = { boundTo: ['mac-0'], existing: new Set<string>() };
  const first = suspect(new Map(), missing, at(0));
  const back = suspect(first.quarantine, { ...missing, existing: new Set(['mac-0']) }, at(20_000));

  const again = suspect(back.quarantine, missing, at(40_000));

  assert.deepEqual(again.overdue, []);
});
