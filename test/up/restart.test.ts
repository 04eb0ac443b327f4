// A fleet that ended, in order or by a kill, and the start after it: same hosts, same keys, Pods that go on.

import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { after, before, test } from 'node:test';
import { portFor } from '../../src/fleet/up/ports.ts';
import { Node } from '../../src/kube/core/node.ts';
import { Pod } from '../../src/kube/core/pod.ts';
import { DataFolder, FleetProcess, until } from './fleet-process.ts';

const folder = new DataFolder();
let fleet: FleetProcess;
let port: number;
const skip = process.platform === 'linux' ? false : 'only Linux tells so much of processes';

const start = (): FleetProcess => new FleetProcess(folder, { how: 'node', port });

before(async () => {
  port = await portFor('api', {});
  fleet = start();
  await fleet.line(/^ready/);
});
after(() => folder.remove());

/** What must be the same after a start: hosts by id, their SSH host keys, the kubeconfig's token, the Pod. */
async function identityOf(): Promise<unknown> {
  const api = folder.api();
  const pod = await api.get(Pod, { namespace: 'default', name: 'demo' });
  const node = await api.get(Node, { name: pod.spec.nodeName ?? '' });
  const macs = readdirSync(join(folder.path, 'simulated/macs')).filter(name => name !== 'bin');
  return {
    pod: pod.metadata.uid,
    node: [node.metadata.uid, node.spec?.providerID],
    hostKeys: macs.map(id => [id, folder.read(`simulated/macs/${id}/host-key`)]),
    token: JSON.parse(folder.read('kubeconfig')).users[0].user.token,
    authority: folder.read('pki/ca.crt'),
  };
}

async function restartsOf(): Promise<number | undefined> {
  const pod = await folder.api().get(Pod, { namespace: 'default', name: 'demo' });
  return pod.status?.containerStatuses?.[0]?.restartCount;
}

/** What lives as long as the Mac is on: the agent, and the VM with the shell that writes its exit code down. */
const onTheMac = (): readonly number[] => folder.processes(/ agent --node-name| run default-demo-/);

test('after a kill -9 the next start finds the agents and VMs that run on, and the Pod was never down (up-10)', {
  skip,
}, async () => {
  const before = await identityOf();
  const running = onTheMac();
  fleet.signal('SIGKILL');
  await fleet.ended();
  assert.equal(running.length, 3);

  fleet = start();
  await fleet.line(/^ready/);

  assert.deepEqual(await identityOf(), before);
  assert.equal(await restartsOf(), 0);
  assert.deepEqual(onTheMac(), running, 'the same processes go on');
});

test('after TERM nothing is left, and the next start boots the Pod again (up-11)', { skip }, async () => {
  const before = await identityOf();
  fleet.signal('SIGTERM');
  assert.equal(await fleet.ended(), 0);
  await until('nothing is left', () => folder.processes().length === 0, 5);

  fleet = start();
  await fleet.line(/^ready/);

  assert.deepEqual(await identityOf(), before);
  assert.equal(await restartsOf(), 1);
  fleet.signal('SIGINT');
  assert.equal(await fleet.ended(), 0);
  assert.deepEqual(folder.processes(), []);
});
