// The upstream cases addressFromM3Claim and addressFromClaim, and what a Data makes of a claim that is another's.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { minutes, seconds } from '../../base/clock.ts';
import { CapiIPAddress } from '../../kinds/generated/capi-ip-address.generated.ts';
import { IPAddress } from '../../kinds/generated/ip-address.generated.ts';
import { IPAddressClaim } from '../../kinds/generated/ip-address-claim.generated.ts';
import { IPClaim } from '../../kinds/generated/ip-claim.generated.ts';
import { IPPool } from '../../kinds/generated/ip-pool.generated.ts';
import { Metal3Data } from '../../kinds/generated/metal3-data.generated.ts';
import type { Metal3DataTemplate } from '../../kinds/generated/metal3-data-template.generated.ts';
import { IP_CLAIM_FINALIZER, METAL3_DATA_FINALIZER } from '../../kinds/metal-wire.ts';
import { aCluster, at, ownedBy, put, said } from '../objects.testing.ts';
import type { MetalTest } from '../workload/world.testing.ts';
import { dataController } from './controller.ts';
import {
  aData,
  aDataTest,
  aServedClaim,
  aTemplate,
  claimOwner,
  dataNamed,
  LABELS,
  secretText,
} from './data-world.testing.ts';

const POOL = { name: 'pool', kind: 'IPPool', apiGroup: 'ipam.metal3.io' };
const FOREIGN_POOL = { name: 'pool', kind: 'InClusterIPPool', apiGroup: 'ipam.cluster.x-k8s.io' };

const network = (fromPoolRef: typeof POOL): Metal3DataTemplate['spec'] => ({
  networkData: {
    networks: { ipv4: [{ id: 'net', link: 'eth0', fromPoolRef }] },
  },
});

const META: Metal3DataTemplate['spec'] = {
  metaData: {
    ipAddressesFromPool: [{ key: 'address', ...POOL }],
    prefixesFromPool: [{ key: 'prefix', ...POOL }],
    gatewaysFromPool: [{ key: 'gateway', ...POOL }],
  },
};

async function aWorld(spec: Metal3DataTemplate['spec'] = META): Promise<{ t: MetalTest; data: Metal3Data }> {
  const t = await aDataTest();
  await aCluster(t.api, 'c');
  await aTemplate(t, 'abc', spec);
  const claim = await aServedClaim(t, 'm0');
  const ownerReferences = [claimOwner(claim), ...(claim.metadata.ownerReferences ?? [])];
  const data = await aData(t, 'abc-0', { index: 0, claim: 'm0', metadata: { labels: LABELS, ownerReferences } });
  return { t, data };
}

/** What the address manager does with a claim. */
async function give(t: MetalTest, claim = 'abc-0-pool'): Promise<void> {
  await put(t.api, IPAddress, 'pool-192-168-0-10', {
    spec: {
      address: '192.168.0.10',
      prefix: 26,
      gateway: '192.168.0.1',
      dnsServers: ['8.8.8.8'],
      pool: { name: 'pool' },
      claim: { name: claim },
    },
  });
  const status = { address: { name: 'pool-192-168-0-10', namespace: 'metal' } };
  await t.api.patch(IPClaim, at(claim), { status }, { subresource: 'status' });
}

const why = async (t: MetalTest) => said(await t.api.get(Metal3Data, at('abc-0')), 'Ready');
const isReady = async (t: MetalTest) => (await dataNamed(t, 'abc-0'))?.status?.ready === true;
const ipClaim = (t: MetalTest, name = 'abc-0-pool') => t.api.find(IPClaim, at(name));

