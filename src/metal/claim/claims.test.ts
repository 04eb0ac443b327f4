import assert from 'node:assert/strict';
import { test } from 'node:test';
import { minutes, seconds } from '../../base/clock.ts';
import { Metal3Data } from '../../kinds/generated/metal3-data.generated.ts';
import { Metal3DataClaim } from '../../kinds/generated/metal3-data-claim.generated.ts';
import { Metal3DataTemplate } from '../../kinds/generated/metal3-data-template.generated.ts';
import { Metal3Machine } from '../../kinds/generated/metal3-machine.generated.ts';
import { METAL3_DATA_CLAIM_FINALIZER, METAL3_MACHINE_FINALIZER } from '../../kinds/metal-wire.ts';
import { DELETE_FOR_MOVE, PAUSED_ANNOTATION } from '../../kinds/wire.ts';
import type { ApiRequest, Transport } from '../../kube/transport.ts';
import {
  aClaim,
  aData,
  aDataTest,
  aMetal3Machine,
  aTemplate,
  claimNamed,
  claimOwner,
  dataNamed,
  datas,
  renderedBy,
  templateNamed,
} from '../data/data-world.testing.ts';
import { at, ownedBy, put, said } from '../objects.testing.ts';
import { dataTemplateController } from '../template/controller.ts';
import type { MetalTest } from '../workload/world.testing.ts';
import { dataClaimController } from './controller.ts';

const ONLY_OURS = { finalizers: [METAL3_DATA_CLAIM_FINALIZER] };

function run(t: MetalTest): void {
  t.run(dataTemplateController(), dataClaimController());
}

/** Answers 500 to what `isRefused` picks. */
const refusing =
  (isRefused: (request: ApiRequest) => boolean) =>
  (transport: Transport): Transport =>
  async request =>
    isRefused(request) ? { status: 500, headers: {}, body: new Uint8Array() } : transport(request);

test('metal-G7, metal-S8: a Data is made only for a claim whose finalizer is stored, so that one deleted in between leaks none', async () => {
  const t = await aDataTest(transport => async request => {
    if (request.method !== 'POST' || !request.path.endsWith('/metal3datas')) return transport(request);
    const answer = await transport(request);
    await t.api.delete(Metal3DataClaim, at('m0'));
    return answer;
  });
  await aTemplate(t);
  await aClaim(t, 'm0');

  run(t);
  await t.pass(seconds(1));

  assert.ok(
    t.writes.some(write => write.startsWith('POST') && write.endsWith('/metal3datas')),
    'a Data was made',
  );
  assert.equal(await claimNamed(t, 'm0'), undefined);
  assert.ok((await dataNamed(t, 'abc-0'))?.metadata.deletionTimestamp, 'it goes once its own controller has let go');
  await t.stop();
});

test('metal-G8, metal-g: a claim without Metal3Machine and one that the API refuses hold up no other', async () => {
  const t = await aDataTest(refusing(({ path }) => path.endsWith('/metal3dataclaims/refused')));
  await aTemplate(t);
  await put(t.api, Metal3DataClaim, 'alone', { spec: { template: { name: 'abc' } } });
  await aClaim(t, 'refused');
  await aClaim(t, 'good');
  await aClaim(t, 'going', { metadata: ONLY_OURS });
  await t.api.delete(Metal3DataClaim, at('going'));

  run(t);
  await t.pass(seconds(1));

  assert.equal(await renderedBy(t, 'good'), 'abc-0');
  assert.equal(await claimNamed(t, 'going'), undefined);
  const alone = await t.api.get(Metal3DataClaim, at('alone'));
  assert.equal(said(alone, 'Ready'), 'False NoMetal3Machine: Waiting for a Metal3Machine among its owners');
  assert.equal(alone.status?.errorMessage, undefined, 'a wait is never final');

  const machine = await aMetal3Machine(t, 'late');
  const ownerReferences = [ownedBy(Metal3Machine, machine)];
  await t.api.patch(Metal3DataClaim, at('alone'), { metadata: { ownerReferences } });
  await t.pass(0);

  assert.match(said(await t.api.get(Metal3DataClaim, at('alone')), 'Ready'), /^True /);
  await t.stop();
});

