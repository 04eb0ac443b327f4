import assert from 'node:assert/strict';
import { test } from 'node:test';
import { minutes, seconds } from '../../src/base/clock.ts';
import { BareMetalHost } from '../../src/kinds/generated/bare-metal-host.generated.ts';
import type { Api } from '../../src/kube/api.ts';
import { isReady, Node } from '../../src/kube/core/node.ts';
import { aFleetOfHosts, CLUSTER, KEY, NS } from './hosts.testing.ts';

const IMAGE = { image: { url: 'http://images.example/os.qcow2' } };
const states = (host: BareMetalHost): string => host.status?.provisioning?.state ?? '';
const read = (api: Api): Promise<BareMetalHost> => api.get(BareMetalHost, KEY);

async function provisioned(quirks?: Parameters<Awaited<ReturnType<typeof aFleetOfHosts>>['hosts']['is']>[1]) {
  const fleet = await aFleetOfHosts();
  if (quirks !== undefined) fleet.hosts.is(KEY, quirks);
  await fleet.create({ ...IMAGE, online: true });
  await fleet.clock.advance(minutes(3));
  return fleet;
}

const nodesIn = async (api: Api | undefined): Promise<readonly Node[]> => (await api?.list(Node))?.items ?? [];

test('a host takes its time to be available, and then waits for an image', async () => {
  const fleet = await aFleetOfHosts();
  await fleet.create({ online: false });

  await fleet.clock.advance(seconds(10));
  const early = states(await read(fleet.api));
  await fleet.clock.advance(minutes(1));

  assert.equal(early, 'inspecting');
  assert.equal(states(await read(fleet.api)), 'available');
  await fleet.close();
});

test('a provisioned host puts its Node into its workload cluster, with its UID', async () => {
  const fleet = await provisioned();

  const [node, ...others] = await nodesIn(fleet.workload);
  const host = await read(fleet.api);

  assert.equal(others.length, 0);
  assert.equal(node?.metadata.name, 'host-0');
  assert.equal(node?.metadata.labels?.['metal3.io/uuid'], host.metadata.uid);
  assert.ok(node !== undefined && isReady(node));
  await fleet.close();
});

const odd = [
  ['never', []],
  ['wrong hostname', ['not-host-0']],
  ['two alike', ['host-0', 'host-0-twin']],
] as const;

for (const [node, names] of odd) {
  test(`a host whose Node is "${node}" registers ${names.length} Nodes`, async () => {
    const fleet = await provisioned({ node });

    const found = await nodesIn(fleet.workload);

    assert.deepEqual(
      found.map(({ metadata }) => metadata.name),
      names,
    );
    await fleet.close();
  });
}

test('a Node can come without the UID of its host, or with its provider id already set', async () => {
  const plain = await provisioned({ node: 'no uuid label' });
  const set = await provisioned({ node: 'provider id set' });

  const [bare] = await nodesIn(plain.workload);
  const [named] = await nodesIn(set.workload);

  assert.equal(bare?.metadata.labels?.['metal3.io/uuid'], undefined);
  assert.equal(named?.spec?.providerID, `metal3://${NS}/host-0/machine-0`);
  await plain.close();
  await set.close();
});

test('while a host has no power its Node does not report; a deleted Node comes back with the next boot', async () => {
  const fleet = await provisioned();
  const reboot = (value: string | null) =>
    fleet.api.patch(BareMetalHost, KEY, { metadata: { annotations: { 'reboot.metal3.io/test': value } } });

  await reboot('{}');
  await fleet.clock.advance(minutes(1));
  const [silent] = await nodesIn(fleet.workload);
  await fleet.workload.delete(Node, { name: 'host-0' });
  await reboot(null);
  await fleet.clock.advance(minutes(1));

  assert.equal(silent === undefined ? undefined : isReady(silent), false);
  assert.equal((await nodesIn(fleet.workload)).length, 1);
  await fleet.close();
});

test('a host whose cluster is dead registers its Node once it answers again', async () => {
  const fleet = await aFleetOfHosts();
  fleet.workloads.trouble(CLUSTER, 'dead');
  await fleet.create({ ...IMAGE, online: true });
  await fleet.clock.advance(minutes(3));
  const before = await nodesIn(fleet.workload);

  fleet.workloads.trouble(CLUSTER, undefined);
  await fleet.clock.advance(minutes(1));

  assert.equal(before.length, 0);
  assert.equal((await nodesIn(fleet.workload)).length, 1);
  await fleet.close();
});

test('an error stays on the host until its cause is gone', async () => {
  const fleet = await aFleetOfHosts();
  fleet.hosts.is(KEY, { errors: { provisioned: 'the image cannot be read' } });
  await fleet.create({ ...IMAGE, online: true });
  await fleet.clock.advance(minutes(5));
  const failed = await read(fleet.api);

  fleet.hosts.is(KEY);
  await fleet.clock.advance(minutes(1));

  assert.equal(failed.status?.errorMessage, 'the image cannot be read');
  assert.equal(states(await read(fleet.api)), 'provisioned');
  await fleet.close();
});

test('a deleted host is erased and goes', async () => {
  const fleet = await provisioned();

  await fleet.api.delete(BareMetalHost, KEY);
  await fleet.clock.advance(seconds(5));
  const going = states(await read(fleet.api));
  await fleet.clock.advance(minutes(1));

  assert.equal(going, 'deprovisioning');
  assert.equal(await fleet.api.find(BareMetalHost, KEY), undefined);
  await fleet.close();
});