test('addressFromM3Claim: no allocation, then no IPAddress, is a wait in silence; found gives its values', async () => {
  const { t, data } = await aWorld();
  t.run(dataController());
  await t.pass(seconds(5));
  const claim = await ipClaim(t);
  const written = t.writes.filter(write => write.includes('/metal3datas/')).length;

  const status = { address: { name: 'pool-192-168-0-10' } };
  await t.api.patch(IPClaim, at('abc-0-pool'), { status }, { subresource: 'status' });
  await t.pass(seconds(5));
  const early = await isReady(t);
  await give(t);
  await t.pass(0);

  assert.deepEqual(claim?.metadata.finalizers, [METAL3_DATA_FINALIZER, IP_CLAIM_FINALIZER]);
  assert.deepEqual(claim?.metadata.labels, LABELS);
  assert.equal(claim?.metadata.ownerReferences?.[0]?.uid, data.metadata.uid);
  assert.equal(claim?.metadata.ownerReferences?.[0]?.controller, true);
  assert.deepEqual(claim?.spec?.pool, { name: 'pool', namespace: 'metal' });
  assert.equal(written, 1, 'only the names of the secrets: this Data was made by another');
  assert.equal(early, false);
  assert.equal(
    await secretText(t, 'm0-metadata'),
    'address: 192.168.0.10\ngateway: 192.168.0.1\nprefix: "26"\nproviderid: metal/host-m0/m0\n',
  );
  await t.stop();
});

test('addressFromM3Claim: an address that does not come is told after a minute', async () => {
  const { t } = await aWorld();
  t.run(dataController());

  await t.pass(minutes(2));

  assert.match(await why(t), /^False InProgress: Waiting for the address of IPClaim abc-0-pool/);
  await t.stop();
});

