import assert from 'node:assert/strict';
import { test } from 'node:test';
import { minutes, seconds } from '../../base/clock.ts';
import { Cluster } from '../../kinds/generated/cluster.generated.ts';
import { IPAddressClaim } from '../../kinds/generated/ip-address-claim.generated.ts';
import { IPClaim } from '../../kinds/generated/ip-claim.generated.ts';
import { Metal3Data } from '../../kinds/generated/metal3-data.generated.ts';
import { Metal3DataClaim } from '../../kinds/generated/metal3-data-claim.generated.ts';
import { Metal3DataTemplate } from '../../kinds/generated/metal3-data-template.generated.ts';
import {
  DATA_NAME_LABEL,
  IP_CLAIM_FINALIZER,
  METAL3_DATA_CLAIM_FINALIZER,
  METAL3_DATA_FINALIZER,
} from '../../kinds/metal-wire.ts';
import { DELETE_FOR_MOVE } from '../../kinds/wire.ts';
import { Secret } from '../../kube/core/other.ts';
import type { OwnerReference } from '../../kube/object.ts';
import type { ApiRequest } from '../../kube/transport.ts';
import { aCluster, at, ownedBy, put, said } from '../objects.testing.ts';
import type { MetalTest } from '../workload/world.testing.ts';
import { dataController } from './controller.ts';
import { aClaim, aData, aDataTest, assertNoneOf, claimOwner, dataNamed, LABELS } from './data-world.testing.ts';

const LEASE = [METAL3_DATA_FINALIZER, IP_CLAIM_FINALIZER];
const GONE = {
  apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta2',
  kind: 'Metal3DataClaim',
  name: 'm0',
  uid: 'gone',
};

/** A world whose controller is started by `run`, over what is there by then. */
const aWorld = (isRefused: (request: ApiRequest) => boolean = () => false): Promise<MetalTest> =>
  aDataTest(
    transport => async request =>
      isRefused(request) ? { status: 500, headers: {}, body: new Uint8Array() } : transport(request),
  );

const run = (t: MetalTest): void => t.run(dataController());

const ownedData = (t: MetalTest, owner: OwnerReference, more: Partial<Parameters<typeof aData>[2]> = {}) =>
  aData(t, 'abc-0', { index: 0, claim: owner.name, metadata: { labels: LABELS, ownerReferences: [owner] }, ...more });

const lease = (t: MetalTest, name: string, metadata: IPClaim['metadata'] | object) =>
  put(t.api, IPClaim, name, { metadata: { finalizers: LEASE, ...metadata }, spec: { pool: { name: 'pool' } } });

const finalizersOf = async (t: MetalTest, name: string) => (await t.api.find(IPClaim, at(name)))?.metadata.finalizers;

test('metal-G1, metal-S3, Data controller (claim still present): a Data stays while its claim is there, says so, and its end wakes it', async () => {
  const t = await aWorld();
  const claim = await aClaim(t, 'm0', { metadata: { finalizers: ['test/held'] } });
  await ownedData(t, claimOwner(claim));
  await lease(t, 'abc-0-pool', { ownerReferences: [ownedBy(Metal3Data, (await dataNamed(t, 'abc-0')) ?? claim)] });
  await t.api.delete(Metal3Data, at('abc-0'));
  run(t);
  await t.pass(minutes(5));
  const stays = await t.api.get(Metal3Data, at('abc-0'));
  const held = await finalizersOf(t, 'abc-0-pool');

  await t.api.delete(Metal3DataClaim, at('m0'));
  await t.api.patch(Metal3DataClaim, at('m0'), { metadata: { finalizers: null } });
  await t.pass(0);

  assert.equal(said(stays, 'Deleting'), 'True InUse: Waiting for Metal3DataClaim m0, whose data this is, to go');
  assert.deepEqual(held, LEASE, 'the address of a host in use is kept');
  assert.equal(await dataNamed(t, 'abc-0'), undefined);
  assert.deepEqual(await finalizersOf(t, 'abc-0-pool'), [IP_CLAIM_FINALIZER]);
  await t.stop();
});

test('on the ordinary path absence is an event: no live read, and nothing is written but what has to go', async () => {
  const gets: string[] = [];
  const t = await aWorld(({ method, path, query }) => {
    if (method === 'GET' && path.includes('/namespaces/') && !query.includes('watch')) gets.push(path);
    return false;
  });
  const claim = await aClaim(t, 'm0', { metadata: { finalizers: ['test/held'] } });
  await ownedData(t, claimOwner(claim), { status: { ready: true } });
  run(t);
  await t.pass(0);
  await t.api.delete(Metal3DataClaim, at('m0'));
  await t.pass(0);
  await t.api.delete(Metal3Data, at('abc-0'));
  await t.pass(seconds(1));

  await t.api.patch(Metal3DataClaim, at('m0'), { metadata: { finalizers: null } });
  await t.pass(0);

  assert.equal(await dataNamed(t, 'abc-0'), undefined);
  assert.deepEqual(gets, []);
  assert.deepEqual(t.writes, [
    'PATCH /apis/infrastructure.cluster.x-k8s.io/v1beta2/namespaces/metal/metal3datas/abc-0',
  ]);
  await t.stop();
});

