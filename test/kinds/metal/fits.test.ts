// What judges the way back knows every bound of upstream's tables.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { faultsOf } from './fits.ts';
import { casesOf } from './objects.ts';
import { tables } from './tree.ts';

for (const release of ['1.8.1', '1.13.2', 'main']) {
  test(`What fits release ${release} is told from what does not, field by field`, () => {
    const wrong = tables(release)
      .flatMap(({ kind, versions }) => [...versions.keys()].flatMap(version => casesOf(release, kind, version)))
      .filter(({ fits, bare }) => fits !== (faultsOf(release, bare).length === 0))
      .map(({ kind, version, name }) => `${kind} ${version} ${name}`);

    assert.deepEqual(wrong, []);
  });
}

test('Every object that release 1.8.1 takes is taken by today, save words that conditions and addresses may not lack', () => {
  const refused = tables('1.8.1')
    .flatMap(({ kind, versions }) => [...versions.keys()].flatMap(version => casesOf('1.8.1', kind, version)))
    .filter(({ fits, path }) => fits && !/^status\.(conditions|addresses)/.test(path))
    .flatMap(({ name, bare }) => faultsOf('main', bare).map(fault => `${name}: ${fault}`))
    .filter(text => !/status\.(conditions|addresses)\[/.test(text));

  assert.deepEqual(refused, []);
});