test('metal-7.1, metal-7.2, addressFromM3Claim: of another Data’s claim that is being deleted our finalizer is let go, no more', async () => {
  const { t } = await aWorld();
  const old = { apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta2', kind: 'Metal3Data', name: 'xyz-0', uid: 'old' };
  await put(t.api, IPClaim, 'abc-0-pool', {
    metadata: { finalizers: [METAL3_DATA_FINALIZER, IP_CLAIM_FINALIZER], ownerReferences: [old] },
    spec: { pool: { name: 'pool' } },
  });
  await give(t);
  await t.api.delete(IPClaim, at('abc-0-pool'));
  t.run(dataController());
  await t.pass(seconds(1));
  const claim = await ipClaim(t);
  const told = await why(t);

  await t.api.patch(IPClaim, at('abc-0-pool'), { metadata: { finalizers: null } });
  await t.pass(0);

  assert.deepEqual(claim?.metadata.finalizers, [IP_CLAIM_FINALIZER]);
  assert.equal(await isReady(t), false);
  assert.match(
    told,
    /^False ClaimOfAnother: Waiting for IPClaim abc-0-pool, which belongs to Metal3Data xyz-0 \(old\), to go/,
  );
  assert.notEqual((await ipClaim(t))?.metadata.uid, claim?.metadata.uid, 'ours was made once the name was free');
  await t.stop();
});

test('metal-S15, metal-7.22: a claim that another Data still uses keeps our finalizer, although a user deletes it', async () => {
  const { t } = await aWorld();
  const other = await aData(t, 'abc-7', { index: 7, status: { ready: true } });
  const theirs = { finalizers: [METAL3_DATA_FINALIZER], ownerReferences: [ownedBy(Metal3Data, other)] };
  await put(t.api, IPClaim, 'abc-0-pool', { metadata: theirs, spec: { pool: { name: 'pool' } } });
  await t.api.delete(IPClaim, at('abc-0-pool'));
  t.run(dataController());

  await t.pass(minutes(1));

  assert.deepEqual((await ipClaim(t))?.metadata.finalizers, [METAL3_DATA_FINALIZER]);
  await t.stop();
});

test('a claim that is nobody’s and is being deleted is not kept by our finalizer', async () => {
  const { t } = await aWorld();
  const nobodys = await put(t.api, IPClaim, 'abc-0-pool', {
    metadata: { finalizers: [METAL3_DATA_FINALIZER] },
    spec: { pool: { name: 'pool' } },
  });
  await t.api.delete(IPClaim, at('abc-0-pool'));
  t.run(dataController());

  await t.pass(seconds(1));

  assert.notEqual((await ipClaim(t))?.metadata.uid, nobodys.metadata.uid);
  await t.stop();
});

test('addressFromM3Claim: a live claim of a wrong UID, or of nobody, is waited for and not touched', async () => {
  const { t } = await aWorld();
  const before = await put(t.api, IPClaim, 'abc-0-pool', {
    metadata: { finalizers: [METAL3_DATA_FINALIZER] },
    spec: { pool: { name: 'pool' } },
  });
  await give(t);
  t.run(dataController());

  await t.pass(minutes(2));

  assert.equal(await isReady(t), false);
  assert.match(await why(t), /^False ClaimOfAnother: .*belongs to nobody/);
  assert.deepEqual((await ipClaim(t))?.metadata.finalizers, before.metadata.finalizers);
  await t.stop();
});

test('metal-S15, addressFromM3Claim: our claim that a user deletes stays usable, and our finalizer stays on it', async () => {
  const { t } = await aWorld();
  t.run(dataController());
  await t.pass(0);
  await t.api.delete(IPClaim, at('abc-0-pool'));
  await t.pass(seconds(1));

  await give(t);
  await t.pass(0);

  assert.equal(await isReady(t), true);
  assert.deepEqual((await ipClaim(t))?.metadata.finalizers, [METAL3_DATA_FINALIZER, IP_CLAIM_FINALIZER]);
  await t.stop();
});

test('a pool that has no more is told in a condition at once: that is a wait, and no error', async () => {
  const { t } = await aWorld();
  t.run(dataController());
  await t.pass(0);
  const ready = { type: 'Ready', status: 'False', reason: 'PoolExhausted', message: 'Exhausted IP Pools' };
  const conditions = [{ ...ready, lastTransitionTime: '2026-01-01T00:00:00Z' }];
  await t.api.patch(IPClaim, at('abc-0-pool'), { status: { conditions } }, { subresource: 'status' });
  await t.pass(0);
  const told = await why(t);
  await give(t);
  await t.pass(0);

  assert.equal(told, 'False PoolExhausted: Waiting for the address of IPClaim abc-0-pool: Exhausted IP Pools');
  assert.equal((await dataNamed(t, 'abc-0'))?.status?.errorMessage, undefined);
  assert.equal(await isReady(t), true);
  await t.stop();
});

test('addressFromM3Claim: an error of the claim is the Data’s, and goes with it', async () => {
  const { t } = await aWorld();
  t.run(dataController());
  await t.pass(0);
  const refused = { errorMessage: 'Pre-allocated IP out of bounds' };
  await t.api.patch(IPClaim, at('abc-0-pool'), { status: refused }, { subresource: 'status' });
  await t.pass(0);
  const error = (await dataNamed(t, 'abc-0'))?.status?.errorMessage;

  await t.api.patch(IPClaim, at('abc-0-pool'), { status: { errorMessage: null } }, { subresource: 'status' });
  await give(t);
  await t.pass(0);

  assert.match(error ?? '', /^IPClaim abc-0-pool gets no address: Pre-allocated IP out of bounds/);
  assert.equal(await isReady(t), true);
  assert.equal((await dataNamed(t, 'abc-0'))?.status?.errorMessage, undefined);
  await t.stop();
});

test('ensure: with the flag claims are named after the host and labelled; one named after the Data is used where it is there', async () => {
  const named = (t: MetalTest) => {
    const { name, start } = dataController();
    t.run({ name, start: (world, signal) => start({ ...world, settings: { hostNamedClaims: true } }, signal) });
  };
  const { t, data } = await aWorld();
  named(t);
  await t.pass(0);
  const claim = await ipClaim(t, 'host-m0-pool');
  await give(t, 'host-m0-pool');
  await t.pass(0);
  const first = await isReady(t);
  await t.stop();
  const other = await aWorld();
  await put(other.t.api, IPClaim, 'abc-0-pool', {
    metadata: { ownerReferences: [ownedBy(Metal3Data, other.data)] },
    spec: { pool: { name: 'pool' } },
  });
  named(other.t);
  await give(other.t);
  await other.t.pass(seconds(1));

  assert.deepEqual(claim?.metadata.labels, {
    ...LABELS,
    'infrastructure.cluster.x-k8s.io/data-name': 'abc-0',
    'infrastructure.cluster.x-k8s.io/pool-name': 'pool',
  });
  assert.equal(claim?.metadata.ownerReferences?.[0]?.uid, data.metadata.uid);
  assert.equal(first, true);
  assert.equal(await isReady(other.t), true);
  assert.equal(await ipClaim(other.t, 'host-m0-pool'), undefined);
  await other.t.stop();
});

test('metal-7.16, addressFromClaim: a pool of another provider gets a claim of Cluster API; no ref or no address is a wait', async () => {
  const { t, data } = await aWorld(network(FOREIGN_POOL));
  t.run(dataController());
  await t.pass(0);
  const claim = await t.api.get(IPAddressClaim, at('abc-0-pool'));
  await t.api.patch(
    IPAddressClaim,
    at('abc-0-pool'),
    { status: { addressRef: { name: 'given' } } },
    { subresource: 'status' },
  );
  await t.pass(0);
  const early = await isReady(t);

  const refs = { claimRef: { name: 'abc-0-pool' }, poolRef: FOREIGN_POOL };
  await put(t.api, CapiIPAddress, 'given', { spec: { address: '10.0.0.7', prefix: 24, gateway: '10.0.0.1', ...refs } });
  await t.pass(0);

  assert.deepEqual(claim.metadata.finalizers, [METAL3_DATA_FINALIZER]);
  assert.equal(claim.metadata.ownerReferences?.[0]?.uid, data.metadata.uid);
  assert.deepEqual(claim.spec?.poolRef, FOREIGN_POOL);
  assert.equal(early, false);
  assert.match(await secretText(t, 'm0-networkdata'), /ip_address: 10\.0\.0\.7/);
  await t.stop();
});

test('addressFromClaim: one that is being deleted is waited for, and one of another UID is not used', async () => {
  const { t, data } = await aWorld(network(FOREIGN_POOL));
  const ours = { finalizers: [METAL3_DATA_FINALIZER], ownerReferences: [ownedBy(Metal3Data, data)] };
  await put(t.api, IPAddressClaim, 'abc-0-pool', { metadata: ours, spec: { poolRef: FOREIGN_POOL } });
  await t.api.delete(IPAddressClaim, at('abc-0-pool'));
  t.run(dataController());
  await t.pass(seconds(1));
  const deleting = await why(t);
  const ownerReferences = [{ ...ownedBy(Metal3Data, data), uid: 'old', name: 'xyz-0' }];
  await t.api.patch(IPAddressClaim, at('abc-0-pool'), { metadata: { ownerReferences } });

  await t.pass(0);

  assert.match(deleting, /^False AddressClaimGoes: /);
  const claim = await t.api.find(IPAddressClaim, at('abc-0-pool'));
  assert.notEqual(claim?.metadata.uid, undefined, 'a new one, once the old had gone without our finalizer');
  assert.equal(claim?.metadata.ownerReferences?.[0]?.uid, data.metadata.uid);
  await t.stop();
});

test('addressFromClaim: an address of a Metal3 pool has the name servers of the entry that holds it', async () => {
  const { t, data } = await aWorld({ networkData: { services: { dnsFromIPPool: 'pool' } } });
  const metadata = { ownerReferences: [ownedBy(Metal3Data, data)] };
  await put(t.api, IPAddressClaim, 'abc-0-pool', { metadata, spec: { poolRef: POOL } });
  const status = { addressRef: { name: 'given' } };
  await t.api.patch(IPAddressClaim, at('abc-0-pool'), { status }, { subresource: 'status' });
  const refs = { claimRef: { name: 'abc-0-pool' }, poolRef: POOL };
  await put(t.api, CapiIPAddress, 'given', { spec: { address: '10.0.0.7', prefix: 24, ...refs } });
  t.run(dataController());
  await t.pass(0);
  const noPool = await why(t);

  const pools = [{ subnet: '10.0.0.0/24', dnsServers: ['9.9.9.9'] }];
  await put(t.api, IPPool, 'pool', { spec: { namePrefix: 'pool', pools } });
  await t.pass(0);

  assert.match(noPool, /^False MetalRenderingRefused: .*IPPool/);
  assert.match(await secretText(t, 'm0-networkdata'), /address: 9\.9\.9\.9/);
  assert.equal(await ipClaim(t), undefined, 'no second claim is made for the same pool');
  await t.stop();
});
