// The pages on admission and conversion say what is so, and all of it.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { heldRules } from './held-rules.ts';
import { LOSSES } from './losses.ts';

const page = (name: string): string => readFileSync(new URL(`../../../docs/${name}`, import.meta.url), 'utf8');

test('The page on admission lists every rule and who holds it', () => {
  const rows = page('metal-admission.md')
    .split('\n')
    .filter(line => line.startsWith('| ') && !line.startsWith('| Kind'))
    .map(line => line.replaceAll('`', ''));

  const held = heldRules().map(({ kind, says, by }) => `| ${kind} | ${says} | ${by} |`);

  assert.deepEqual(rows, held);
});

test('The page on conversion lists every loss', () => {
  const lines = page('metal-conversion.md').split('\n');

  const listed = lines.filter(line => line.startsWith('- ')).map(line => line.slice(2, -1));

  assert.deepEqual(
    listed,
    LOSSES.map(({ says }) => says),
  );
});