test('a claim whose Template comes later is served as soon as it is there', async () => {
  const t = await aDataTest();
  await aClaim(t, 'm0');
  run(t);
  await t.pass(seconds(1));
  const waiting = await t.api.get(Metal3DataClaim, at('m0'));

  await aTemplate(t);
  await t.pass(0);

  assert.equal(said(waiting, 'Ready'), 'False TemplateMissing: Waiting for Metal3DataTemplate abc');
  assert.equal(await renderedBy(t, 'm0'), 'abc-0');
  await t.stop();
});

test('metal-S7: a Template that is deleted while claims are unrendered serves them, and goes after them', async () => {
  const t = await aDataTest();
  await aTemplate(t, 'abc', {}, { finalizers: ['metal3datatemplate.infrastructure.cluster.x-k8s.io'] });
  await aClaim(t, 'm0');
  await t.api.delete(Metal3DataTemplate, at('abc'));

  run(t);
  await t.pass(seconds(1));
  const data = await renderedBy(t, 'm0');
  await t.api.patch(Metal3Data, at('abc-0'), { metadata: { finalizers: [METAL3_DATA_CLAIM_FINALIZER] } });
  await t.api.delete(Metal3DataClaim, at('m0'));
  await t.pass(seconds(1));

  assert.equal(data, 'abc-0');
  assert.equal(await templateNamed(t), undefined);
  assert.deepEqual(await datas(t), []);
  await t.stop();
});

test('metal-G4, metal-S10: with its Template gone by force a claim still lets its Data go, and itself', async () => {
  const t = await aDataTest();
  const claim = await aClaim(t, 'm0', { metadata: ONLY_OURS });
  await aData(t, 'abc-0', { index: 0, claim: 'm0', metadata: { ...ONLY_OURS, ownerReferences: [claimOwner(claim)] } });
  await t.api.delete(Metal3DataClaim, at('m0'));

  run(t);
  await t.pass(0);

  assert.equal(await claimNamed(t, 'm0'), undefined);
  assert.deepEqual(await datas(t), []);
  await t.stop();
});

test('metal-G6, metal-h: a claim stays while nobody can tell whether its Data is there, or its Data cannot be written', async () => {
  let isRefused = (request: ApiRequest) => request.method === 'GET' && request.path.endsWith('/metal3datas/hidden-7');
  const t = await aDataTest(refusing(request => isRefused(request)));
  await aClaim(t, 'unknown', { metadata: ONLY_OURS });
  await t.api.patch(
    Metal3DataClaim,
    at('unknown'),
    { status: { renderedData: { name: 'hidden-7' } } },
    { subresource: 'status' },
  );
  const claim = await aClaim(t, 'unwritten', { metadata: ONLY_OURS });
  await aData(t, 'abc-0', {
    index: 0,
    claim: 'unwritten',
    metadata: { ...ONLY_OURS, ownerReferences: [claimOwner(claim)] },
  });
  for (const name of ['unknown', 'unwritten']) await t.api.delete(Metal3DataClaim, at(name));
  run(t);
  await t.pass(seconds(1));
  const stayed = await claimNamed(t, 'unknown');

  isRefused = ({ method, path }) => method === 'DELETE' && path.endsWith('/metal3datas/abc-0');
  await t.pass(seconds(10));
  await t.api.patch(Metal3Data, at('abc-0'), { metadata: { finalizers: ['test/other'] } }).catch(() => undefined);

  assert.match(said(stayed ?? claim, 'Deleting'), /^True HTTP500/);
  assert.equal(await claimNamed(t, 'unknown'), undefined, 'it went once the API had answered');
  await t.stop();
});

