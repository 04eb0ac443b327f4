// The upstream cases UpdateDatas, createData and deleteMetal3DataAndClaim, told through what the API holds.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seconds } from '../../base/clock.ts';
import { Metal3DataClaim } from '../../kinds/generated/metal3-data-claim.generated.ts';
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
  LABELS,
  renderedBy,
  templateNamed,
} from '../data/data-world.testing.ts';
import { aCluster, at, said } from '../objects.testing.ts';
import { dataTemplateController } from '../template/controller.ts';
import type { MetalTest } from '../workload/world.testing.ts';
import { dataClaimController } from './controller.ts';

const ONLY_OURS = { finalizers: [METAL3_DATA_CLAIM_FINALIZER] };

function run(t: MetalTest): void {
  t.run(dataTemplateController(), dataClaimController());
}

/** A Data that a Claim owns, with nothing but the Claim's finalizer. */
const owned = (t: MetalTest, name: string, index: number, claim: Metal3DataClaim) =>
  aData(t, name, {
    index,
    claim: claim.metadata.name,
    metadata: { ...ONLY_OURS, ownerReferences: [claimOwner(claim)] },
  });

async function rendered(t: MetalTest, claim: string, data: string): Promise<void> {
  const status = { renderedData: { name: data, namespace: 'metal' } };
  await t.api.patch(Metal3DataClaim, at(claim), { status }, { subresource: 'status' });
}

const indexes = async (t: MetalTest) => (await templateNamed(t))?.status?.indexes;

test('UpdateDatas (1): a Template without claims has no indexes', async () => {
  const t = await aDataTest();
  await aTemplate(t);
  run(t);

  await t.pass(seconds(2));

  assert.equal(await indexes(t), undefined);
  await t.stop();
});

test('UpdateDatas (2): each claim is served by what it owns, and a deleted one is let go whatever its Data is called', async () => {
  const t = await aDataTest();
  await aTemplate(t);
  const a = await aClaim(t, 'a');
  await owned(t, 'abc-0', 0, a);
  await aClaim(t, 'foreign', { template: 'other' });
  const b = await aClaim(t, 'b');
  await owned(t, 'abc-1', 1, b);
  await rendered(t, 'b', 'abc-1');
  const c = await aClaim(t, 'c', { metadata: ONLY_OURS });
  await owned(t, 'abc-3', 3, c);
  await rendered(t, 'c', 'abc-3');
  await aClaim(t, 'd', { metadata: ONLY_OURS });
  await aData(t, 'cdc-3', { index: 40, claim: 'd', metadata: ONLY_OURS });
  await rendered(t, 'd', 'cdc-3');
  for (const name of ['c', 'd']) await t.api.delete(Metal3DataClaim, at(name));

  run(t);
  await t.pass(seconds(2));

  assert.deepEqual(await indexes(t), [
    { name: 'a', index: 0 },
    { name: 'b', index: 1 },
  ]);
  assert.equal(await renderedBy(t, 'a'), 'abc-0');
  assert.deepEqual(await datas(t), ['abc-0 a', 'abc-1 b']);
  assert.equal(await claimNamed(t, 'c'), undefined);
  assert.equal(await claimNamed(t, 'd'), undefined);
  assert.equal(await renderedBy(t, 'foreign'), undefined);
  await t.stop();
});

test('UpdateDatas (3), metal-S21: two clusters share the indexes of one Template', async () => {
  const t = await aDataTest();
  await aTemplate(t);
  const labelled = (cluster: string) => ({ metadata: { labels: { 'cluster.x-k8s.io/cluster-name': cluster } } });
  await owned(t, 'abc-0', 0, await aClaim(t, 'a0', labelled('a')));
  await owned(t, 'abc-1', 1, await aClaim(t, 'b0', labelled('b')));
  await rendered(t, 'a0', 'abc-0');
  await rendered(t, 'b0', 'abc-1');
  await aClaim(t, 'a1', labelled('a'));

  run(t);
  await t.pass(seconds(1));

  assert.equal(await renderedBy(t, 'a1'), 'abc-2');
  assert.equal((await dataNamed(t, 'abc-2'))?.metadata.labels?.['cluster.x-k8s.io/cluster-name'], 'a');
  await t.stop();
});

test('UpdateDatas (4): nothing is written for a claim of a paused Cluster but that it is paused, until it is not', async () => {
  const t = await aDataTest();
  await aCluster(t.api, 'c', { paused: true });
  await aTemplate(t);
  await aClaim(t, 'm0');
  run(t);
  await t.pass(seconds(10));
  const paused = await t.api.get(Metal3DataClaim, at('m0'));

  await t.api.patch(
    { group: 'cluster.x-k8s.io', version: 'v1beta2', kind: 'Cluster', plural: 'clusters', namespaced: true },
    at('c'),
    {
      spec: { paused: false },
    },
  );
  await t.pass(0);

  assert.match(said(paused, 'Paused'), /^True Paused: .*its Cluster c has spec.paused/);
  assert.equal(paused.metadata.finalizers, undefined);
  assert.equal(await renderedBy(t, 'm0'), 'abc-0');
  assert.equal(said(await t.api.get(Metal3DataClaim, at('m0')), 'Paused'), 'False NotPaused: ');
  await t.stop();
});

