// What the package holds for `import ... from 'pippin/testing'`: a module for Node 20 and newer, and its types.

import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { build } from 'esbuild';
import { BUNDLE_OPTIONS } from './bundle-options.ts';

const root = resolve(import.meta.dirname, '..');
const SOURCE = 'src/fleet/testing/index';

/** The package's `exports`: paths in it, from its root. */
export const TESTING_EXPORTS = {
  './testing': { types: './testing/index.d.ts', default: './testing/index.mjs' },
} as const;

/** Whoever tests may run an older Node than Pippin itself; what that lacks (SQLite) is a chunk that loads when it is used. */
export async function bundleTesting(out: string): Promise<void> {
  await build({
    ...BUNDLE_OPTIONS,
    entryPoints: [{ in: `${SOURCE}.ts`, out: 'index' }],
    outdir: join(out, 'testing'),
    splitting: true,
    target: 'node20',
  });
  emitTypes(join(out, 'testing'));
}

function emitTypes(out: string): void {
  const scratch = mkdtempSync(join(tmpdir(), 'types-'));
  try {
    const project = join(scratch, 'tsconfig.json');
    writeFileSync(project, JSON.stringify(projectFor(scratch)));
    const compiler = join(root, 'node_modules/typescript/bin/tsc');
    const { status, stdout } = spawnSync(process.execPath, [compiler, '--project', project], { encoding: 'utf8' });
    if (status !== 0) throw new Error(`The types of pippin/testing cannot be emitted:\n${stdout}`);
    copyReachable(join(scratch, 'src/fleet/testing'), out, 'index');
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

const projectFor = (outDir: string): object => ({
  extends: join(root, 'tsconfig.json'),
  compilerOptions: {
    noEmit: false,
    // `npm run check` judges the types; here they are only written.
    noCheck: true,
    declaration: true,
    emitDeclarationOnly: true,
    rootDir: root,
    outDir,
    typeRoots: [join(root, 'node_modules/@types')],
  },
  include: [],
  files: [join(root, `${SOURCE}.ts`)],
});

const RELATIVE = / from '\.\/([\w-]+)\.ts'/g;

/** The compiler writes the types of every file that it saw: only those that a user's compiler asks for are shipped. */
function copyReachable(from: string, to: string, name: string): void {
  const text = readFileSync(join(from, `${name}.d.ts`), 'utf8');
  // Older compilers want the suffix of what runs.
  writeFileSync(join(to, `${name}.d.ts`), text.replaceAll(RELATIVE, " from './$1.js'"));
  for (const [, target = ''] of text.matchAll(RELATIVE)) copyReachable(from, to, target);
}
