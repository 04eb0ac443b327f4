// The main job as a newcomer meets it: `npm start`, kubectl, a machine deleted, and npm told to end.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { after, before, test } from 'node:test';
import { isOnPath } from '../../src/fleet/up/next-steps.ts';
import { Machine } from '../../src/kinds/generated/machine.generated.ts';
import { Node } from '../../src/kube/core/node.ts';
import { Pod } from '../../src/kube/core/pod.ts';
import { DataFolder, FleetProcess, listeners, until } from './fleet-process.ts';

const folder = new DataFolder();
let fleet: FleetProcess;
const notLinux = process.platform === 'linux' ? false : 'only Linux tells so much of processes';

before(async () => {
  fleet = new FleetProcess(folder, { how: 'npm' });
  await fleet.line(/^ready/);
  await fleet.line(/^Ctrl-C ends everything/);
  // A VM runs before it has an address, and may be told so once without and once with it.
  await fleet.line(/^Pod default\/demo: VM running at \S+$/);
});
after(() => folder.remove());

test('the way to ready can be followed: control plane, Mac, image, VM', () => {
  const milestones = [
    /^control plane ready at https:\/\/127\.0\.0\.1:\d+$/,
    /^Mac \S+: adopted \(198\.51\.100\.1\)$/,
    /^Mac \S+: bootstrapped$/,
    /^Mac \S+: Node Ready$/,
    /^Pod default\/demo: image \S+: \d+ % pulled$/,
    /^Pod default\/demo: VM running at \S+$/,
    /^ready after \d+\.\d s: Pod default\/demo runs on \S+$/,
    /^ {2}export KUBECONFIG=\S+$/,
  ];
  for (const milestone of milestones)
    assert.ok(
      fleet.lines.some(line => milestone.test(line)),
      String(milestone),
    );
  assert.equal(fleet.lines.filter(line => line.startsWith('ready')).length, 1);
});

test('the README shows what one really sees', () => {
  const readme = readFileSync(resolve(import.meta.dirname, '../../README.md'), 'utf8');
  const shown =
    /<!-- output: .*-->\n```\n([\s\S]*?)```\n<!-- \/output -->/.exec(readme)?.[1]?.trimEnd().split('\n') ?? [];

  const unseen = shown.filter(line => !fleet.lines.some(seen => shapeOf(seen) === shapeOf(line)));

  assert.deepEqual(unseen, []);
  assert.ok(shown.length > 5);
});

/** A line without what differs from start to start. */
function shapeOf(line: string): string {
  return line
    .replaceAll(/macs-[a-z0-9]+-[a-z0-9]+/g, 'MAC')
    .replace(/:\d{4,5}$/, ':PORT')
    .replace(/after \d+\.\d s/, 'after TIME')
    .replace(/at 192\.168\.\d+\.\d+$/, 'at ADDRESS');
}

test('with one Mac and one VM all processes together stay under 400 MB', { skip: notLinux }, t => {
  const kilobytes = folder.processes().reduce((sum, pid) => sum + proportionalSize(pid), 0);

  t.diagnostic(`PSS of all processes, npm included: ${Math.round(kilobytes / 1024)} MB`);
  assert.ok(folder.processes().includes(fleet.pid));
  assert.ok(kilobytes < 400 * 1024, `${kilobytes} kB`);
});

/** PSS in kB; 0 for a process that has ended. */
function proportionalSize(pid: number): number {
  const file = `/proc/${pid}/smaps_rollup`;
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
  return Number(/^Pss:\s+(\d+)/m.exec(text)?.[1] ?? 0);
}

test('the data folder is for its owner alone (safe-19)', () => {
  const modeOf = (path: string): number => statSync(join(folder.path, path)).mode & 0o777;

  assert.equal(modeOf('.'), 0o700);
  for (const file of ['kubeconfig', 'api.db', 'up.log', 'pki/ca.key', 'simulated/settings.json']) {
    assert.equal(modeOf(file), 0o600, file);
  }
});

test('the demo Pod runs on a Mac that is a Node, as itself and under its own identity', async () => {
  const api = folder.api();

  const pod = await api.get(Pod, { namespace: 'default', name: 'demo' });
  const node = await api.get(Node, { name: pod.spec.nodeName ?? '' });

  assert.equal(pod.status?.phase, 'Running');
  assert.equal(pod.metadata.annotations?.['pippin.dev/host-id'], node.spec?.providerID);
});

const skip = isOnPath('kubectl') ? false : 'kubectl is not on this machine';

test('stock kubectl is at home', { skip }, () => {
  const env = { PATH: process.env.PATH, HOME: folder.path, KUBECONFIG: join(folder.path, 'kubeconfig') };

  const told = execFileSync('kubectl', ['get', 'nodes,pods,machines'], { encoding: 'utf8', env, stdio: 'pipe' });

  assert.match(told, /node\/macs-\S+/);
  assert.match(told, /pod\/demo/);
  assert.match(told, /machine\.cluster\.x-k8s\.io\/macs-\S+ +fleet +macs-\S+ +scw-applesilicon:\S+ +Running/);
});

test('a second start on the same folder is refused, and the first goes on (up-2)', async () => {
  const second = new FleetProcess(folder, { how: 'node' });

  assert.equal(await second.ended(), 1);
  assert.match(second.lines.join('\n'), /PIPPIN_E_STORE_HELD/);
  assert.equal((await folder.api().get(Pod, { namespace: 'default', name: 'demo' })).status?.phase, 'Running');
});

test('a deleted machine goes, with its Node and its Pod, and another takes its place', async () => {
  const api = folder.api();
  const [machine] = (await api.list(Machine)).items;
  const name = machine?.metadata.name ?? '';

  await api.delete(Machine, { namespace: 'default', name });
  await until('the machine, its Node and its Pod are gone', async () => {
    const machines = (await api.list(Machine)).items.map(({ metadata }) => metadata.name);
    const nodes = (await api.list(Node)).items.map(({ metadata }) => metadata.name);
    const pods = (await api.list(Pod)).items.map(({ metadata }) => metadata.name);
    return !machines.includes(name) && !nodes.includes(name) && !pods.includes('demo');
  });

  const left = (await api.list(Machine)).items;
  assert.equal(left.length, 1);
  assert.equal(left[0]?.metadata.deletionTimestamp, undefined);
});

test('HUP to npm alone ends everything: no process and no listener is left', { skip: notLinux }, async () => {
  const ports = folder.ports();
  assert.ok(ports.some(port => listeners().has(port)));

  fleet.signal('SIGHUP');
  await fleet.ended();
  await until('all its processes have ended', () => folder.processes().length === 0, 15);

  assert.deepEqual(
    ports.filter(port => listeners().has(port)),
    [],
  );
});
