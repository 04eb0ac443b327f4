// Leases that a Data leaves as they are: paused ones, those that clusterctl moves, and those of a Data that it does not stand in for.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { minutes, seconds } from '../../base/clock.ts';
import { IPClaim } from '../../kinds/generated/ip-claim.generated.ts';
import { Metal3Data } from '../../kinds/generated/metal3-data.generated.ts';
import { Metal3DataClaim } from '../../kinds/generated/metal3-data-claim.generated.ts';
import { IP_CLAIM_FINALIZER, METAL3_DATA_FINALIZER } from '../../kinds/metal-wire.ts';
import { DELETE_FOR_MOVE, PAUSED_ANNOTATION } from '../../kinds/wire.ts';
import { Secret } from '../../kube/core/other.ts';
import { heldWatch } from '../../kube/held-watch.testing.ts';
import { at, ownedBy, put, said } from '../objects.testing.ts';
import type { MetalTest } from '../workload/world.testing.ts';
import { aData, aServedClaim, claimOwner, dataNamed, LABELS, renderedBy, secretText } from './data-world.testing.ts';
import { aRunningHost, LEASE, leaseOf, torn } from './running-host.testing.ts';

const ownerOfLease = async (t: MetalTest): Promise<string | undefined> =>
  (await leaseOf(t))?.metadata.ownerReferences?.[0]?.uid;

for (const annotation of [PAUSED_ANNOTATION, DELETE_FOR_MOVE]) {
  test(`a lease with ${annotation} is not written to, though it lost the finalizer of its Data, and is once that is off (metal-7.13)`, async () => {
    const t = await aRunningHost();
    const metadata = { annotations: { [annotation]: '' }, finalizers: [IP_CLAIM_FINALIZER] };
    await t.api.patch(IPClaim, at(LEASE), { metadata });
    await t.pass(minutes(2));
    const left = (await leaseOf(t))?.metadata.finalizers;

    await t.api.patch(IPClaim, at(LEASE), { metadata: { annotations: { [annotation]: null } } });
    await t.pass(seconds(1));

    assert.deepEqual(left, [IP_CLAIM_FINALIZER]);
    assert.deepEqual((await leaseOf(t))?.metadata.finalizers, [IP_CLAIM_FINALIZER, METAL3_DATA_FINALIZER]);
    await t.stop();
  });

  test(`a lease with ${annotation} is not taken over by a Data that is made again; it is once that is off (metal-S11, metal-7.13)`, async () => {
    const t = await aRunningHost();
    const before = await ownerOfLease(t);
    await t.api.patch(IPClaim, at(LEASE), { metadata: { annotations: { [annotation]: '' } } });
    await torn(t, Metal3Data, 'abc-0');
    await t.pass(minutes(2));
    const left = await ownerOfLease(t);
    const why = said(await t.api.get(Metal3Data, at('abc-0')), 'Ready');

    await t.api.patch(IPClaim, at(LEASE), { metadata: { annotations: { [annotation]: null } } });
    await t.pass(minutes(1));

    assert.equal(left, before);
    assert.match(why, new RegExp(`^False ClaimOfAnother: .*${LEASE}`));
    assert.equal(await ownerOfLease(t), (await dataNamed(t, 'abc-0'))?.metadata.uid);
    assert.equal((await dataNamed(t, 'abc-0'))?.status?.ready, true);
    await t.stop();
  });
}

test('another machine whose Data gets the name of a lost one does not get the address with which a host still runs (metal-S11, metal-h1)', async () => {
  const t = await aRunningHost();
  const before = await ownerOfLease(t);
  await t.halt();
  await torn(t, Metal3DataClaim, 'm0');
  await torn(t, Metal3Data, 'abc-0');
  const claim = await aServedClaim(t, 'm1');
  const machine = claim.metadata.ownerReferences ?? [];
  const metadata = { labels: LABELS, ownerReferences: [{ ...claimOwner(claim), controller: true }, ...machine] };
  // As upstream's manager makes it: its index is free as soon as no Data has it.
  await aData(t, 'abc-0', { index: 0, claim: 'm1', metadata });

  await t.restart();
  await t.pass(minutes(2));

  assert.equal(await renderedBy(t, 'm1'), 'abc-0');
  assert.match(said(await t.api.get(Metal3Data, at('abc-0')), 'Ready'), /^False ClaimOfAnother: .*abc-0-pool/);
  assert.equal(await ownerOfLease(t), before);
  assert.equal(await t.api.find(Secret, at('m1-metadata')), undefined);
  await t.stop();
});

test('a manager that does not see yet that a Data was made anew takes no lease from it (safe-1, metal-S11)', async () => {
  const watch = heldWatch('metal3datas');
  const t = await aRunningHost(watch.between);
  const { metadata, spec = {} } = await t.api.get(Metal3Data, at('abc-0'));
  const { labels = {}, ownerReferences = [], finalizers = [] } = metadata;
  const text = await secretText(t, 'm0-metadata');
  watch.close();
  await torn(t, Metal3Data, 'abc-0');
  const anew = await put(t.api, Metal3Data, 'abc-0', { metadata: { labels, ownerReferences, finalizers }, spec });
  const owners = [{ ...ownedBy(Metal3Data, anew), controller: true }];
  await t.api.patch(IPClaim, at(LEASE), { metadata: { ownerReferences: owners } });
  await t.api.delete(Secret, at('m0-metadata'));
  await t.pass(seconds(30));
  const meanwhile = await ownerOfLease(t);

  watch.open();
  await t.pass(minutes(2));

  assert.deepEqual([meanwhile, await ownerOfLease(t)], [anew.metadata.uid, anew.metadata.uid]);
  assert.equal((await dataNamed(t, 'abc-0'))?.status?.ready, true);
  assert.equal(await secretText(t, 'm0-metadata'), text);
  await t.stop();
});
