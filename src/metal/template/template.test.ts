import assert from 'node:assert/strict';
import { test } from 'node:test';
import { minutes, seconds } from '../../base/clock.ts';
import { Metal3Data } from '../../kinds/generated/metal3-data.generated.ts';
import { Metal3DataClaim } from '../../kinds/generated/metal3-data-claim.generated.ts';
import { Metal3DataTemplate } from '../../kinds/generated/metal3-data-template.generated.ts';
import { METAL3_DATA_CLAIM_FINALIZER, METAL3_DATA_TEMPLATE_FINALIZER } from '../../kinds/metal-wire.ts';
import { PAUSED_ANNOTATION } from '../../kinds/wire.ts';
import type { EventStream } from '../../kube/transport.ts';
import { aClaim, aData, aDataTest, aTemplate, templateNamed } from '../data/data-world.testing.ts';
import { at, put, said } from '../objects.testing.ts';
import type { MetalTest } from '../workload/world.testing.ts';
import { dataTemplateController } from './controller.ts';

async function running(): Promise<MetalTest> {
  const t = await aDataTest();
  t.run(dataTemplateController());
  return t;
}

const statusWrites = (t: MetalTest): number => t.writes.filter(write => write.endsWith('/abc/status')).length;

test('getIndexes (1): a Template without Datas lists none, and has its finalizer and a time', async () => {
  const t = await running();
  await aTemplate(t);

  await t.pass(seconds(1));

  const template = await templateNamed(t);
  assert.deepEqual(template?.metadata.finalizers, [METAL3_DATA_TEMPLATE_FINALIZER]);
  assert.deepEqual(template?.status, { lastUpdated: '2026-01-01T00:00:00Z' });
  await t.stop();
});

test('getIndexes (2): only Datas that name this Template and have a claim are listed', async () => {
  const t = await running();
  await aData(t, 'abc-0', { index: 0, claim: 'ours' });
  await aData(t, 'bcd-0', { index: 0, claim: 'of another template', template: 'bcd' });
  await put(t.api, Metal3Data, 'bbb-1', { spec: { index: 1, claim: { name: 'no template' } } });
  await put(t.api, Metal3Data, 'ccc-2', {
    spec: { index: 2, claim: { name: 'no name' }, template: { namespace: 'metal' } },
  });
  await aTemplate(t);

  await t.pass(seconds(1));

  assert.deepEqual((await templateNamed(t))?.status?.indexes, [{ name: 'ours', index: 0 }]);
  await t.stop();
});

test('metal-G9: Datas without claim or index keep their Template, though nothing of them can be listed', async () => {
  const t = await running();
  await put(t.api, Metal3Data, 'bare', { spec: { template: { name: 'abc' } } });
  await put(t.api, Metal3Data, 'abc-1', { spec: { index: 1, template: { name: 'abc' } } });
  await aTemplate(t);
  await t.pass(seconds(1));

  await t.api.delete(Metal3DataTemplate, at('abc'));
  await t.pass(seconds(2));
  const held = await templateNamed(t);
  await t.api.delete(Metal3Data, at('bare'));
  await t.api.delete(Metal3Data, at('abc-1'));
  await t.pass(0);

  assert.match(held === undefined ? '' : said(held, 'Deleting'), /^True InUse: Waiting for 2 Metal3Data that name it/);
  assert.equal(held?.status?.indexes, undefined);
  assert.equal(await templateNamed(t), undefined);
  await t.stop();
});

test('a Template with nothing left goes at once; a refused write is tried again', async () => {
  let refuse = true;
  const t = await aDataTest(transport => async request => {
    if (!refuse || request.method !== 'PATCH' || !request.path.endsWith('/abc')) return transport(request);
    return { status: 500, headers: {}, body: new Uint8Array() };
  });
  await aTemplate(t, 'abc', {}, { finalizers: [METAL3_DATA_TEMPLATE_FINALIZER] });
  await t.api.delete(Metal3DataTemplate, at('abc'));

  t.run(dataTemplateController());
  await t.pass(seconds(1));
  const kept = await templateNamed(t);
  refuse = false;
  await t.pass(seconds(5));

  assert.ok(kept !== undefined);
  assert.equal(await templateNamed(t), undefined);
  await t.stop();
});

test('metal-G1, metal-G5, metal-e: Claims and Datas that are being deleted keep their Template, and the last one wakes it', async () => {
  const t = await running();
  await aTemplate(t);
  await aClaim(t, 'm0', { metadata: { finalizers: [METAL3_DATA_CLAIM_FINALIZER] } });
  await aData(t, 'abc-0', { index: 0, claim: 'm0' });
  await t.pass(seconds(1));
  await t.api.delete(Metal3DataTemplate, at('abc'));
  await t.api.delete(Metal3DataClaim, at('m0'));
  await t.api.delete(Metal3Data, at('abc-0'));
  await t.pass(minutes(2));
  assert.ok((await templateNamed(t)) !== undefined, 'both are being deleted');

  await t.api.patch(Metal3Data, at('abc-0'), { metadata: { finalizers: null } });
  await t.pass(seconds(2));
  assert.match(
    said(await t.api.get(Metal3DataTemplate, at('abc')), 'Deleting'),
    /Metal3DataClaims that name it, among them m0/,
  );
  await t.api.patch(Metal3DataClaim, at('m0'), { metadata: { finalizers: null } });
  await t.pass(0);

  assert.equal(await templateNamed(t), undefined, 'by the event, not by a timer');
  await t.stop();
});

