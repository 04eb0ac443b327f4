// Every object that upstream's schemas take is taken by our definitions, and every one outside them is refused.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type MetalApi, metalApi } from './metal-api.ts';
import { type Case, casesOf } from './objects.ts';
import { tables } from './tree.ts';

/** More examples of what is wrong would not be read. */
const ENOUGH = 8;

let api: MetalApi;

before(async () => {
  api = await metalApi();
});

after(() => api.close());

for (const { kind, versions } of tables('main')) {
  for (const version of versions.keys()) {
    test(`${kind} ${version} takes what upstream takes, and refuses what is outside its bounds`, async () => {
      const wrong: string[] = [];

      for (const each of casesOf('main', kind, version)) {
        if (isNoName(each)) continue;
        const refusal = await api.refusalOf(each);
        if (!isRight(each, refusal)) wrong.push(`${each.name}: ${refusal ?? 'taken'}`);
        if (wrong.length === ENOUGH) break;
      }

      assert.deepEqual(wrong, []);
    });
  }
}

/** A refusal names the field. */
function isRight({ fits, path }: Case, refusal: string | undefined): boolean {
  if (fits || refusal === undefined) return fits === (refusal === undefined);
  return refusal.includes(
    path
      .replaceAll(/\[\]|\{\}/g, '')
      .split('.')
      .at(-1) ?? path,
  );
}

/** The name of a Metal3Data is longer than its template's, which may be as long as any name. */
const isNoName = ({ kind, object: { metadata } }: Case): boolean =>
  kind === 'Metal3Data' && JSON.stringify(metadata).length > 253;
