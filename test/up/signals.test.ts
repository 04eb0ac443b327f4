// A fleet without objects, told to end by a signal to npm alone: npm hands INT and TERM on, and this process ends in order.

import assert from 'node:assert/strict';
import process from 'node:process';
import { after, test } from 'node:test';
import { Pod } from '../../src/kube/core/pod.ts';
import { DataFolder, FleetProcess, listeners, until } from './fleet-process.ts';

const folders: DataFolder[] = [];
after(() => {
  for (const folder of folders) folder.remove();
});

const skip = process.platform === 'linux' ? false : 'only Linux tells so much of processes';

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  test(`${signal} to npm alone leaves no process and no listener`, { skip }, async () => {
    const folder = new DataFolder();
    folders.push(folder);
    const fleet = new FleetProcess(folder, { how: 'npm', args: ['--empty', '--macs', '2'] });
    assert.match(await fleet.line(/^ready/), /: the API answers$/);
    assert.deepEqual((await folder.api().list(Pod)).items, []);
    const ports = folder.ports();

    fleet.signal(signal);
    await fleet.ended();
    await until('all its processes have ended', () => folder.processes().length === 0, 15);

    assert.ok(fleet.lines.includes('stopping: VMs, agents, controllers, API'));
    assert.deepEqual(
      ports.filter(port => listeners().has(port)),
      [],
    );
  });
}

test('a signal during the start ends it, too (up-9)', { skip }, async () => {
  const folder = new DataFolder();
  folders.push(folder);
  const fleet = new FleetProcess(folder, { how: 'node' });
  await fleet.line(/^control plane ready/);

  fleet.signal('SIGTERM');

  assert.equal(await fleet.ended(), 0);
  assert.deepEqual(folder.processes(), []);
  assert.equal(
    fleet.lines.some(line => line.startsWith('ready')),
    false,
  );
});
