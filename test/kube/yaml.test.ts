import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { seededRandom } from '../../sim/time/random.ts';
import type { YamlValue } from '../../src/base/yaml/document.ts';
import { sectionYaml } from '../../src/metal/rendering/json-step.ts';
import { golden, goldenDocuments } from '../metal/golden/golden.ts';
import { drawDocument } from './yaml-documents.ts';
import { buildYamlProgram, writeWith } from './yaml-program.ts';

const DOCUMENTS = 20_000;

const scratch = mkdtempSync(join(tmpdir(), 'yaml-'));
after(() => rmSync(scratch, { recursive: true, force: true }));

let program = '';
before(() => {
  program = buildYamlProgram(scratch);
});

test('20,000 documents are written as sigs.k8s.io/yaml v1.6.0 writes them', t => {
  const random = seededRandom('yaml');
  const documents = Array.from({ length: DOCUMENTS }, () => drawDocument(random));

  const theirs = writeWith(
    program,
    documents.map(document => JSON.stringify(document)),
  );

  const refused = theirs.filter(({ error }) => error !== undefined).length;
  t.diagnostic(`${documents.length} documents, of which both sides refuse ${refused}`);
  for (const [index, document] of documents.entries()) {
    const { yaml, error } = theirs[index] ?? { yaml: '' };
    assert.equal(oursOf(document), error === undefined ? yaml : undefined, JSON.stringify(document));
  }
  assert.ok(refused < documents.length / 10, 'the documents that were drawn are mostly such as can be written');
});

test('the golden files of rendering hold what sigs.k8s.io/yaml v1.6.0 writes for the values beside them', () => {
  const values = [...goldenDocuments.values()].map(value => JSON.stringify(value));

  const theirs = writeWith(program, values).map(({ yaml }) => yaml);

  assert.deepEqual(theirs, [...goldenDocuments.keys()].map(golden));
});

/** Undefined where it is refused. */
function oursOf(document: YamlValue): string | undefined {
  try {
    return sectionYaml(document, 'document');
  } catch (error) {
    if (error instanceof Error && 'code' in error) return undefined;
    throw error;
  }
}
