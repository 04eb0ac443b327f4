// The double of the tart command, as a shell sees it: texts, exit codes, shapes and locks of the real one.

import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { writeTart } from './wrapper.ts';

const IMAGE = 'localhost:5000/tuist/runner:26';
const dir = await mkdtemp(join(tmpdir(), 'pippin-sim-tart-'));
const tart = join(dir, 'tart');
const registry = join(dir, 'registry.json');
writeTart(tart, {
  node: process.execPath,
  command: join(import.meta.dirname, 'command.ts'),
  compileCache: join(dir, 'cache'),
});
const started: ChildProcess[] = [];
after(async () => {
  for (const child of started) if (child.exitCode === null) child.kill('SIGKILL');
  await rm(dir, { recursive: true, force: true });
});

interface Said {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** A Mac of its own per test. */
function aMac(name: string, images: Record<string, unknown> = { [IMAGE]: { pullSeconds: 0 } }) {
  const env = { PATH: process.env.PATH, TART_HOME: join(dir, name), TART_SIM_REGISTRY: `${registry}.${name}` };
  const serve = (next: Record<string, unknown>) => writeFile(env.TART_SIM_REGISTRY, JSON.stringify({ images: next }));
  const say = (...args: string[]): Said => {
    const { status, stdout, stderr } = spawnSync(tart, args, { env, encoding: 'utf8' });
    return { code: status, out: stdout, err: stderr.trim() };
  };
  const start = (...args: string[]): ChildProcess => {
    const child = spawn(tart, args, { env, stdio: ['ignore', 'pipe', 'inherit'], detached: true });
    started.push(child);
    return child;
  };
  return { say, start, serve, home: env.TART_HOME, ready: serve(images) };
}

/** Resolves once the program has printed this. */
function says(child: ChildProcess, wanted: string): Promise<void> {
  let said = '';
  return new Promise(resolve => {
    child.stdout?.on('data', chunk => {
      said += String(chunk);
      if (said.includes(wanted)) resolve();
    });
  });
}

const lines = (text: string): string[] => text.split('\n').filter(line => line !== '');

test('a tag is listed twice, sizes and dates in the shapes of tart, slashes escaped', async () => {
  const mac = aMac('list');
  await mac.ready;
  assert.equal(mac.say('list', '--format', 'json').out, '[\n\n]\n');
  mac.say('pull', IMAGE);

  const { out } = mac.say('list', '--format', 'json');

  const rows = JSON.parse(out);
  assert.match(out, /"Name" : "localhost:5000\\\/tuist\\\/runner:26"/);
  assert.equal(rows.length, 2);
  for (const row of rows) {
    assert.equal(row.Source, 'OCI');
    assert.equal(row.Size, 25);
    assert.match(row.Accessed, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
  }
  mac.say('clone', IMAGE, 'web');
  const got = JSON.parse(mac.say('get', 'web', '--format', 'json').out);
  assert.equal(got.Size, '25.000');
  assert.equal('Name' in got, false);
});

test('refusals have the exit codes and texts of tart', async () => {
  const mac = aMac('refusals');
  await mac.ready;

  assert.deepEqual(mac.say('get', 'web'), { code: 2, out: '', err: 'the specified VM "web" does not exist' });
  assert.deepEqual(mac.say('run', 'web'), { code: 1, out: '', err: 'Error: the specified VM "web" does not exist' });
  assert.equal(mac.say('delete', 'web').code, 2);
  assert.equal(mac.say('clone', 'a', 'b/c').code, 64);
  assert.match(mac.say('frobnicate').err, /^Error: .*\nUsage:/);
  assert.equal(mac.say('prune').code, 64);
  assert.match(
    mac.say('pull', 'localhost:5000/no/such:1').err,
    /UnexpectedHTTPStatusCode\(when: "pulling manifest", code: 404/,
  );
  assert.match(mac.say('pull', 'localhost:5000/UPPER/x:1').err, /^failed to parse remote name: /);
  const started = Date.now();
  mac.say('pull', IMAGE);
  mac.say('clone', IMAGE, 'web');
  assert.equal(mac.say('ip', 'web').code, 1);
  assert.ok(Date.now() - started > 1000, 'a missing address takes a second');
});

test('running is a lock that dies with its process; its pid is the VM', async () => {
  const mac = aMac('run');
  await mac.ready;
  mac.say('pull', IMAGE);
  mac.say('clone', IMAGE, 'web');
  const vm = mac.start('run', 'web', '--no-graphics');
  while (!/"Running" : true/.test(mac.say('list', '--format', 'json').out)) await sleep(50);

  assert.deepEqual(mac.say('run', 'web'), { code: 2, out: '', err: 'VM "web" is already running!' });
  assert.deepEqual(mac.say('delete', 'web'), { code: 1, out: '', err: 'VM "web" is running' });
  process.kill(vm.pid ?? 0, 'SIGKILL');
  await new Promise(resolve => vm.once('exit', resolve));

  assert.match(mac.say('list', '--format', 'json').out, /"State" : "stopped"/);
  assert.deepEqual(mac.say('stop', 'web'), { code: 2, out: '', err: 'VM "web" is not running' });
  assert.equal(mac.say('delete', 'web').code, 0);
});

test('one pull at a time per registry; a killed one goes on where it stopped', async () => {
  const mac = aMac('pulls', { [IMAGE]: { pullSeconds: 4 }, 'localhost:5000/b/c:1': { pullSeconds: 0 } });
  await mac.ready;
  const first = mac.start('pull', IMAGE);
  await says(first, '20%');
  const second = mac.start('pull', 'localhost:5000/b/c:1');
  await says(second, 'waiting for lock...');
  process.kill(first.pid ?? 0, 'SIGKILL');
  await new Promise(resolve => second.once('exit', resolve));

  const resumed = lines(mac.say('pull', IMAGE).out).find(line => line.endsWith('%'));

  assert.ok(Number.parseInt(resumed ?? '0', 10) >= 20, `resumed at ${resumed}`);
});

test('an unfinished pull is swept by every command but pull and clone', async () => {
  const mac = aMac('swept', { [IMAGE]: { pullSeconds: 3 } });
  await mac.ready;
  const pull = mac.start('pull', IMAGE);
  await says(pull, '10%');
  process.kill(pull.pid ?? 0, 'SIGKILL');
  await new Promise(resolve => pull.once('exit', resolve));
  assert.equal((await readdir(join(mac.home, 'tmp'))).length, 1);

  mac.say('list');

  assert.deepEqual(await readdir(join(mac.home, 'tmp')), []);
});

test('a tag that moves lets go of what it stood for, unless that was pulled by digest', async () => {
  const digest = (n: number) => `sha256:${String(n).repeat(64)}`;
  const at = (n: number) => ({ [IMAGE]: { pullSeconds: 0, digest: digest(n) } });
  const mac = aMac('moves', at(1));
  await mac.ready;
  mac.say('pull', IMAGE);
  await mac.serve(at(2));
  mac.say('pull', IMAGE);
  const names = () => lines(mac.say('list', '-q').out);
  assert.deepEqual(names(), [IMAGE, `localhost:5000/tuist/runner@${digest(2)}`]);

  mac.say('pull', `localhost:5000/tuist/runner@${digest(2)}`);
  await mac.serve(at(3));
  mac.say('pull', IMAGE);

  assert.deepEqual(names(), [
    IMAGE,
    `localhost:5000/tuist/runner@${digest(2)}`,
    `localhost:5000/tuist/runner@${digest(3)}`,
  ]);
  assert.equal(mac.say('fqn', IMAGE).out, `localhost:5000/tuist/runner@${digest(3)}\n`);
});

test('a clone has a MAC of its own when its source has it already, and an image keeps its own', async () => {
  const mac = aMac('macs');
  await mac.ready;
  mac.say('pull', IMAGE);
  mac.say('clone', IMAGE, 'a');
  mac.say('clone', 'a', 'b');

  const macOf = async (vm: string): Promise<string> =>
    JSON.parse(await readFile(join(mac.home, 'vms', vm, 'config.json'), 'utf8')).macAddress;

  assert.notEqual(await macOf('a'), await macOf('b'));
});
