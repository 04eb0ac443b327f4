import assert from 'node:assert/strict';
import { test } from 'node:test';
import { canonicalQuantity, nanoOf } from './quantity.ts';

test('a quantity is written in its one canonical form', () => {
  const forms: Readonly<Record<string, string>> = {
    '0': '0',
    '0Gi': '0',
    '1000m': '1',
    '0.5': '500m',
    '1.5Gi': '1536Mi',
    '1024Mi': '1Gi',
    '1023': '1023',
    '512Ki': '512Ki',
    '0.5Ki': '512',
    '0.1Ki': '102400m',
    '1e3': '1e3',
    '12e2': '1200',
    '1.5e6': '1500e3',
    '100000': '100k',
    '+3': '3',
    '-1500m': '-1500m',
    '.25': '250m',
    '1.': '1',
    '0.0000000001': '1n',
  };
  for (const [written, canonical] of Object.entries(forms)) {
    assert.equal(canonicalQuantity(written), canonical, written);
  }
});

test('what is no quantity has no canonical form', () => {
  for (const text of ['', 'abc', '1x', '1 Gi', '1e', 'Ki', '--1', '1.2.3', '１']) {
    assert.equal(canonicalQuantity(text), undefined, text);
  }
});

test('quantities of different suffixes compare by their value', () => {
  assert.equal(nanoOf('1Ki'), nanoOf('1024'));
  assert.equal(nanoOf('1k'), nanoOf('1e3'));
});
