// What a Claim's controller leaves alone: Templates that are not ready for it or go elsewhere, Datas of others, or of a move.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { minutes, seconds } from '../../base/clock.ts';
import { Metal3Data } from '../../kinds/generated/metal3-data.generated.ts';
import { Metal3DataClaim } from '../../kinds/generated/metal3-data-claim.generated.ts';
import { Metal3DataTemplate } from '../../kinds/generated/metal3-data-template.generated.ts';
import { METAL3_DATA_CLAIM_FINALIZER, METAL3_DATA_TEMPLATE_FINALIZER } from '../../kinds/metal-wire.ts';
import { DELETE_FOR_MOVE, PAUSED_ANNOTATION } from '../../kinds/wire.ts';
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
} from '../data/data-world.testing.ts';
import { at, said } from '../objects.testing.ts';
import type { MetalTest } from '../workload/world.testing.ts';
import { dataClaimController } from './controller.ts';

const ONLY_OURS = { finalizers: [METAL3_DATA_CLAIM_FINALIZER] };
const KEPT = { finalizers: [METAL3_DATA_TEMPLATE_FINALIZER] };
const MOVED = { annotations: { [DELETE_FOR_MOVE]: '' } };

const noted = (t: MetalTest, claim: string, name: string): Promise<Metal3DataClaim> =>
  t.api.patch(Metal3DataClaim, at(claim), { status: { renderedData: { name } } }, { subresource: 'status' });

test('no Data is made of a Template before that is protected, for it could go under the Data (metal-b)', async () => {
  const t = await aDataTest();
  await aTemplate(t);
  await aClaim(t, 'm0');
  t.run(dataClaimController());
  await t.pass(minutes(2));
  const before = [await datas(t), said(await t.api.get(Metal3DataClaim, at('m0')), 'Ready')];

  await t.api.patch(Metal3DataTemplate, at('abc'), { metadata: KEPT });
  await t.pass(0);

  assert.deepEqual(before, [[], 'False InProgress: Waiting for Metal3DataTemplate abc to be looked after']);
  assert.deepEqual(await datas(t), ['abc-0 m0']);
  await t.stop();
});

test('of a Template that clusterctl moves away no Data is made, and the Claim says why (metal-7.13)', async () => {
  const t = await aDataTest();
  await aTemplate(t, 'abc', {}, { ...KEPT, ...MOVED });
  await aClaim(t, 'm0');

  t.run(dataClaimController());
  await t.pass(minutes(2));

  assert.deepEqual(await datas(t), []);
  assert.match(said(await t.api.get(Metal3DataClaim, at('m0')), 'Ready'), /^False TemplateMoves: .*abc/);
  await t.stop();
});

test('a Data that is too many is left alone while clusterctl moves it away, or while it is paused; the one in use stays it (metal-7.13, metal-G11)', async () => {
  const t = await aDataTest();
  await aTemplate(t, 'abc', {}, KEPT);
  const claim = await aClaim(t, 'm0', { metadata: ONLY_OURS });
  const metadata = { ...ONLY_OURS, ownerReferences: [claimOwner(claim)] };
  await aData(t, 'abc-0', { index: 0, claim: 'm0', metadata: { ...metadata, ...MOVED }, status: { ready: true } });
  await aData(t, 'abc-1', { index: 1, claim: 'm0', metadata, status: { ready: true } });
  const going = await aClaim(t, 'm2', { metadata: ONLY_OURS });
  const annotations = { [PAUSED_ANNOTATION]: '' };
  const paused = { ...ONLY_OURS, annotations, ownerReferences: [claimOwner(going)] };
  await aData(t, 'abc-2', { index: 2, claim: 'm2', metadata: paused });
  await noted(t, 'm0', 'abc-1');
  await t.api.delete(Metal3DataClaim, at('m2'));

  t.run(dataClaimController());
  await t.pass(minutes(2));

  assert.equal(await renderedBy(t, 'm0'), 'abc-1');
  for (const name of ['abc-0', 'abc-1', 'abc-2']) {
    const data = await dataNamed(t, name);
    assert.deepEqual(
      [data?.metadata.finalizers, data?.metadata.deletionTimestamp],
      [[METAL3_DATA_CLAIM_FINALIZER], undefined],
    );
  }
  assert.match(said(await t.api.get(Metal3DataClaim, at('m2')), 'Deleting'), /^True DataLeftAlone: .*abc-2.*paused/);
  await t.stop();
});