test('metal-G2, metal-G10, metal-S17, metal-d, metal-i, release (ten claims): with Template, pool, machine and Cluster gone every lease is let go by its owner’s UID', async () => {
  const t = await aWorld();
  const data = await ownedData(t, GONE);
  const ownerReferences = [ownedBy(Metal3Data, data)];
  const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'named-by-an-annotation'];
  for (const name of names) await lease(t, name, { ownerReferences });
  const poolRef = { name: 'p', kind: 'InClusterIPPool', apiGroup: 'ipam.cluster.x-k8s.io' };
  const capi = { finalizers: [METAL3_DATA_FINALIZER], ownerReferences };
  await put(t.api, IPAddressClaim, 'capi', { metadata: capi, spec: { poolRef } });
  await lease(t, 'labelled', { labels: { [DATA_NAME_LABEL]: 'abc-0' } });
  await lease(t, 'of another', {
    ownerReferences: [{ ...ownedBy(Metal3Data, data), uid: 'other', name: 'abc-1' }],
  }).catch(() => undefined);

  await t.api.delete(Metal3Data, at('abc-0'));
  run(t);
  await t.pass(0);

  assert.equal(await dataNamed(t, 'abc-0'), undefined);
  for (const name of [...names, 'labelled']) assert.deepEqual(await finalizersOf(t, name), [IP_CLAIM_FINALIZER], name);
  await assertNoneOf(t, [IPAddressClaim]);
  await t.stop();
});

test('release: only leases of this Data and of this namespace are let go (metal-7.3)', async () => {
  const t = await aWorld();
  const data = await ownedData(t, GONE);
  await t.api.create(
    { group: '', version: 'v1', kind: 'Namespace', plural: 'namespaces', namespaced: false },
    {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: 'other' },
    },
  );
  await lease(t, 'abc-0-pool', { namespace: 'other', labels: { [DATA_NAME_LABEL]: 'abc-0' } });
  const later = { ...ownedBy(Metal3Data, data), name: 'abc-00' };
  await lease(t, 'abc-00-pool', {
    labels: { [DATA_NAME_LABEL]: 'abc-0' },
    ownerReferences: [{ ...later, uid: 'other' }],
  });
  const lookalike = await aData(t, 'abc-00', { index: 9 });
  await t.api.patch(IPClaim, at('abc-00-pool'), { metadata: { ownerReferences: [ownedBy(Metal3Data, lookalike)] } });

  await t.api.delete(Metal3Data, at('abc-0'));
  run(t);
  await t.pass(0);

  assert.equal(await dataNamed(t, 'abc-0'), undefined);
  assert.deepEqual((await t.api.get(IPClaim, at('abc-0-pool', 'other'))).metadata.finalizers, LEASE);
  assert.deepEqual(await finalizersOf(t, 'abc-00-pool'), LEASE);
  await t.stop();
});

test('release (delete failure, metal-h): our finalizer is off, the Data stays and says why, and the next try ends it', async () => {
  let isBroken = true;
  const t = await aWorld(
    ({ method, path }) => isBroken && method === 'DELETE' && path.endsWith('/ipclaims/abc-0-pool'),
  );
  const data = await ownedData(t, GONE);
  await lease(t, 'abc-0-pool', { ownerReferences: [ownedBy(Metal3Data, data)] });
  await lease(t, 'abc-0-other', { ownerReferences: [ownedBy(Metal3Data, data)] });
  await t.api.delete(Metal3Data, at('abc-0'));
  run(t);
  await t.pass(seconds(1));
  const stays = await t.api.get(Metal3Data, at('abc-0'));
  const stripped = await finalizersOf(t, 'abc-0-pool');
  const sibling = await t.api.find(IPClaim, at('abc-0-other'));

  isBroken = false;
  await t.pass(minutes(1));

  assert.match(said(stays, 'Deleting'), /^True HTTP500: /);
  assert.deepEqual(stripped, [IP_CLAIM_FINALIZER]);
  assert.notEqual(sibling?.metadata.deletionTimestamp, undefined, 'metal-g: its sibling is released all the same');
  assert.equal(await dataNamed(t, 'abc-0'), undefined);
  await t.stop();
});

