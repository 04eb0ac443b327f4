// `npm run bundle`: makes dist/, the package as it is installed: bundles, launcher, and a package.json without dependencies.

import { chmodSync, copyFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';
import packageJson from '../package.json' with { type: 'json' };
import { PROGRAMS } from '../src/fleet/programs.ts';
import { BUNDLE_OPTIONS } from './bundle-options.ts';
import { bundleTesting, TESTING_EXPORTS } from './bundle-testing.ts';

const root = resolve(import.meta.dirname, '..');

const COPIED = [
  'bin/pippin',
  'bin/find-node.sh',
  'bin/allocator.sh',
  'bin/compiled.sh',
  'LICENSE',
  'README.md',
  'CHANGELOG.md',
];

/** What npm reads. The Node binaries stay optional dependencies: no bundle can hold them for every platform. */
const manifest = {
  name: packageJson.name,
  version: packageJson.version,
  description: packageJson.description,
  license: packageJson.license,
  type: packageJson.type,
  engines: packageJson.engines,
  bin: packageJson.bin,
  exports: TESTING_EXPORTS,
  optionalDependencies: packageJson.optionalDependencies,
};

async function bundle(out: string): Promise<void> {
  const entryPoints = Object.entries(PROGRAMS).map(([name, path]) => ({ in: path, out: name }));
  await build({ ...BUNDLE_OPTIONS, entryPoints, outdir: out });
  await bundleTesting(out);
}

function copyBeside(out: string): void {
  for (const path of COPIED) {
    mkdirSync(join(out, dirname(path)), { recursive: true });
    copyFileSync(join(root, path), join(out, path));
  }
  chmodSync(join(out, 'bin/pippin'), 0o755);
  writeFileSync(join(out, 'package.json'), `${JSON.stringify(manifest, undefined, 2)}\n`);
}

const { values } = parseArgs({ options: { out: { type: 'string' } } });
const out = resolve(values.out ?? join(root, 'dist'));
rmSync(out, { recursive: true, force: true });
await bundle(out);
copyBeside(out);
process.stdout.write(`bundled ${[...Object.keys(PROGRAMS), 'testing'].join(', ')} into ${out}\n`);
