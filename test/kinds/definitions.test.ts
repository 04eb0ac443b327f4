// The definitions of our own kinds, judged by the embedded API's own check.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { parseAllDocuments } from 'yaml';
import { crdCheck } from '../../src/apiserver/schema/index.ts';

test('Every definition of our own kinds is taken', () => {
  const folder = new URL('../../src/kinds/crds/', import.meta.url);
  const files = readdirSync(folder).filter(name => name.endsWith('.yaml'));
  assert.ok(files.length > 0);

  for (const file of files) {
    const documents = parseAllDocuments(readFileSync(new URL(file, folder), 'utf8'));
    for (const document of documents) {
      // As the server would store it: with the versions in which objects may be kept.
      const definition = { ...document.toJS(), status: { storedVersions: ['any'] } };
      const refused = crdCheck(definition, undefined).filter(({ field }) => !field.startsWith('status.'));
      assert.deepEqual(refused, [], file);
    }
  }
});
