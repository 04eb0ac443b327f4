// Objects of v1beta1 come back from v1beta2 as they were, save the listed losses; those of v1beta2 come back whole.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CONVERSION_DATA_ANNOTATION } from '../../../src/kinds/metal-wire.ts';
import { convertMetal } from '../../../src/metal/conversion/convert.ts';
import { differencesOf } from './differences.ts';
import { type Difference, LOSSES } from './losses.ts';
import { casesOf } from './objects.ts';
import { groupOf, tables } from './tree.ts';
import type { Made } from './values.ts';

const KINDS = tables('main').filter(({ versions }) => versions.has('v1beta2'));
const MOST_SHOWN = 8;

const as = (object: Made, kind: string, version: string): Made => convertMetal(object, `${groupOf(kind)}/${version}`);

/** Whoever reads v1beta1 gets the note of the v1beta2 form; it is not part of what the object said. */
function withoutNote(object: Made): Made {
  const { metadata, ...rest } = object;
  const { annotations, ...meta } = metadata as { readonly annotations?: Record<string, string> };
  const { [CONVERSION_DATA_ANNOTATION]: _, ...others } = annotations ?? {};
  return { ...rest, metadata: Object.keys(others).length === 0 ? meta : { ...meta, annotations: others } };
}

const shown = ({ kind, path, before, after }: Difference): string =>
  `${kind} ${path}: ${JSON.stringify(before)} became ${JSON.stringify(after)}`;

const lostBetween = (kind: string): readonly Difference[] =>
  casesOf('main', kind, 'v1beta1')
    .filter(({ fits }) => fits)
    .flatMap(({ bare }) => {
      const back = withoutNote(as(as(bare, kind, 'v1beta2'), kind, 'v1beta1'));
      return differencesOf(kind, bare, back);
    });

for (const { kind } of KINDS) {
  test(`${kind} of v1beta1 comes back from v1beta2 as it was, save the listed losses`, () => {
    const lost = lostBetween(kind);

    const unlisted = lost.filter(difference => !LOSSES.some(({ covers }) => covers(difference)));

    assert.deepEqual(unlisted.map(shown).slice(0, MOST_SHOWN), []);
  });

  test(`${kind} of v1beta2 comes back from v1beta1 as it was`, () => {
    const whole = casesOf('main', kind, 'v1beta2').filter(({ fits, path }) => fits && path === '');

    for (const { bare } of whole) {
      const back = as(as(bare, kind, 'v1beta1'), kind, 'v1beta2');
      const lost = differencesOf(kind, bare, back).filter(({ before }) => before !== undefined);
      assert.deepEqual(lost.map(shown), []);
    }
  });
}

test('Every listed loss happens', () => {
  const lost = KINDS.flatMap(({ kind }) => lostBetween(kind));

  const unheard = LOSSES.filter(({ covers }) => !lost.some(covers)).map(({ says }) => says);

  assert.deepEqual(unheard, []);
});
