// Writes the golden files anew, with the Go program on upstream's YAML module.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildYamlProgram, writeWith } from '../../kube/yaml-program.ts';
import { goldenDocuments, goldenPath } from './golden.ts';

const scratch = mkdtempSync(join(tmpdir(), 'golden-'));
try {
  const values = [...goldenDocuments.values()].map(value => JSON.stringify(value));
  const written = writeWith(buildYamlProgram(scratch), values);
  for (const [index, name] of [...goldenDocuments.keys()].entries()) {
    const { yaml = '', error } = written[index] ?? {};
    if (error !== undefined) throw new Error(`${name}: ${error}`);
    writeFileSync(goldenPath(name), yaml);
  }
  console.log(`wrote ${goldenDocuments.size} files`);
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