test('a Claim that is deleted waits for its Data while clusterctl moves that away, which is not written to (metal-7.13)', async () => {
  const t = await aDataTest();
  await aTemplate(t, 'abc', {}, KEPT);
  const claim = await aClaim(t, 'm0', { metadata: ONLY_OURS });
  await aData(t, 'abc-0', { index: 0, claim: 'm0', metadata: { ...MOVED, ownerReferences: [claimOwner(claim)] } });
  const before = await t.api.get(Metal3Data, at('abc-0'));
  await t.api.delete(Metal3DataClaim, at('m0'));

  t.run(dataClaimController());
  await t.pass(minutes(2));

  assert.equal((await dataNamed(t, 'abc-0'))?.metadata.resourceVersion, before.metadata.resourceVersion);
  assert.deepEqual((await claimNamed(t, 'm0'))?.metadata.finalizers, [METAL3_DATA_CLAIM_FINALIZER]);
  assert.match(said(await t.api.get(Metal3DataClaim, at('m0')), 'Deleting'), /^True DataLeftAlone: .*abc-0.*moved/);
  await t.stop();
});

test('a Data of the name that a Claim has noted is another Claim\u2019s: it is neither let go of nor taken (metal-f, metal-7.1)', async () => {
  const t = await aDataTest();
  await aTemplate(t, 'abc', {}, KEPT);
  const other = await aClaim(t, 'other', { metadata: ONLY_OURS });
  const metadata = { ...ONLY_OURS, ownerReferences: [claimOwner(other)] };
  const before = await aData(t, 'abc-7', { index: 7, claim: 'other', metadata, status: { ready: true } });
  await noted(t, 'other', 'abc-7');
  for (const name of ['stays', 'goes']) {
    await aClaim(t, name, { metadata: ONLY_OURS });
    await noted(t, name, 'abc-7');
  }
  await t.api.delete(Metal3DataClaim, at('goes'));

  t.run(dataClaimController());
  await t.pass(seconds(2));

  const now = await t.api.get(Metal3Data, at('abc-7'));
  assert.deepEqual(
    [now.metadata.uid, now.metadata.deletionTimestamp, now.metadata.finalizers],
    [before.metadata.uid, undefined, [METAL3_DATA_CLAIM_FINALIZER]],
  );
  assert.equal(await claimNamed(t, 'goes'), undefined);
  assert.equal(await renderedBy(t, 'stays'), 'abc-0');
  assert.equal(await renderedBy(t, 'other'), 'abc-7');
  await t.stop();
});

test('a Claim that is taken away while its Data cannot be made holds no index afterwards', async () => {
  let isFirst = true;
  const t: MetalTest = await aDataTest(next => async request => {
    if (!isFirst || request.method !== 'POST' || !request.path.endsWith('/metal3datas')) return next(request);
    isFirst = false;
    await t.api.patch(Metal3DataClaim, at('m0'), { metadata: { finalizers: null } });
    await t.api.delete(Metal3DataClaim, at('m0'));
    return { status: 500, headers: {}, body: new Uint8Array() };
  });
  await aTemplate(t, 'abc', {}, KEPT);
  await aClaim(t, 'm0');
  t.run(dataClaimController());
  await t.pass(minutes(1));

  await aClaim(t, 'm1');
  await t.pass(seconds(1));

  assert.deepEqual(await datas(t), ['abc-0 m1']);
  await t.stop();
});
