// From claim to data and back with all three controllers: what it costs in writes, and that nothing is left of it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seconds } from '../../base/clock.ts';
import { IPAddress } from '../../kinds/generated/ip-address.generated.ts';
import { IPClaim } from '../../kinds/generated/ip-claim.generated.ts';
import { Metal3Data } from '../../kinds/generated/metal3-data.generated.ts';
import { Metal3DataClaim } from '../../kinds/generated/metal3-data-claim.generated.ts';
import { Metal3DataTemplate } from '../../kinds/generated/metal3-data-template.generated.ts';
import { IP_CLAIM_FINALIZER } from '../../kinds/metal-wire.ts';
import { Secret } from '../../kube/core/other.ts';
import { isDeleting } from '../../kube/object.ts';
import type { Transport } from '../../kube/transport.ts';
import { dataClaimController } from '../claim/controller.ts';
import { aCluster, at, put } from '../objects.testing.ts';
import { dataTemplateController } from '../template/controller.ts';
import type { MetalTest } from '../workload/world.testing.ts';
import { dataController } from './controller.ts';
import { aDataTest, aServedClaim, assertNoneOf, aTemplate, dataNamed, renderedBy } from './data-world.testing.ts';

const SPEC: Metal3DataTemplate['spec'] = {
  metaData: {
    indexes: [{ key: 'index' }],
    ipAddressesFromPool: [{ key: 'address', name: 'pool', kind: 'IPPool', apiGroup: 'ipam.metal3.io' }],
  },
  networkData: {
    links: { ethernets: [{ type: 'phy', id: 'eth0', mtu: 1500, macAddress: { string: '12:34:56:78:9A:BC' } }] },
  },
};

async function aChain(between?: (transport: Transport) => Transport): Promise<MetalTest> {
  const t = await aDataTest(between);
  await aCluster(t.api, 'c');
  await aTemplate(t, 'abc', SPEC);
  t.run(dataTemplateController(), dataClaimController(), dataController());
  return t;
}

/** What the address manager does, by hand: addresses for claims that are kept, nothing for those that are let go. */
async function manageAddresses({ api }: MetalTest): Promise<void> {
  const { items } = await api.list(IPClaim);
  for (const claim of items) {
    const { name, finalizers = [] } = claim.metadata;
    if (isDeleting(claim) && finalizers.join() === IP_CLAIM_FINALIZER) {
      await api.delete(IPAddress, at(name)).catch(() => undefined);
      await api.patch(IPClaim, at(name), { metadata: { finalizers: null } });
    } else if (!isDeleting(claim) && claim.status?.address === undefined) {
      await put(api, IPAddress, name, { spec: { address: '192.0.2.10', pool: { name: 'pool' }, claim: { name } } });
      await api.patch(IPClaim, at(name), { status: { address: { name } } }, { subresource: 'status' });
    }
  }
}

/** Lets controllers and the address manager take turns until both are still. */
async function settle(t: MetalTest, turns = 4): Promise<void> {
  for (let turn = 0; turn < turns; turn++) {
    await t.pass(seconds(1));
    await manageAddresses(t);
  }
  await t.pass(seconds(1));
}

/** `POST secrets 2`: the writes of a run by verb and resource, those to the Template apart. */
function writesOf({ writes }: MetalTest): readonly string[] {
  const counts = new Map<string, number>();
  for (const write of writes.filter(each => !each.includes('datatemplates'))) {
    const [method = '', path = ''] = write.split(' ');
    const [, plural = '', , sub] = /namespaces\/[^/]+\/([^/]+)(\/[^/]+)?(\/status)?$/.exec(path) ?? [];
    const key = `${method} ${plural}${sub ?? ''}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return [...counts].map(([key, count]) => `${key} ${count}`).sort();
}

const OURS = [Metal3DataClaim, Metal3Data, Metal3DataTemplate, IPClaim, IPAddress, Secret];

test('a claim costs seven writes until its data is ready, and eight until nothing is left of it', async () => {
  const t = await aChain();
  await aServedClaim(t, 'm0');
  await settle(t);
  const made = writesOf(t);
  assert.equal((await dataNamed(t, 'abc-0'))?.status?.ready, true);
  t.writes.length = 0;

  await t.api.delete(Metal3DataClaim, at('m0'));
  await t.api.delete(Metal3DataTemplate, at('abc'));
  await settle(t);

  assert.deepEqual(made, [
    'PATCH metal3dataclaims 1',
    'PATCH metal3dataclaims/status 1',
    'PATCH metal3datas/status 1',
    'POST ipclaims 1',
    'POST metal3datas 1',
    'POST secrets 2',
  ]);
  assert.deepEqual(writesOf(t), [
    'DELETE ipclaims 1',
    'DELETE metal3datas 1',
    'DELETE secrets 2',
    'PATCH ipclaims 1',
    'PATCH metal3dataclaims 1',
    'PATCH metal3datas 1',
  ]);
  await assertNoneOf(t, OURS);
  await t.stop();
});

test('many claims that go at once cost no more each than one: no controller writes on what it has not seen yet', async () => {
  const t = await aChain();
  await t.api.delete(Metal3DataTemplate, at('abc'));
  await t.pass(0);
  await aTemplate(t, 'abc', { metaData: { indexes: [{ key: 'index' }] } });
  for (let each = 0; each < 40; each++) await aServedClaim(t, `m${each}`);
  await t.pass(seconds(2));
  t.writes.length = 0;

  for (let each = 0; each < 40; each++) await t.api.delete(Metal3DataClaim, at(`m${each}`));
  await t.api.delete(Metal3DataTemplate, at('abc'));
  await t.pass(seconds(2));

  await assertNoneOf(t, OURS);
  const each = t.writes.filter(write => !write.includes('datatemplates')).length / 40;
  assert.ok(each < 4.3, `${each} writes for each claim; four are needed: claim 1, Data 2, secret 1`);
  await t.stop();
});

for (const lost of ['the request', 'the answer'] as const) {
  test(`rules a to i: with ${lost} of any one write lost, and a restart after it, nothing is made twice and nothing is left`, async () => {
    const writes = await life(lost, -1);
    for (let number = 0; number < writes; number++) await life(lost, number);
  });
}

/** One claim's life with one write lost; answers how many writes there were. */
async function life(lost: 'the request' | 'the answer', number: number): Promise<number> {
  let writes = -1;
  const t = await aChain(transport => async request => {
    if (request.method === 'GET') return transport(request);
    writes += 1;
    if (writes !== number) return transport(request);
    if (lost === 'the answer') await transport(request);
    throw new Error('the connection broke');
  });
  await aServedClaim(t, 'm0');
  await settle(t);
  if (number >= 0) await t.restart();
  await settle(t);
  const { items } = await t.api.list(Metal3Data);
  assert.equal(items.length, 1, `one Data, with write ${number} lost`);
  assert.equal(await renderedBy(t, 'm0'), items[0]?.metadata.name);
  assert.equal(items[0]?.status?.ready, true, `ready, with write ${number} lost`);
  await t.api.delete(Metal3DataTemplate, at('abc'));
  await t.api.delete(Metal3DataClaim, at('m0'));
  await settle(t);
  await assertNoneOf(t, OURS);
  await t.stop();
  return writes + 1;
}
