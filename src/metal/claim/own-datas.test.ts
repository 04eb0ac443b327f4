import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seconds } from '../../base/clock.ts';
import { Metal3Data } from '../../kinds/generated/metal3-data.generated.ts';
import { Metal3DataClaim } from '../../kinds/generated/metal3-data-claim.generated.ts';
import { Metal3DataTemplate } from '../../kinds/generated/metal3-data-template.generated.ts';
import { METAL3_DATA_CLAIM_FINALIZER } from '../../kinds/metal-wire.ts';
import {
  aClaim,
  aData,
  aDataTest,
  aTemplate,
  claimNamed,
  claimOwner,
  dataNamed,
  datas,
  renderedBy,
  templateNamed,
} from '../data/data-world.testing.ts';
import { at, ownedBy } from '../objects.testing.ts';
import { dataTemplateController } from '../template/controller.ts';
import type { MetalTest } from '../workload/world.testing.ts';
import { dataClaimController } from './controller.ts';

const ONLY_OURS = { finalizers: [METAL3_DATA_CLAIM_FINALIZER] };

function run(t: MetalTest): void {
  t.run(dataTemplateController(), dataClaimController());
}

test('metal-G11: of two Datas of one claim the one in use stays, and both go with the claim', async () => {
  const t = await aDataTest();
  await aTemplate(t);
  const claim = await aClaim(t, 'm0', { metadata: ONLY_OURS });
  const two = { ...ONLY_OURS, ownerReferences: [claimOwner(claim)] };
  await aData(t, 'abc-1', {
    index: 1,
    claim: 'm0',
    metadata: { ...two, finalizers: [...two.finalizers, 'test/still-here'] },
  });
  await aData(t, 'abc-4', { index: 4, claim: 'm0', metadata: two });
  await t.api.patch(
    Metal3DataClaim,
    at('m0'),
    { status: { renderedData: { name: 'abc-1' } } },
    { subresource: 'status' },
  );

  run(t);
  await t.pass(0);
  const kept = await datas(t);
  await aData(t, 'abc-5', { index: 5, claim: 'm0', metadata: two });
  await t.api.delete(Metal3DataClaim, at('m0'));
  await t.pass(0);

  assert.deepEqual(kept, ['abc-1 m0']);
  assert.equal(await claimNamed(t, 'm0'), undefined);
  assert.deepEqual((await dataNamed(t, 'abc-1'))?.metadata.finalizers, ['test/still-here']);
  assert.equal(await dataNamed(t, 'abc-5'), undefined);
  await t.stop();
});

test('metal-G11: all Datas of a claim that is deleted go before it', async () => {
  const t = await aDataTest();
  const claim = await aClaim(t, 'm0', { metadata: ONLY_OURS });
  const metadata = { ...ONLY_OURS, ownerReferences: [claimOwner(claim)] };
  for (const index of [1, 4, 5]) await aData(t, `abc-${index}`, { index, claim: 'm0', metadata });
  await t.api.delete(Metal3DataClaim, at('m0'));

  run(t);
  await t.pass(0);

  assert.deepEqual(await datas(t), []);
  assert.equal(await claimNamed(t, 'm0'), undefined);
  await t.stop();
});

test('metal-G14, metal-S22, metal-7.1, metal-f: a claim of an old name takes over neither the Data nor the index of the old one', async () => {
  const t = await aDataTest();
  await aTemplate(t);
  const owner = {
    apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta2',
    kind: 'Metal3DataClaim',
    name: 'm0',
    uid: 'of-before',
  };
  await aData(t, 'abc-0', { index: 0, claim: 'm0', metadata: { ownerReferences: [owner] }, status: { ready: true } });
  await aClaim(t, 'm0');

  run(t);
  await t.pass(seconds(1));

  assert.equal(await renderedBy(t, 'm0'), 'abc-1');
  assert.equal((await dataNamed(t, 'abc-0'))?.metadata.ownerReferences?.[0]?.uid, 'of-before');
  await t.stop();
});