test('a claim of the machine controller stays until that lets it go, and says so; its Data does not', async () => {
  const t = await aDataTest();
  await aTemplate(t);
  await aClaim(t, 'm0', { metadata: { finalizers: [METAL3_MACHINE_FINALIZER, METAL3_DATA_CLAIM_FINALIZER] } });
  run(t);
  await t.pass(seconds(1));
  const writes = t.writes.filter(write => write.includes('/metal3dataclaims/'));

  await t.api.delete(Metal3DataClaim, at('m0'));
  await t.pass(seconds(1));

  assert.equal(writes.length, 1, 'its finalizer was there: only the status was written');
  const claim = await t.api.get(Metal3DataClaim, at('m0'));
  assert.deepEqual(claim.metadata.finalizers, [METAL3_MACHINE_FINALIZER]);
  assert.match(said(claim, 'Deleting'), /^True InUse: Waiting for Metal3Machine m0, whose host runs with it/);
  assert.ok((await dataNamed(t, 'abc-0'))?.metadata.deletionTimestamp !== undefined);
  await t.stop();
});

test('metal-7.13: nothing is written to what clusterctl moves away, or for its sake', async () => {
  const t = await aDataTest();
  await aTemplate(t);
  const moved = { annotations: { [DELETE_FOR_MOVE]: '' } };
  await aClaim(t, 'm0', { metadata: moved });
  const gone = await aClaim(t, 'm1', { metadata: ONLY_OURS });
  await aData(t, 'abc-9', {
    index: 9,
    claim: 'm1',
    metadata: { ...ONLY_OURS, ...moved, ownerReferences: [claimOwner(gone)] },
  });
  await t.api.delete(Metal3DataClaim, at('m1'));
  run(t);

  await t.pass(minutes(1));

  assert.deepEqual((await dataNamed(t, 'abc-9'))?.metadata.finalizers, [METAL3_DATA_CLAIM_FINALIZER]);
  assert.match(said(await t.api.get(Metal3DataClaim, at('m1')), 'Deleting'), /^True DataLeftAlone: .*abc-9/);
  assert.deepEqual(
    t.writes.filter(write => write.includes('m0') || write.includes('abc-9')),
    [],
  );
  await t.stop();
});

test('metal-S18: a claim whose Template is paused is left alone, deletion included, until it is not', async () => {
  const t = await aDataTest();
  await aTemplate(t, 'abc', {}, { annotations: { [PAUSED_ANNOTATION]: '' } });
  await aClaim(t, 'm0', { metadata: ONLY_OURS });
  await t.api.delete(Metal3DataClaim, at('m0'));
  run(t);
  await t.pass(minutes(2));
  const paused = await t.api.get(Metal3DataClaim, at('m0'));

  await t.api.patch(Metal3DataTemplate, at('abc'), { metadata: { annotations: null } });
  await t.pass(0);

  assert.match(said(paused, 'Paused'), /^True Paused: .*of its Metal3DataTemplate/);
  assert.equal(await claimNamed(t, 'm0'), undefined);
  await t.stop();
});

test('100 claims get 100 different indexes, three writes each, and those of claims that go are given again', async () => {
  const t = await aDataTest();
  await aTemplate(t);
  for (let each = 0; each < 100; each++) await aClaim(t, `m${each}`);
  run(t);
  await t.pass(seconds(1));
  const writes = t.writes.filter(write => !write.includes('datatemplates')).length;
  for (let each = 0; each < 100; each += 3) {
    const data = (await renderedBy(t, `m${each}`)) ?? '';
    await t.api.patch(Metal3Data, at(data), { metadata: ONLY_OURS });
    await t.api.delete(Metal3DataClaim, at(`m${each}`));
  }
  await t.pass(seconds(1));
  for (let each = 100; each < 134; each++) await aClaim(t, `m${each}`);
  await t.pass(seconds(1));

  const { items } = await t.api.list(Metal3Data);
  assert.equal(writes, 300);
  assert.deepEqual(
    items.map(({ spec }) => spec?.index ?? -1).sort((one, other) => one - other),
    Array.from({ length: 100 }, (_, index) => index),
  );
  await t.stop();
});
