// What a Data made and somebody orphaned: `kubectl delete --cascade=orphan` takes the owner references off before it goes.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { minutes, seconds } from '../../base/clock.ts';
import { BareMetalHost } from '../../kinds/generated/bare-metal-host.generated.ts';
import { IPClaim } from '../../kinds/generated/ip-claim.generated.ts';
import { Metal3Data } from '../../kinds/generated/metal3-data.generated.ts';
import { Metal3DataClaim } from '../../kinds/generated/metal3-data-claim.generated.ts';
import { Metal3Machine } from '../../kinds/generated/metal3-machine.generated.ts';
import { METAL3_DATA_FINALIZER } from '../../kinds/metal-wire.ts';
import { Secret } from '../../kube/core/other.ts';
import type { Kind } from '../../kube/kind.ts';
import { aCluster, at, put, said } from '../objects.testing.ts';
import { type MetalTest, NS } from '../workload/world.testing.ts';
import { dataController } from './controller.ts';
import { aData, aDataTest, dataNamed } from './data-world.testing.ts';
import { aRunningHost, hostIs, LEASE, leaseOf, torn } from './running-host.testing.ts';

const SECRET = 'm0-metadata';

async function orphaned(t: MetalTest): Promise<void> {
  const made: readonly (readonly [Kind, string])[] = [
    [IPClaim, LEASE],
    [Secret, SECRET],
  ];
  for (const [kind, name] of made) await t.api.patch(kind, at(name), { metadata: { ownerReferences: null } });
  await t.pass(seconds(1));
}

test('metal-d, metal-G2: a lease and secrets that were orphaned go with the Data that made them', async () => {
  const t = await aRunningHost();
  await orphaned(t);
  await t.api.patch(BareMetalHost, at('host-m0'), { spec: { image: null, consumerRef: null } });
  await hostIs(t, 'available');
  await t.api.delete(Metal3Machine, at('m0'));
  await torn(t, Metal3DataClaim, 'm0');

  await t.pass(minutes(2));

  assert.equal(await dataNamed(t, 'abc-0'), undefined);
  assert.ok(!(await leaseOf(t))?.metadata.finalizers?.includes(METAL3_DATA_FINALIZER));
  assert.equal(await t.api.find(Secret, at(SECRET)), undefined);
  await t.stop();
});

test('metal-d: a lease that its Data finds orphaned is its own still: it is held, and nothing is waited for', async () => {
  const t = await aRunningHost();
  const before = await leaseOf(t);
  await orphaned(t);
  await t.api.patch(IPClaim, at(LEASE), { metadata: { finalizers: [] } });

  await t.pass(minutes(2));

  assert.equal((await leaseOf(t))?.metadata.uid, before?.metadata.uid);
  assert.ok((await leaseOf(t))?.metadata.finalizers?.includes(METAL3_DATA_FINALIZER));
  assert.match(said(await t.api.get(Metal3Data, at('abc-0')), 'Ready'), /^(True|undefined)/);
  await t.stop();
});

test('metal-S11: a Data that is made again takes up an orphaned lease of the one before it, which its host runs with', async () => {
  const t = await aRunningHost();
  const [lease, data] = [await leaseOf(t), await dataNamed(t, 'abc-0')];
  await orphaned(t);
  await torn(t, Metal3Data, 'abc-0');

  await t.pass(minutes(2));

  const again = await dataNamed(t, 'abc-0');
  assert.notEqual(again?.metadata.uid, data?.metadata.uid);
  assert.equal((await leaseOf(t))?.metadata.uid, lease?.metadata.uid);
  assert.equal((await leaseOf(t))?.metadata.ownerReferences?.[0]?.uid, again?.metadata.uid);
  await t.stop();
});

test('metal-d: of a lease that notes nothing, as upstream makes them, the name tells whose it was', async () => {
  const t = await aDataTest();
  await aCluster(t.api, 'c');
  await aData(t, 'abc-0', { index: 0 });
  const finalizers = [METAL3_DATA_FINALIZER];
  const spec = { pool: { name: 'pool' } };
  await put(t.api, IPClaim, 'abc-0-pool', { metadata: { finalizers }, spec });
  await put(t.api, IPClaim, 'abc-00-pool', { metadata: { finalizers }, spec });
  await put(t.api, IPClaim, 'abc-0-other', { metadata: { finalizers }, spec });
  await t.api.delete(Metal3Data, at('abc-0'));

  t.run(dataController());
  await t.pass(seconds(2));

  const left = (await t.api.list(IPClaim, { namespace: NS })).items.map(({ metadata }) => metadata.name);
  assert.equal(await dataNamed(t, 'abc-0'), undefined);
  assert.deepEqual(left, ['abc-0-other', 'abc-00-pool']);
  await t.stop();
});