test('metal-7.4: while leases cannot be listed a Data is not let go', async () => {
  let isBroken = true;
  const t = await aWorld(({ method, path }) => isBroken && method === 'GET' && path.endsWith('/ipclaims'));
  const data = await ownedData(t, GONE);
  await lease(t, 'abc-0-pool', { ownerReferences: [ownedBy(Metal3Data, data)] });
  await t.api.delete(Metal3Data, at('abc-0'));
  run(t);
  await t.pass(minutes(2));
  const stays = await dataNamed(t, 'abc-0');
  const untouched = await finalizersOf(t, 'abc-0-pool');

  isBroken = false;
  await t.pass(minutes(1));

  assert.ok(stays !== undefined);
  assert.deepEqual(untouched, LEASE);
  assert.equal(await dataNamed(t, 'abc-0'), undefined);
  await t.stop();
});

test('metal-G3, metal-S9, metal-c: a Data whose claim was removed by force, and which no host or machine uses, goes, both finalizers at once', async () => {
  const t = await aWorld();
  const claim = await aClaim(t, 'm0', { metadata: { finalizers: [METAL3_DATA_CLAIM_FINALIZER] } });
  const data = await ownedData(t, claimOwner(claim), { status: { ready: true } });
  await lease(t, 'abc-0-pool', { ownerReferences: [ownedBy(Metal3Data, data)] });
  run(t);
  await t.pass(0);

  await t.api.patch(Metal3DataClaim, at('m0'), { metadata: { finalizers: null } });
  await t.api.delete(Metal3DataClaim, at('m0'));
  await t.pass(0);

  assert.equal(await dataNamed(t, 'abc-0'), undefined);
  assert.deepEqual(await finalizersOf(t, 'abc-0-pool'), [IP_CLAIM_FINALIZER]);
  await t.stop();
});

test('metal-G3: a claim that bears the old name is another: it neither keeps the Data nor is it read as its claim', async () => {
  const t = await aWorld();
  await aClaim(t, 'm0');
  await ownedData(t, GONE, { status: { ready: true } });

  run(t);
  await t.pass(0);

  assert.equal(await dataNamed(t, 'abc-0'), undefined);
  await t.stop();
});

test('metal-c: while nobody can tell whether the claim is there, nothing is let go', async () => {
  let isBroken = true;
  const t = await aWorld(({ method, path }) => isBroken && method === 'GET' && path.endsWith('/metal3dataclaims/m0'));
  await ownedData(t, GONE, { status: { ready: true } });
  run(t);
  await t.pass(minutes(2));
  const stays = await dataNamed(t, 'abc-0');

  isBroken = false;
  await t.pass(minutes(2));

  assert.equal(stays?.metadata.deletionTimestamp, undefined);
  assert.equal(await dataNamed(t, 'abc-0'), undefined);
  await t.stop();
});

test('metal-G13: a claim reference without namespace means the Data’s own', async () => {
  const t = await aWorld();
  await aClaim(t, 'm0');
  await aData(t, 'abc-0', { index: 0, claim: 'm0' });
  await t.api.delete(Metal3Data, at('abc-0'));

  run(t);
  await t.pass(minutes(1));

  assert.match(
    said(await t.api.get(Metal3Data, at('abc-0')), 'Deleting'),
    /^True InUse: Waiting for Metal3DataClaim m0/,
  );
  await t.stop();
});

test('metal-G11: a Data that its claim does not use goes although the claim is there', async () => {
  const t = await aWorld();
  const claim = await aClaim(t, 'm0');
  await t.api.patch(
    Metal3DataClaim,
    at('m0'),
    { status: { renderedData: { name: 'abc-1' } } },
    { subresource: 'status' },
  );
  await ownedData(t, claimOwner(claim));
  await t.api.delete(Metal3Data, at('abc-0'));

  run(t);
  await t.pass(0);

  assert.equal(await dataNamed(t, 'abc-0'), undefined);
  await t.stop();
});

test('metal-S11: leases and secrets of a Data that was removed by force are let go, also when that was before the start', async () => {
  const t = await aDataTest();
  const gone = { ...ownedBy(Metal3DataTemplate, await ownedData(t, GONE)), kind: 'Metal3Data', name: 'abc-7' };
  await lease(t, 'abc-7-pool', { ownerReferences: [gone] });
  await put(t.api, Secret, 'm7-metadata', {
    metadata: { labels: LABELS, ownerReferences: [{ ...gone, name: 'abc-8', uid: 'x' }] },
  });
  const present = await aData(t, 'abc-5', { index: 5, status: { ready: true } });
  await lease(t, 'abc-5-old', { ownerReferences: [{ ...gone, name: 'abc-5' }] });
  await lease(t, 'abc-5-pool', { ownerReferences: [ownedBy(Metal3Data, present)] });

  t.run(dataController());
  await t.pass(seconds(1));

  assert.deepEqual(await finalizersOf(t, 'abc-7-pool'), [IP_CLAIM_FINALIZER]);
  assert.equal(await t.api.find(Secret, at('m7-metadata')), undefined);
  assert.deepEqual(
    await finalizersOf(t, 'abc-5-old'),
    [IP_CLAIM_FINALIZER],
    'its owner had the name that another has now',
  );
  assert.deepEqual(await finalizersOf(t, 'abc-5-pool'), LEASE);
  await t.stop();
});