test('createData (1): a claim that owns a Data gets no second one', async () => {
  const t = await aDataTest();
  await aTemplate(t);
  await owned(t, 'abc-0', 0, await aClaim(t, 'm0'));

  run(t);
  await t.pass(seconds(1));

  assert.deepEqual(await datas(t), ['abc-0 m0']);
  assert.equal(await renderedBy(t, 'm0'), 'abc-0');
  await t.stop();
});

test('createData (2): the first claim gets index 0, with exactly two owners and both finalizers', async () => {
  const t = await aDataTest();
  await aTemplate(t);
  const claim = await aClaim(t, 'm0');

  run(t);
  await t.pass(seconds(1));

  const data = await dataNamed(t, 'abc-0');
  const owners = data?.metadata.ownerReferences?.map(({ kind, name, uid, controller }) => ({
    kind,
    name,
    uid,
    controller,
  }));
  const [machine] = claim.metadata.ownerReferences ?? [];
  assert.deepEqual(owners, [
    { kind: 'Metal3DataClaim', name: 'm0', uid: claim.metadata.uid, controller: true },
    { kind: 'Metal3Machine', name: 'm0', uid: machine?.uid, controller: undefined },
  ]);
  assert.deepEqual(data?.spec, {
    index: 0,
    claim: { name: 'm0', namespace: 'metal' },
    template: { name: 'abc', namespace: 'metal' },
  });
  assert.deepEqual(data?.metadata.labels, LABELS);
  assert.deepEqual((await claimNamed(t, 'm0'))?.metadata.finalizers, [METAL3_DATA_CLAIM_FINALIZER]);
  await t.stop();
});

test('createData (3): an index in use is passed over', async () => {
  const t = await aDataTest();
  await aTemplate(t);
  await aData(t, 'abc-0', { index: 0, claim: 'bcd' });
  await aClaim(t, 'm0');

  run(t);
  await t.pass(seconds(1));

  assert.equal(await renderedBy(t, 'm0'), 'abc-1');
  await t.stop();
});

test('createData (4): a name that is taken unseen costs one try, not 30 s', async () => {
  const t = await aDataTest(transport => {
    let isHidden = true;
    return async request => {
      // Another manager makes abc-0 in the instant before ours.
      if (isHidden && request.method === 'POST' && request.path.endsWith('/metal3datas')) {
        isHidden = false;
        await aData(t, 'abc-0', { index: 0, claim: 'of another' });
      }
      return transport(request);
    };
  });
  await aTemplate(t);
  await aClaim(t, 'm0');

  run(t);
  await t.pass(0);

  assert.equal(await renderedBy(t, 'm0'), 'abc-1');
  assert.deepEqual(await datas(t), ['abc-0 of another', 'abc-1 m0']);
  await t.stop();
});

test('createData (5): the lowest gap is filled, and the list stays sorted', async () => {
  const t = await aDataTest();
  await aTemplate(t);
  for (const index of [0, 2, 3]) await aData(t, `abc-${index}`, { index, claim: `of ${index}` });
  await aClaim(t, 'm0');

  run(t);
  await t.pass(seconds(2));

  assert.equal(await renderedBy(t, 'm0'), 'abc-1');
  assert.deepEqual(
    (await indexes(t))?.map(({ index }) => index),
    [0, 1, 2, 3],
  );
  await t.stop();
});

test('deleteMetal3DataAndClaim (1), (3): a claim without Data, known to a Template or not, just goes', async () => {
  const t = await aDataTest();
  await aTemplate(t);
  for (const name of ['unknown', 'listed']) await aClaim(t, name, { metadata: ONLY_OURS });
  await rendered(t, 'listed', 'abc-0');
  for (const name of ['unknown', 'listed']) await t.api.delete(Metal3DataClaim, at(name));

  run(t);
  await t.pass(seconds(1));

  assert.equal(await claimNamed(t, 'unknown'), undefined);
  assert.equal(await claimNamed(t, 'listed'), undefined);
  await t.stop();
});

test('deleteMetal3DataAndClaim (2), (4), (5): its own Data goes, also one renamed, and those of others stay', async () => {
  const t = await aDataTest();
  await aTemplate(t);
  const listed = await aClaim(t, 'listed', { metadata: ONLY_OURS });
  await owned(t, 'abc-0', 0, listed);
  await aClaim(t, 'renamed', { metadata: ONLY_OURS });
  await aData(t, 'error-42', { index: 42, claim: 'renamed', metadata: ONLY_OURS });
  await rendered(t, 'renamed', 'error-42');
  const other = await aClaim(t, 'other');
  await owned(t, 'abc-1', 1, other);
  for (const name of ['listed', 'renamed']) await t.api.delete(Metal3DataClaim, at(name));

  run(t);
  await t.pass(seconds(2));

  assert.deepEqual(await datas(t), ['abc-1 other']);
  assert.deepEqual(await indexes(t), [{ name: 'other', index: 1 }]);
  assert.equal(await claimNamed(t, 'listed'), undefined);
  assert.equal(await claimNamed(t, 'renamed'), undefined);
  await t.stop();
});
