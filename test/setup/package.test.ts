import assert from 'node:assert/strict';
import { execFileSync, type SpawnSyncReturns, spawnSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { after, before, test } from 'node:test';
import { commands } from '../../src/cli/commands.ts';
import { exampleIn, guideCommands } from './guide.ts';

const root = resolve(import.meta.dirname, '../..');
const scratch = mkdtempSync(join(tmpdir(), 'package-'));
const installed = join(scratch, 'somewhere');
const oldNode = join(scratch, 'old-node');

const run = (command: string, args: readonly string[], cwd: string): string =>
  execFileSync(command, args, { cwd, encoding: 'utf8' });

/** The guide's commands, as a reader types them. */
const [[, packIt = ''] = [], [installIt = '', testIt = ''] = []] = guideCommands();

const typed = (line: string, cwd: string, flags: readonly string[] = []): string => {
  const [program = '', ...args] = line.split(' ');
  return run(program, [...args, ...flags], cwd);
};

/** Packs, and installs the tarball in an empty folder with no registry in reach. */
before(() => {
  run(process.execPath, [join(root, 'scripts/bundle.ts'), '--out', join(scratch, 'dist')], root);
  typed(packIt, scratch, ['--silent']);
  const tarball = readdirSync(scratch).find(file => file.endsWith('.tgz')) ?? assert.fail('npm pack made no tarball');
  mkdirSync(join(installed, 'test'), { recursive: true });
  copyFileSync(join(scratch, tarball), join(installed, tarball));
  typed(installIt, installed, ['--offline', '--no-audit', '--no-fund']);
  for (const { file, text } of [exampleIn('js'), exampleIn('ts')]) writeFileSync(join(installed, file), text);

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

/** Other Nodes that this machine has. */
function olderNode(): string | undefined {
  const places = (process.env.PATH ?? '').split(delimiter).map(folder => join(folder, 'node'));
  return places.filter(existsSync).find(node => {
    const { stdout } = spawnSync(node, ['--version'], { encoding: 'utf8' });
    return /^v2[02]\./.test(stdout);
  });
}

/** Not as a part of this run of tests: its runner would take the output for its own. */
const node = (program: string, args: readonly string[]): SpawnSyncReturns<string> => {
  const { NODE_TEST_CONTEXT: _context, ...env } = process.env;
  return spawnSync(program, args, { cwd: installed, encoding: 'utf8', env });
};

test("the guide's tests pass in a project that installed the package", () => {
  const [, ...args] = testIt.split(' ');
  const { status, stdout } = node(process.execPath, args);

  assert.equal(status, 0, stdout);
  assert.match(stdout, /pass 4\n/);
});

const older = olderNode();
test('pippin/testing runs on an older Node too', { skip: older === undefined && 'no Node 20 or 22 here' }, () => {
  const { status, stdout } = node(older ?? '', ['--test', exampleIn('js').file]);

  assert.equal(status, 0, stdout);
  assert.match(stdout, /pass 3\n/);
});

test('TypeScript knows the types of pippin/testing, and what is no option of it', () => {
  const wrong = join(installed, 'wrong.mts');
  writeFileSync(wrong, `import { startApi } from 'pippin/testing';\nawait startApi({ prot: 0 });\n`);
  const compilerOptions = {
    ...{ noEmit: true, strict: true, skipLibCheck: false, target: 'es2022', module: 'nodenext' },
    ...{ lib: ['es2022', 'esnext.disposable'], types: ['node'], typeRoots: [join(root, 'node_modules/@types')] },
  };
  const check = (file: string): SpawnSyncReturns<string> => {
    const project = join(installed, 'tsconfig.json');
    writeFileSync(project, JSON.stringify({ compilerOptions, files: [file] }));
    return node(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '--project', project]);
  };
  const [good, bad] = [check(exampleIn('ts').file), check(wrong)];

  assert.equal(good.status, 0, good.stdout);
  assert.match(bad.stdout, /'prot' does not exist in type 'StartOptions'/);
});
