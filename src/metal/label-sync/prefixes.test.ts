// Prefixes as an annotation lists them, and what they make of two sets of labels.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Metal3Cluster } from '../../kinds/generated/metal3-cluster.generated.ts';
import { labelPatch, prefixesOf } from './prefixes.ts';

const listing = (text: string | undefined): Metal3Cluster => ({
  apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta2',
  kind: 'Metal3Cluster',
  metadata: {
    name: 'c',
    ...(text === undefined ? {} : { annotations: { 'metal3.io/metal3-label-sync-prefixes': text } }),
  },
});

const valid = (text: string): readonly string[] => [...(prefixesOf(listing(text))?.valid ?? [])];

test('prefixes are split at commas, without blanks and empty entries', () => {
  assert.deepEqual(valid(' a.example , ,b,a.example'), ['a.example', 'b']);
});

test('nothing listed is nothing to sync', () => {
  for (const text of [undefined, '', ' , ']) assert.equal(prefixesOf(listing(text)), undefined);
});

test('an entry that is no DNS-1123 subdomain is named', () => {
  const wrong = ['UPPER', 'a_b', '-a', 'a..b', 'a/b', 'a'.repeat(254)];

  assert.deepEqual(prefixesOf(listing(['ok', ...wrong].join(',')))?.wrong, wrong);
});

test('a label is under the prefix before its slash, whole', () => {
  const prefixes = new Set(['a.example']);

  assert.deepEqual(
    labelPatch(
      { 'a.example/x': '1', 'b.a.example/x': '1', 'a.example': '1', '/x': '1' },
      { 'a.example/old': '1' },
      prefixes,
    ),
    { 'a.example/x': '1', 'a.example/old': null },
  );
  assert.equal(labelPatch({ 'a.example/x': '1' }, { 'a.example/x': '1', 'b/y': '2' }, prefixes), undefined);
});
