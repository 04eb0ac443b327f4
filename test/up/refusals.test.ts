// What `pippin up`, `apiserver` and `manager` refuse: one clear error with a remedy, and nothing half-started is left.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { DatabaseSync } from 'node:sqlite';
import { after, test } from 'node:test';
import { COMPILED } from './fleet-process.ts';

const root = resolve(import.meta.dirname, '../..');
const scratch = mkdtempSync(join(tmpdir(), 'pippin-refusals-'));
after(() => rmSync(scratch, { recursive: true }));

/** Runs to its end, which is an error: two lines, the error's own and the remedy. */
function refused(
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
): { readonly code: number; readonly said: string } {
  const { PATH, TMPDIR } = process.env;
  const { status, stdout, stderr } = spawnSync(process.execPath, ['src/cli/main.ts', ...args], {
    cwd: root,
    encoding: 'utf8',
    timeout: 120_000,
    env: { PATH, TMPDIR, HOME: scratch, ...COMPILED, ...env },
  });
  const lines = `${stdout}${stderr}`.trimEnd().split('\n');
  assert.equal(lines.length, 2, lines.join('\n'));
  assert.match(lines[1] ?? '', /^remedy: \S/);
  return { code: status ?? -1, said: lines[0] ?? '' };
}

/** A new data folder with the API's file in it. */
function folderWithFile(name: string, fill: (file: string) => void): string {
  const folder = join(scratch, name);
  mkdirSync(folder);
  fill(join(folder, 'api.db'));
  return folder;
}

test('a folder that is somebody else’s is named and left as it is', () => {
  const folder = join(scratch, 'photos');
  mkdirSync(folder);
  writeFileSync(join(folder, 'cat.jpg'), 'x');

  const { code, said } = refused(['up', '--data-dir', folder, '--port', '0']);

  assert.equal(code, 1);
  assert.match(said, /photos is no data folder of Pippin: it holds cat\.jpg \(PIPPIN_E_DATA_FOLDER_FOREIGN\)$/);
  assert.deepEqual(readdirSync(folder), ['cat.jpg']);
});

test('a path that cannot be a folder is named', () => {
  const file = join(scratch, 'file');
  writeFileSync(file, '');

  const { said } = refused(['up', '--data-dir', join(file, 'below'), '--port', '0']);

  assert.match(said, /file\/below cannot be used: .* \(PIPPIN_E_DATA_FOLDER_UNUSABLE\)$/);
});

test('a taken port is named, and no folder is made', async () => {
  const server = createServer();
  const port = await new Promise<number>(listening => {
    server.listen(0, '127.0.0.1', () => listening((server.address() as { port: number }).port));
  });
  const folder = join(scratch, 'new');

  const { code, said } = refused(['up', '--data-dir', folder, '--port', String(port)]);
  server.close();

  assert.equal(code, 1);
  assert.match(said, new RegExp(`Port ${port} on 127\\.0\\.0\\.1 is taken \\(PIPPIN_E_PORT_TAKEN\\)$`));
  assert.equal(existsSync(folder), false);
});

test('data of a newer version is refused and unchanged', () => {
  const folder = folderWithFile('newer', file => {
    const db = new DatabaseSync(file);
    db.exec(
      `PRAGMA journal_mode = WAL; PRAGMA application_id = ${0x5049504e}; PRAGMA user_version = 99; CREATE TABLE x (y)`,
    );
    db.close();
  });
  const before = readFileSync(join(folder, 'api.db'));

  const { said } = refused(['up', '--data-dir', folder, '--port', '0']);

  assert.match(said, /has schema version 99; .* \(PIPPIN_E_STORE_NEWER\)$/);
  assert.deepEqual(readFileSync(join(folder, 'api.db')), before);
});

test('a damaged file is named, not replaced', () => {
  const folder = folderWithFile('damaged', file => writeFileSync(file, 'no database at all, only words. '.repeat(200)));

  const { said } = refused(['apiserver', '--data-dir', folder, '--port', '0']);

  assert.match(said, /damaged\/api\.db cannot be read: .* \(PIPPIN_E_STORE_DAMAGED\)$/);
  assert.match(readFileSync(join(folder, 'api.db'), 'utf8'), /^no database/);
});

test('flags that make no sense are refused by name', () => {
  const { code, said } = refused(['up', '--macs', 'many']);

  assert.equal(code, 2);
  assert.match(said, /--macs <n>.*'many' is invalid/);
});

const MANAGER = ['manager', '--health-probe-bind-address', '127.0.0.1:0', '--metrics-bind-address', '127.0.0.1:0'];

test('a manager says what is missing at its start: a cluster, an artifact, a key', () => {
  const artifact = join(scratch, 'bundle.tgz');
  writeFileSync(artifact, Buffer.from([0x1f, 0x8b, 0x08]));
  const kubeconfig = join(scratch, 'kubeconfig');
  const cluster = { name: 'c', cluster: { server: 'https://127.0.0.1:1' } };
  const contexts = [{ name: 'x', context: { cluster: 'c' } }];
  writeFileSync(kubeconfig, JSON.stringify({ kind: 'Config', clusters: [cluster], contexts, 'current-context': 'x' }));
  const bundles = ['--tart-artifact', artifact, '--agent-artifact', artifact];

  const nowhere = refused([...MANAGER, ...bundles], { KUBECONFIG: kubeconfig });
  const unreadable = refused([...MANAGER, ...bundles, '--kubeconfig', join(scratch, 'none')]);
  const noBundle = refused([
    ...MANAGER,
    '--kubeconfig',
    kubeconfig,
    '--tart-artifact',
    'none',
    '--agent-artifact',
    artifact,
  ]);
  const noKey = refused([...MANAGER, '--kubeconfig', kubeconfig, ...bundles]);
  const noArtifact = refused([...MANAGER, '--kubeconfig', kubeconfig]);
  const noSuchHalf = refused([...MANAGER, '--kubeconfig', kubeconfig, '--controllers=metal,ipan']);

  assert.match(nowhere.said, /PIPPIN_E_NOT_IN_A_POD/, 'KUBECONFIG is not looked at (safe-24)');
  assert.match(unreadable.said, /none: .*PIPPIN_E_KUBECONFIG_UNREADABLE/);
  assert.match(noBundle.said, /--tart-artifact none cannot be used.*PIPPIN_E_ARTIFACT_UNUSABLE/);
  assert.match(noKey.said, /PIPPIN_E_SCALEWAY_ACCESS/);
  assert.match(noArtifact.said, /--tart-artifact is required when --controllers has mac \(PIPPIN_E_USAGE\)/);
  assert.match(noSuchHalf.said, /--controllers takes mac, metal, ipam, not "ipan"/);
});
