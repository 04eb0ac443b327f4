import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, test } from 'node:test';
import packageJson from '../../package.json' with { type: 'json' };

const root = resolve(import.meta.dirname, '../..');
const clones: string[] = [];
after(() => {
  for (const clone of clones) rmSync(clone, { recursive: true, force: true });
});

interface LockedPackage {
  readonly version: string;
  readonly optional?: boolean;
}

const lock = (packages: Readonly<Record<string, LockedPackage>>): string =>
  JSON.stringify({ packages: { '': { name: 'pippin' }, ...packages } });

const LOCKED = { 'node_modules/a': { version: '1.0.0' }, 'node_modules/b': { version: '2.0.0', optional: true } };

/** A clone with the real launcher, a lock file, and an npm that writes down how it was called. */
function cloneWith(installed: string | undefined, npmExitCode = 0): string {
  const clone = mkdtempSync(join(tmpdir(), 'clone-'));
  clones.push(clone);
  for (const path of ['bin/find-node.sh', 'bin/allocator.sh', 'scripts/run.sh', 'scripts/install.mjs'])
    cpSync(join(root, path), join(clone, path));
  mkdirSync(join(clone, 'node_modules'));
  mkdirSync(join(clone, 'stand-ins'));
  writeFileSync(join(clone, 'package-lock.json'), lock(LOCKED));
  if (installed !== undefined) writeFileSync(join(clone, 'node_modules/.package-lock.json'), installed);
  writeFileSync(join(clone, 'stand-ins/npm'), `#!/bin/sh\necho "$@" > npm-was-called\nexit ${npmExitCode}\n`);
  chmodSync(join(clone, 'stand-ins/npm'), 0o755);
  return clone;
}

function start(clone: string, args: readonly string[]) {
  const { npm_execpath: _, npm_node_execpath: __, ...rest } = process.env;
  const env = { ...rest, PATH: `${join(clone, 'stand-ins')}:${process.env.PATH}` };
  return spawnSync('sh', ['scripts/run.sh', ...args], { cwd: clone, encoding: 'utf8', env });
}

const npmCall = (clone: string): string | undefined =>
  existsSync(join(clone, 'npm-was-called')) ? readFileSync(join(clone, 'npm-was-called'), 'utf8').trim() : undefined;

test('what is missing or stale is installed as locked, without install scripts', () => {
  const nothing = cloneWith(undefined);
  const missing = cloneWith(lock({}));
  const stale = cloneWith(lock({ 'node_modules/a': { version: '0.9.0' } }));

  const said = [nothing, missing, stale].map(clone => start(clone, ['-p', '1']).stderr);

  for (const clone of [nothing, missing, stale]) {
    assert.equal(npmCall(clone), 'ci --ignore-scripts --no-audit --no-fund --loglevel=error');
  }
  assert.match(said[0] ?? '', /nothing is installed yet/);
  assert.match(said[1] ?? '', /a is missing/);
  assert.match(said[2] ?? '', /a is 0\.9\.0, locked is 1\.0\.0/);
});

test('what is installed as locked is left alone; optional packages of other platforms may be absent', () => {
  const clone = cloneWith(lock({ 'node_modules/a': { version: '1.0.0' } }));

  const { stdout, stderr } = start(clone, ['-p', '40 + 2']);

  assert.deepEqual({ stdout, stderr, npm: npmCall(clone) }, { stdout: '42\n', stderr: '', npm: undefined });
});

test('an installation that fails is one error with a remedy, and nothing is started', () => {
  const clone = cloneWith(undefined, 7);

  const { status, stdout, stderr } = start(clone, ['-p', '1']);

  assert.deepEqual({ status, stdout }, { status: 1, stdout: '' });
  assert.match(stderr, /error: the dependencies could not be installed: npm ci ended with 7\nremedy: .*\n$/);
});

test('the program runs on a Node 24 that strips types', () => {
  const clone = cloneWith(lock({ 'node_modules/a': { version: '1.0.0' } }));

  const { stdout } = start(clone, ['-p', 'parseInt(process.version.slice(1)) >= 24 && process.features.typescript']);

  assert.match(stdout, /^(strip|transform)\n$/);
});

/** An npm script of this repository, with a program that says who it is and how it was told to end. */
const PROGRAM = `
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => { console.log(signal); process.exit(); });
console.log(process.pid, process.ppid, process.env.PIPPIN_PARENT);
setTimeout(() => process.exit(), 20_000);
`;

async function lineOf(child: ChildProcess): Promise<string> {
  const output = child.stdout ?? assert.fail('no output');
  const [data] = await Promise.race([once(output, 'data'), once(output, 'close')]);
  return data === undefined ? 'nothing' : String(data).trim();
}

test('npm start leaves no launcher between npm and the program, so that a signal to npm alone arrives', async () => {
  const clone = cloneWith(lock({ 'node_modules/a': { version: '1.0.0' } }));
  const scripts = { start: packageJson.scripts.start.replace(/src\/cli\/main\.ts up$/, 'app.mjs') };
  writeFileSync(join(clone, 'package.json'), JSON.stringify({ name: 'pippin', type: 'module', scripts }));
  writeFileSync(join(clone, 'app.mjs'), PROGRAM);

  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    const npm = spawn('npm', ['start', '--silent'], { cwd: clone, stdio: ['ignore', 'pipe', 'inherit'] });
    const [pid, parent, named] = (await lineOf(npm)).split(' ');
    const told = lineOf(npm);
    npm.kill(signal);

    assert.equal(await told, signal);
    assert.deepEqual([Number(parent), named], [npm.pid, `${pid}:${npm.pid}`]);
  }
});

test('every npm script replaces the shell that npm starts', () => {
  for (const [name, script] of Object.entries(packageJson.scripts))
    assert.match(script, /^exec sh scripts\/run\.sh /, name);
});

/** Where bin/compiled.sh has Node keep what it compiles; empty: nowhere. */
const keptIn = (env: Readonly<Record<string, string>>): string =>
  spawnSync('sh', ['-c', '. bin/compiled.sh; printf %s "$NODE_COMPILE_CACHE"'], {
    cwd: root,
    env,
  }).stdout.toString();

test('compiled code is kept between starts in a folder of the user alone, and nowhere when there is none', () => {
  const home = mkdtempSync(join(tmpdir(), 'home-'));
  clones.push(home);
  const { PATH = '' } = process.env;

  const folder = keptIn({ PATH, HOME: home });

  assert.equal(folder, join(home, '.cache/pippin/compiled'));
  assert.equal(statSync(folder).mode & 0o777, 0o700);
  assert.equal(keptIn({ PATH, HOME: home }), folder);
  assert.equal(keptIn({ PATH, HOME: home, NODE_COMPILE_CACHE: '/elsewhere' }), '/elsewhere');
  assert.equal(keptIn({ PATH, HOME: '/dev/null' }), '');
  assert.equal(keptIn({ PATH }), '');
});
