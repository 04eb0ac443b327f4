// `npm run envtest-assets`: writes .cache/envtest, a folder that Go's envtest takes as KUBEBUILDER_ASSETS.

import { chmodSync, copyFileSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';
import { BUNDLE_OPTIONS } from './bundle-options.ts';
import { binaryPath, isBuilt, KUBE_VERSION } from './kube/binaries.ts';

const root = resolve(import.meta.dirname, '..');
const PROGRAMS = ['kube-apiserver', 'etcd'] as const;

const { values } = parseArgs({ options: { out: { type: 'string' } } });
const out = resolve(values.out ?? join(root, '.cache/envtest'));

/** For a shell, whatever is in the path. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** Becomes Node: a signal that is meant for the program reaches it. */
function launcher(name: string): string {
  const [node, program] = [process.execPath, join(out, 'lib', `${name}.mjs`)];
  return `#!/bin/sh
# Written by npm run envtest-assets.
node=${quoted(node)}
if [ ! -x "$node" ]; then
  echo "error: the Node that this was made with is gone: $node" >&2
  echo "remedy: run npm run envtest-assets again" >&2
  exit 1
fi
NODE_COMPILE_CACHE=${quoted(join(out, 'lib/compiled'))}
export NODE_COMPILE_CACHE
exec "$node" ${quoted(program)} "$@"
`;
}

const NO_KUBECTL = `#!/bin/sh
echo "error: there is no kubectl in this folder" >&2
echo "remedy: build one with npm run test:kube, or put kubectl ${KUBE_VERSION} here, and run npm run envtest-assets again" >&2
exit 1
`;

/** Replaced in one step: an envtest that runs now keeps what it has. */
function writeExecutable(path: string, write: (draft: string) => void): void {
  const draft = `${path}.new`;
  write(draft);
  chmodSync(draft, 0o755);
  renameSync(draft, path);
}

async function bundlePrograms(): Promise<void> {
  rmSync(join(out, 'lib'), { recursive: true, force: true });
  await build({
    ...BUNDLE_OPTIONS,
    entryPoints: PROGRAMS.map(name => ({ in: `src/cli/envtest/${name}.ts`, out: name })),
    outdir: join(out, 'lib'),
    splitting: true,
  });
}

mkdirSync(out, { recursive: true });
await bundlePrograms();
for (const name of PROGRAMS) {
  writeExecutable(join(out, name), draft => writeFileSync(draft, launcher(name)));
}
writeExecutable(join(out, 'kubectl'), draft => {
  if (isBuilt('kubectl')) copyFileSync(binaryPath('kubectl'), draft);
  else writeFileSync(draft, NO_KUBECTL);
});
process.stdout.write(`wrote ${PROGRAMS.join(', ')} and kubectl; export KUBEBUILDER_ASSETS=${out}\n`);