test('a paused Template is left alone, deletion included, and says so; afterwards it goes on', async () => {
  const t = await running();
  await aTemplate(t);
  await t.pass(seconds(1));
  await t.api.patch(Metal3DataTemplate, at('abc'), { metadata: { annotations: { [PAUSED_ANNOTATION]: 'true' } } });
  await aData(t, 'abc-0', { index: 0, claim: 'm0', metadata: { finalizers: [] } });
  await t.pass(seconds(2));
  const paused = await t.api.get(Metal3DataTemplate, at('abc'));
  await t.api.delete(Metal3Data, at('abc-0'));
  await t.api.delete(Metal3DataTemplate, at('abc'));
  await t.pass(minutes(1));
  const deleted = await templateNamed(t);

  await t.api.patch(Metal3DataTemplate, at('abc'), { metadata: { annotations: null } });
  await t.pass(0);

  assert.match(said(paused, 'Paused'), /^True Paused: /);
  assert.equal(paused.status?.indexes, undefined, 'no index was written');
  assert.ok(deleted !== undefined);
  assert.equal(await templateNamed(t), undefined);
  await t.stop();
});

test('metal-7.19: the status is written once a second at most, and only when something changed', async () => {
  const t = await running();
  await aTemplate(t);
  await t.pass(seconds(2));
  const before = statusWrites(t);

  for (let index = 0; index < 100; index++) {
    await aData(t, `abc-${index}`, { index, claim: `m${index}` });
    await t.pass(20);
  }
  await t.pass(seconds(2));
  const during = statusWrites(t) - before;
  await t.pass(minutes(30));

  assert.ok(during >= 2 && during <= 4, `${during} writes in 2 s`);
  assert.equal((await templateNamed(t))?.status?.indexes?.length, 100);
  assert.equal(statusWrites(t) - before, during, 'none at rest');
  await t.stop();
});

test('above 512 indexes the list is emptied, and a condition says how many there are', async () => {
  const t = await running();
  await aTemplate(t);
  for (let index = 0; index < 513; index++)
    await aData(t, `abc-${index}`, { index, claim: `m${index}`, metadata: { finalizers: [] } });
  await t.pass(seconds(2));
  const many = await t.api.get(Metal3DataTemplate, at('abc'));

  await t.api.delete(Metal3Data, at('abc-0'));
  await t.pass(seconds(2));

  const listed = await t.api.get(Metal3DataTemplate, at('abc'));
  assert.equal(many.status?.indexes, undefined);
  assert.equal(
    said(many, 'IndexesListed'),
    'False TooManyIndexes: 513 indexes are in use: more than 512 are not listed in status.indexes',
  );
  assert.equal(listed.status?.indexes?.length, 512);
  assert.match(said(listed, 'IndexesListed'), /^True /);
  await t.stop();
});

test('a Template, its Claims and its Datas in another namespace of the same names concern nobody here', async () => {
  const t = await running();
  await t.api.create(
    { group: '', version: 'v1', kind: 'Namespace', plural: 'namespaces', namespaced: false },
    {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: 'other' },
    },
  );
  await aTemplate(t);
  await put(t.api, Metal3DataClaim, 'm0', { metadata: { namespace: 'other' }, spec: { template: { name: 'abc' } } });
  await aData(t, 'abc-0', { index: 0, claim: 'm0', metadata: { namespace: 'other' } });
  await t.pass(seconds(1));

  await t.api.delete(Metal3DataTemplate, at('abc'));
  await t.pass(0);

  assert.equal(await templateNamed(t), undefined);
  await t.stop();
});

test('metal-e: a Claim that the cache has not heard of yet keeps its Template', async () => {
  const t = await aDataTest(transport => async request => {
    const response = await transport(request);
    const { stream } = response;
    return stream === undefined || !request.path.endsWith('/metal3dataclaims')
      ? response
      : { ...response, stream: silent(stream) };
  });
  t.run(dataTemplateController());
  await aTemplate(t);
  await t.pass(seconds(1));
  await aClaim(t, 'm0');

  await t.api.delete(Metal3DataTemplate, at('abc'));
  await t.pass(seconds(5));

  const held = await templateNamed(t);
  assert.deepEqual(held?.metadata.finalizers, [METAL3_DATA_TEMPLATE_FINALIZER]);
  await t.api.delete(Metal3DataClaim, at('m0'));
  await t.pass(seconds(2));
  assert.equal(await templateNamed(t), undefined);
  await t.stop();
});

/** A watch that has nothing to tell until it is closed. */
function silent(stream: EventStream): EventStream {
  const closed = Promise.withResolvers<undefined>();
  return {
    next: () => closed.promise,
    close: reason => {
      stream.close(reason);
      closed.resolve(undefined);
    },
  };
}