test('metal-S25: a Data whose controller is the Template gets its claim for controller, in one write', async () => {
  const t = await aDataTest();
  const template = await aTemplate(t);
  const claim = await aClaim(t, 'm0');
  const [machine] = claim.metadata.ownerReferences ?? [];
  const byTemplate = { ...ownedBy(Metal3DataTemplate, template), controller: true, blockOwnerDeletion: true };
  const ownerReferences = [byTemplate, claimOwner(claim), ...(machine === undefined ? [] : [machine])];
  await aData(t, 'abc-0', { index: 0, claim: 'm0', metadata: { ownerReferences } });

  run(t);
  await t.pass(seconds(1));

  const data = await dataNamed(t, 'abc-0');
  const owners = data?.metadata.ownerReferences?.map(({ kind, controller }) => `${kind} ${controller ?? false}`).sort();
  assert.deepEqual(owners, ['Metal3DataClaim true', 'Metal3DataTemplate false', 'Metal3Machine false']);
  assert.equal(t.writes.filter(write => write.startsWith('PATCH') && write.endsWith('/metal3datas/abc-0')).length, 1);
  assert.equal(await renderedBy(t, 'm0'), 'abc-0');
  await t.stop();
});

test('metal-S25, metal-7.14, metal-7.15: a Data named after a templateReference is found by what its claim says of it', async () => {
  const t = await aDataTest();
  await aTemplate(t);
  const claim = await aClaim(t, 'm0', { metadata: ONLY_OURS });
  await aData(t, 'reference-7', { index: 7, claim: 'm0', metadata: ONLY_OURS });
  await t.api.patch(
    Metal3DataClaim,
    at('m0'),
    { status: { renderedData: { name: 'reference-7' } } },
    { subresource: 'status' },
  );

  run(t);
  await t.pass(seconds(1));
  const kept = await dataNamed(t, 'reference-7');
  await t.api.delete(Metal3DataClaim, at('m0'));
  await t.pass(0);
  await t.api.delete(Metal3DataTemplate, at('abc'));
  await t.pass(0);

  assert.equal(kept?.metadata.ownerReferences?.[0]?.uid, claim.metadata.uid);
  assert.deepEqual(await datas(t), []);
  assert.equal(await templateNamed(t), undefined);
  await t.stop();
});

test('metal-S11: a Data that is removed by force frees its index, and its claim gets one of the same index', async () => {
  const t = await aDataTest();
  await aTemplate(t);
  const byIndex: string[] = [];
  run(t);
  for (const name of ['m0', 'm1']) {
    await aClaim(t, name);
    await t.pass(seconds(1));
    byIndex.push((await renderedBy(t, name)) ?? '');
  }
  // A lower index is free by then.
  await t.api.patch(Metal3Data, at('abc-0'), { metadata: ONLY_OURS });
  await t.api.delete(Metal3DataClaim, at('m0'));
  await t.pass(seconds(1));
  const old = await t.api.get(Metal3Data, at('abc-1'));

  await t.api.patch(Metal3Data, at('abc-1'), { metadata: { finalizers: null } });
  await t.api.delete(Metal3Data, at('abc-1'));
  await t.pass(0);

  assert.deepEqual(byIndex, ['abc-0', 'abc-1']);
  assert.deepEqual(await datas(t), ['abc-1 m1']);
  assert.notEqual((await t.api.get(Metal3Data, at('abc-1'))).metadata.uid, old.metadata.uid);
  assert.equal(await renderedBy(t, 'm1'), 'abc-1');
  await t.stop();
});

test('metal-f: a Data that names a claim, but has no owner and is not named in turn, is not taken over', async () => {
  const t = await aDataTest();
  await aTemplate(t);
  await aClaim(t, 'm0');
  await aData(t, 'abc-0', { index: 0, claim: 'm0' });

  run(t);
  await t.pass(seconds(1));

  assert.equal(await renderedBy(t, 'm0'), 'abc-1');
  assert.equal((await dataNamed(t, 'abc-0'))?.metadata.ownerReferences, undefined);
  await t.stop();
});

test('a Data that is deleted before it is ready makes way for another', async () => {
  const t = await aDataTest();
  await aTemplate(t);
  await aClaim(t, 'm0');
  run(t);
  await t.pass(seconds(1));

  await t.api.delete(Metal3Data, at('abc-0'));
  await t.pass(0);

  assert.equal(await renderedBy(t, 'm0'), 'abc-1');
  assert.deepEqual((await dataNamed(t, 'abc-0'))?.metadata.finalizers, ['metal3data.infrastructure.cluster.x-k8s.io']);
  await t.stop();
});
