// Builds the real control plane (kube-apiserver, etcd and company) with the Go toolchain, once per version.

import { spawn } from 'node:child_process';
import { mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { BINARIES, type Binary, binaryFolder, binaryPath, isBuilt, KUBE_VERSION } from './binaries.ts';

const MODULE = join(import.meta.dirname, 'go');

/** `kubectl version` and `/version` say what was built only when the linker is told. */
const LINKER_FLAGS = [
  '-s -w',
  `-X k8s.io/component-base/version.gitVersion=${KUBE_VERSION}`,
  '-X k8s.io/component-base/version.gitMajor=1',
  `-X k8s.io/component-base/version.gitMinor=${KUBE_VERSION.split('.')[1]}`,
].join(' ');

async function main(): Promise<void> {
  const missing = BINARIES.filter(binary => !isBuilt(binary.name));
  if (missing.length === 0) {
    console.log(`Kubernetes ${KUBE_VERSION} is built: ${binaryFolder()}`);
    return;
  }
  await requireGo();
  mkdirSync(binaryFolder(), { recursive: true });
  console.log(`Building ${missing.length} programs of Kubernetes ${KUBE_VERSION} (minutes the first time)`);
  for (const [index, binary] of missing.entries()) await build(binary, `${index + 1}/${missing.length}`);
  console.log(`Built: ${binaryFolder()}`);
}

async function build(binary: Binary, position: string): Promise<void> {
  const started = Date.now();
  process.stdout.write(`[${position}] ${binary.name} ... `);
  // Built beside its place and renamed: a build that was interrupted leaves no half binary that looks whole.
  const unfinished = join(binaryFolder(), `.${binary.name}.${process.pid}`);
  await run('go', ['build', '-trimpath', '-ldflags', LINKER_FLAGS, '-o', unfinished, binary.package]);
  renameSync(unfinished, binaryPath(binary.name));
  console.log(`${Math.round((Date.now() - started) / 1000)} s`);
}

async function requireGo(): Promise<void> {
  try {
    await run('go', ['version'], 'ignore');
  } catch {
    throw new Error('The real control plane is built with Go: install Go 1.26 or newer and put it on the PATH');
  }
}

function run(command: string, argv: readonly string[], stdout: 'inherit' | 'ignore' = 'inherit'): Promise<void> {
  const environment = { ...process.env, CGO_ENABLED: '0', GOFLAGS: '-mod=readonly -buildvcs=false' };
  return new Promise((resolve, reject) => {
    const child = spawn(command, argv, { cwd: MODULE, env: environment, stdio: ['ignore', stdout, 'inherit'] });
    child.once('error', reject);
    child.once('exit', code => {
      if (code === 0) resolve();
      else reject(new Error(`${command} ${argv[0]} ended with ${code}`));
    });
  });
}

try {
  await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
