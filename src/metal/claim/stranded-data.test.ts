// Which Datas a Claim that is made again does not take up: those of another Claim, and those that its machine does not use.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { minutes, seconds } from '../../base/clock.ts';
import { Metal3Data } from '../../kinds/generated/metal3-data.generated.ts';
import { Metal3DataClaim } from '../../kinds/generated/metal3-data-claim.generated.ts';
import { Metal3Machine } from '../../kinds/generated/metal3-machine.generated.ts';
import { METAL3_DATA_CLAIM_FINALIZER } from '../../kinds/metal-wire.ts';
import type { OwnerReference } from '../../kube/object.ts';
import { aData, claimNamed, claimOwner, dataNamed, renderedBy } from '../data/data-world.testing.ts';
import { aRunningHost, torn } from '../data/running-host.testing.ts';
import { at, ownedBy, put } from '../objects.testing.ts';
import type { MetalTest } from '../workload/world.testing.ts';

const machineOf = async (t: MetalTest): Promise<OwnerReference> =>
  ownedBy(Metal3Machine, await t.api.get(Metal3Machine, at('m0')));

/** A Claim of machine `m0`, as it makes it again, or as somebody makes another for it. */
const claimFor = async (t: MetalTest, name: string): Promise<Metal3DataClaim> =>
  put(t.api, Metal3DataClaim, name, {
    metadata: { finalizers: [METAL3_DATA_CLAIM_FINALIZER], ownerReferences: [await machineOf(t)] },
    spec: { template: { name: 'abc' } },
  });

test('a Claim that is made again takes no Data from another Claim of its machine that has it: each has its own (metal-S9, metal-G14)', async () => {
  const t = await aRunningHost();
  await t.halt();
  const other = await claimFor(t, 'other');
  const ownerReferences = [{ ...claimOwner(other), controller: true }, await machineOf(t)];
  await t.api.patch(Metal3Data, at('abc-0'), { metadata: { ownerReferences } });
  await torn(t, Metal3DataClaim, 'm0');
  await claimFor(t, 'm0');

  await t.restart();
  await t.pass(seconds(5));

  const owners = (await dataNamed(t, 'abc-0'))?.metadata.ownerReferences?.map(({ uid }) => uid) ?? [];
  assert.ok(owners.includes(other.metadata.uid ?? ''), owners.join());
  assert.deepEqual([await renderedBy(t, 'other'), await renderedBy(t, 'm0')], ['abc-0', 'abc-1']);
  await t.stop();
});

test('a Claim that is made again has the Data made again that its host runs with, and takes none that nobody uses (metal-S9, metal-G11)', async () => {
  const t = await aRunningHost();
  await t.halt();
  const ownerReferences = [
    { ...ownedBy(Metal3DataClaim, await t.api.get(Metal3DataClaim, at('m0'))), controller: true },
    await machineOf(t),
  ];
  await aData(t, 'abc-1', { index: 1, claim: 'm0', metadata: { ownerReferences }, status: { ready: true } });
  await torn(t, Metal3DataClaim, 'm0');
  await torn(t, Metal3Data, 'abc-0');
  await claimFor(t, 'm0');

  await t.restart();
  await t.pass(minutes(2));

  const data = await dataNamed(t, 'abc-0');
  assert.equal(await renderedBy(t, 'm0'), 'abc-0');
  assert.equal(data?.metadata.ownerReferences?.[0]?.uid, (await claimNamed(t, 'm0'))?.metadata.uid);
  assert.equal(await dataNamed(t, 'abc-1'), undefined, 'nobody uses it');
  await t.stop();
});
