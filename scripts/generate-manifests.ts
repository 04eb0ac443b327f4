// Writes the manifests of deploy/ as one file that a bundle can hold; with --check it only says what is stale.

import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';

const ROOT = join(import.meta.dirname, '..');
const DEPLOY = join(ROOT, 'deploy');
const GENERATED = 'src/fleet/manifests.generated.json';

/** `cluster-api.yaml` becomes `clusterApi`. */
const keyOf = (file: string): string =>
  file.replace(/\.yaml$/, '').replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase());

function manifests(): string {
  const files = readdirSync(DEPLOY)
    .filter(file => file.endsWith('.yaml'))
    .sort();
  const objects = files.map(file => [
    keyOf(file),
    parseAllDocuments(readFileSync(join(DEPLOY, file), 'utf8')).map(document => document.toJS()),
  ]);
  return `${JSON.stringify(Object.fromEntries(objects))}\n`;
}

function main(mode: 'write' | 'check'): number {
  const path = join(ROOT, GENERATED);
  const text = manifests();
  if (existsSync(path) && readFileSync(path, 'utf8') === text) return 0;
  if (mode === 'check') {
    process.stderr.write(`${GENERATED} is stale: run npm run generate\n`);
    return 1;
  }
  writeFileSync(path, text);
  process.stdout.write(`wrote ${GENERATED}\n`);
  return 0;
}

process.exitCode = main(process.argv.includes('--check') ? 'check' : 'write');
