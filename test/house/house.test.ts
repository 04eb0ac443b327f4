import assert from 'node:assert/strict';
import { test } from 'node:test';
import exemptions from './exemptions.json' with { type: 'json' };
import { type Exemptions, judge } from './judge.ts';
import { rules } from './rules.ts';
import { readTree } from './tree.ts';

const tree = readTree();

for (const rule of rules) {
  test(`House rule ${rule.name}: ${rule.holds}`, () => {
    const lines = judge(rule, tree, exemptions satisfies Exemptions);

    assert.ok(lines.length === 0, `\n${lines.join('\n')}`);
  });
}
