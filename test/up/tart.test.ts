// `pippin up --tart` on a double of tart: this Mac is the Node, its VMs are ended with the fleet, a stranger's are not (safe-25).

import assert from 'node:assert/strict';
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { after, before, test } from 'node:test';
import { writeTart } from '../../sim/tart/wrapper.ts';
import { nodeNameOf } from '../../src/fleet/up/this-mac.ts';
import { Node } from '../../src/kube/core/node.ts';
import { Pod } from '../../src/kube/core/pod.ts';
import { COMPILED, DataFolder, FleetProcess, until } from './fleet-process.ts';

const folder = new DataFolder();
const beside = resolve(folder.path, '..');
const home = join(beside, 'tart-home');
const binary = join(beside, 'bin/tart');
const command = resolve(import.meta.dirname, '../../sim/tart/command.ts');
let stranger: ChildProcess;
let fleet: FleetProcess;

const tart = (...args: string[]): string =>
  execFileSync(binary, args, { encoding: 'utf8', env: { PATH: process.env.PATH, TART_HOME: home }, stdio: 'pipe' });

before(async () => {
  writeTart(binary, { node: process.execPath, command, compileCache: COMPILED.NODE_COMPILE_CACHE });
  tart('clone', 'registry.example/somebody/linux:1', 'stranger');
  stranger = spawn(binary, ['run', 'stranger'], { env: { PATH: process.env.PATH, TART_HOME: home }, stdio: 'ignore' });
  await until('the stranger’s VM runs', () => tart('list').includes('running'));
  fleet = new FleetProcess(folder, { how: 'node', args: ['--tart', '--tart-binary', binary, '--tart-home', home] });
  await fleet.line(/^ready/);
});
after(() => {
  stranger.kill('SIGKILL');
  folder.remove();
});

test('this Mac is the Node, without a machine, and runs the demo Pod', async () => {
  const api = folder.api();

  const nodes = (await api.list(Node)).items;
  const pod = await api.get(Pod, { namespace: 'default', name: 'demo' });

  assert.equal(nodes.length, 1);
  assert.equal(nodes[0]?.spec?.providerID, undefined);
  assert.equal(pod.spec.nodeName, nodes[0]?.metadata.name);
  assert.equal(pod.status?.phase, 'Running');
});

test('the end of the fleet ends its VMs, and only those', async () => {
  fleet.signal('SIGTERM');
  assert.equal(await fleet.ended(), 0);

  const rows: { Name: string; State: string; Source: string }[] = JSON.parse(tart('list', '--format', 'json'));
  const local = rows.filter(({ Source, Name }) => Source === 'local' && !Name.startsWith('tuist-golden-'));
  assert.equal(local.find(({ Name }) => Name === 'stranger')?.State, 'running');
  assert.deepEqual(
    local.filter(({ Name, State }) => Name !== 'stranger' && State !== 'stopped'),
    [],
  );
  assert.match(tart('list'), /registry\.example\/somebody\/linux/);
  assert.deepEqual(folder.processes(), []);
  assert.doesNotMatch(readFileSync(join(folder.path, 'up.log'), 'utf8'), /"level":"error"/);
});

test('a host’s name becomes one that Kubernetes takes', () => {
  assert.deepEqual(['mac-1', 'Ada’s Mac.local', 'ADA.', '-x-.-y-', '…'].map(nodeNameOf), [
    'mac-1',
    'ada-s-mac.local',
    'ada',
    'x.y',
    'this-mac',
  ]);
});
