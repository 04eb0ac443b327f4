// A bare-metal fleet as a newcomer meets it: `pippin up --metal 2`, everything deleted, and a second start on the same folder.

import assert from 'node:assert/strict';
import { readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { after, before, test } from 'node:test';
import { httpTransport } from '../../src/adapters/http/client.ts';
import { systemClock } from '../../src/adapters/system/clock.ts';
import { BareMetalHost } from '../../src/kinds/generated/bare-metal-host.generated.ts';
import { IPAddress } from '../../src/kinds/generated/ip-address.generated.ts';
import { Machine } from '../../src/kinds/generated/machine.generated.ts';
import { Metal3Data } from '../../src/kinds/generated/metal3-data.generated.ts';
import { Metal3DataTemplate } from '../../src/kinds/generated/metal3-data-template.generated.ts';
import { Metal3Machine } from '../../src/kinds/generated/metal3-machine.generated.ts';
import type { Api } from '../../src/kube/api.ts';
import { client } from '../../src/kube/client.ts';
import { Node } from '../../src/kube/core/node.ts';
import type { Kind } from '../../src/kube/kind.ts';
import { DataFolder, FleetProcess, listeners, until } from './fleet-process.ts';

const folder = new DataFolder();
const notLinux = process.platform === 'linux' ? false : 'only Linux tells so much of processes';
let fleet: FleetProcess;

async function started(): Promise<FleetProcess> {
  const one = new FleetProcess(folder, { how: 'node', args: ['--metal', '2'] });
  await one.line(/^Ctrl-C ends everything/);
  return one;
}

/** The workload cluster, as its own kubeconfig leads there. */
function workload(): { readonly api: Api; readonly server: string } {
  const { clusters, users } = JSON.parse(folder.read('workload/kubeconfig'));
  const { server, 'certificate-authority-data': ca } = clusters[0].cluster;
  const caPem = Buffer.from(ca, 'base64').toString();
  const access = { server, caPem, token: () => Promise.resolve(users[0].user.token) };
  return { api: client(httpTransport(access), { clock: systemClock }), server };
}

const namesOf = async (api: Api, kind: Kind): Promise<readonly string[]> =>
  (await api.list(kind)).items.map(({ metadata }) => metadata.name).sort();

before(async () => {
  fleet = await started();
});
after(() => folder.remove());

test('the way to ready can be followed, as the README shows it', () => {
  const readme = readFileSync(resolve(import.meta.dirname, '../../README.md'), 'utf8');
  const block = /<!-- output of metal: .*-->\n```\n([\s\S]*?)```\n<!-- \/output of metal -->/.exec(readme)?.[1] ?? '';
  const shown = block.trimEnd().split('\n');

  const unseen = shown.filter(line => !fleet.lines.some(seen => shapeOf(seen) === shapeOf(line)));

  assert.deepEqual(unseen, []);
  assert.ok(shown.length > 5);
  assert.equal(fleet.lines.filter(line => line.startsWith('ready')).length, 1);
});

/** A line without what differs from start to start: which machine got which host and number is chance. */
const shapeOf = (line: string): string =>
  line
    .replaceAll(/(host|worker|workers)-\d/g, '$1-N')
    .replace(/:\d{4,5}$/, ':PORT')
    .replace(/after \d+\.\d s/, 'after TIME');

test('each machine has a host, data, an address, and a Node in the workload cluster (up-15, up-16)', async () => {
  const api = folder.api();

  assert.deepEqual(await namesOf(workload().api, Node), ['host-0', 'host-1']);
  assert.deepEqual(await namesOf(api, Metal3Data), ['workers-0', 'workers-1']);
  assert.deepEqual(await namesOf(api, IPAddress), ['provisioning-192-0-2-10', 'provisioning-192-0-2-11']);
  assert.deepEqual(await namesOf(api, Node), [], 'no Mac is simulated beside them');
  const { items } = await workload().api.list(Node);
  for (const { spec, metadata } of items) {
    assert.match(spec?.providerID ?? '', new RegExp(`^metal3://default/${metadata.name}/worker-\\d$`));
  }
  assert.equal(statSync(join(folder.path, 'workload')).mode & 0o777, 0o700);
});

test('a second start finds the same fleet, and registers its Nodes again (up-16, up-18)', async () => {
  const { api, server } = workload();
  await api.delete(Node, { name: 'host-0' });
  fleet.signal('SIGTERM');
  const code = await fleet.ended();

  fleet = await started();

  assert.equal(code, 0);
  assert.equal(workload().server, server);
  await until('the Nodes are there', async () => (await namesOf(workload().api, Node)).length === 2);
});

test('template and machines deleted at once leave nothing, and the hosts are free again', async () => {
  const api = folder.api();
  await api.delete(Metal3DataTemplate, { namespace: 'default', name: 'workers' });
  for (const name of ['worker-0', 'worker-1']) await api.delete(Machine, { namespace: 'default', name });

  for (const kind of [Machine, Metal3Machine, Metal3Data, Metal3DataTemplate, IPAddress]) {
    await until(`no ${kind.kind} is left`, async () => (await namesOf(api, kind)).length === 0);
  }
  await until('the hosts are available', async () => {
    const { items } = await api.list(BareMetalHost);
    return items.every(({ spec, status }) => spec?.image === undefined && status?.provisioning?.state === 'available');
  });
});

test('told to end, it leaves no process and no listener (up-9)', { skip: notLinux }, async () => {
  const port = Number(new URL(workload().server).port);

  fleet.signal('SIGINT');
  const code = await fleet.ended();

  assert.equal(code, 0);
  assert.deepEqual(folder.processes(), []);
  assert.ok(!listeners().has(port));
});
