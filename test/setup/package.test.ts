import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, before, test } from 'node:test';
import { commands } from '../../src/cli/commands.ts';

const root = resolve(import.meta.dirname, '../..');
const scratch = mkdtempSync(join(tmpdir(), 'package-'));
const installed = join(scratch, 'somewhere');
const oldNode = join(scratch, 'old-node');

const run = (command: string, args: readonly string[], cwd: string): string =>
  execFileSync(command, args, { cwd, encoding: 'utf8' });

/** Packs, and installs the tarball in an empty folder with no registry in reach. */
before(() => {
  run(process.execPath, [join(root, 'scripts/bundle.ts'), '--out', join(scratch, 'dist')], root);
  run('npm', ['pack', './dist'], scratch);
  const tarball = readdirSync(scratch).find(file => file.endsWith('.tgz')) ?? assert.fail('npm pack made no tarball');
  mkdirSync(installed);
  const flags = ['--offline', '--omit=optional', '--ignore-scripts', '--no-audit', '--no-fund'];
  run('npm', ['install', ...flags, join(scratch, tarball)], installed);

  mkdirSync(oldNode);
  writeFileSync(join(oldNode, 'node'), '#!/bin/sh\nexit 1\n');
  chmodSync(join(oldNode, 'node'), 0o755);
});
after(() => rmSync(scratch, { recursive: true, force: true }));

const pippin = (args: readonly string[], env: NodeJS.ProcessEnv = process.env) =>
  spawnSync(join(installed, 'node_modules/.bin/pippin'), args, { cwd: installed, encoding: 'utf8', env });

test('the installed command says its version', () => {
  const { status, stdout, stderr } = pippin(['--version']);

  assert.deepEqual({ status, stderr }, { status: 0, stderr: '' });
  assert.match(stdout, /^\d+\.\d+\.\d+\n$/);
});

test('every command can be loaded from the bundle', () => {
  for (const { name } of commands) {
    const { status, stdout, stderr } = pippin([name, '--help']);

    assert.deepEqual({ name, status, stderr }, { name, status: 0, stderr: '' });
    assert.match(stdout, new RegExp(`^Usage: pippin ${name} `));
  }
});

test('the package brings no dependencies but the Node binaries', () => {
  assert.deepEqual(
    readdirSync(join(installed, 'node_modules')).filter(name => !name.startsWith('.')),
    ['pippin'],
  );
});

test('where the Node at hand is too old, the packaged one is used; where there is none, one line says so', () => {
  const env = { ...process.env, PATH: `${oldNode}:/usr/bin:/bin` };
  const without = pippin(['--version'], env);
  const platformPackage = readdirSync(join(root, 'node_modules')).find(name =>
    /^node-(bin-)?(linux|darwin)-/.test(name),
  );
  assert.ok(platformPackage !== undefined, 'this platform has a packaged Node');
  symlinkSync(join(root, 'node_modules', platformPackage), join(installed, 'node_modules', platformPackage));
  const packaged = pippin(['--version'], env);

  assert.notEqual(without.status, 0);
  assert.match(without.stderr, /^pippin: no Node 24 for .*: install Node 24 or newer and run this again\n$/);
  assert.deepEqual([packaged.status, packaged.stderr], [0, '']);
});