test('metal-g: a Data lets go of its own leases while nobody can tell of an earlier one that left others under its name', async () => {
  const t = await aWorld(({ method, path }) => method === 'GET' && path.endsWith('/metal3datas/abc-0'));
  const data = await ownedData(t, GONE);
  await lease(t, 'own', { ownerReferences: [ownedBy(Metal3Data, data)] });
  await lease(t, 'earlier', { ownerReferences: [{ ...ownedBy(Metal3Data, data), uid: 'earlier' }] });
  await t.api.delete(Metal3Data, at('abc-0'));

  run(t);
  await t.pass(seconds(1));

  assert.equal(await dataNamed(t, 'abc-0'), undefined);
  assert.deepEqual(await finalizersOf(t, 'own'), [IP_CLAIM_FINALIZER]);
  assert.deepEqual(await finalizersOf(t, 'earlier'), LEASE);
  await t.stop();
});

test('what an earlier Data has left in a paused Cluster waits until that goes on', async () => {
  const t = await aWorld();
  await aCluster(t.api, 'c', { paused: true });
  const data = await aData(t, 'abc-1', { index: 1 });
  await lease(t, 'left', {
    labels: LABELS,
    ownerReferences: [{ ...ownedBy(Metal3Data, data), name: 'abc-0', uid: 'left' }],
  });
  run(t);
  await t.pass(minutes(2));
  const paused = await finalizersOf(t, 'left');

  await t.api.patch(Cluster, at('c'), { spec: { paused: false } });
  await t.pass(minutes(1));

  assert.deepEqual(paused, LEASE);
  assert.deepEqual(await finalizersOf(t, 'left'), [IP_CLAIM_FINALIZER]);
  await t.stop();
});

test('a Data deletes its own secrets and no others (metal-f)', async () => {
  const t = await aWorld();
  const data = await ownedData(t, GONE);
  await put(t.api, Secret, 'm0-metadata', {
    metadata: { labels: LABELS, ownerReferences: [ownedBy(Metal3Data, data)] },
  });
  const other = await aData(t, 'abc-1', { index: 1, status: { ready: true } });
  await put(t.api, Secret, 'm0-networkdata', {
    metadata: { labels: LABELS, ownerReferences: [ownedBy(Metal3Data, other)] },
  });
  await t.api.delete(Metal3Data, at('abc-0'));

  run(t);
  await t.pass(0);

  assert.equal(await dataNamed(t, 'abc-0'), undefined);
  assert.equal(await t.api.find(Secret, at('m0-metadata')), undefined);
  assert.ok((await t.api.find(Secret, at('m0-networkdata'))) !== undefined);
  await t.stop();
});

test('metal-G15, metal-S18, metal-7.20, Data controller (paused): a paused Cluster holds deletion too, and goes on when resumed or gone', async () => {
  const t = await aWorld();
  await aCluster(t.api, 'c', { paused: true });
  await ownedData(t, GONE);
  await t.api.delete(Metal3Data, at('abc-0'));
  run(t);
  await t.pass(minutes(5));
  const paused = await t.api.get(Metal3Data, at('abc-0'));

  await t.api.delete(Cluster, at('c'));
  await t.pass(0);

  assert.match(said(paused, 'Paused'), /^True Paused: /);
  assert.equal(paused.metadata.finalizers?.length, 2);
  assert.equal(await dataNamed(t, 'abc-0'), undefined, 'no Cluster is needed to let go');
  await t.stop();
});

test('metal-7.13: nothing is written to a Data or a lease that clusterctl moves away', async () => {
  const t = await aWorld();
  const moved = { annotations: { [DELETE_FOR_MOVE]: '' } };
  await aData(t, 'abc-1', {
    index: 1,
    claim: 'm1',
    metadata: { ...moved, ownerReferences: [{ ...GONE, name: 'm1' }] },
  });
  const data = await ownedData(t, GONE);
  await lease(t, 'abc-0-pool', { ...moved, ownerReferences: [ownedBy(Metal3Data, data)] });
  for (const name of ['abc-0', 'abc-1']) await t.api.delete(Metal3Data, at(name));

  run(t);
  await t.pass(minutes(2));

  assert.equal((await dataNamed(t, 'abc-1'))?.metadata.finalizers?.length, 2);
  assert.deepEqual(await finalizersOf(t, 'abc-0-pool'), LEASE);
  assert.match(said(await t.api.get(Metal3Data, at('abc-0')), 'Deleting'), /^True ClaimMoves: /);
  await t.stop();
});
