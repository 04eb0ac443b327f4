import assert from 'node:assert/strict';
import { test } from 'node:test';
import { minutes, seconds } from '../../base/clock.ts';
import { CapiIPAddress } from '../../kinds/generated/capi-ip-address.generated.ts';
import { IPAddressClaim } from '../../kinds/generated/ip-address-claim.generated.ts';
import { IPClaim } from '../../kinds/generated/ip-claim.generated.ts';
import { IPPool } from '../../kinds/generated/ip-pool.generated.ts';
import {
  aCapiAddress,
  aCapiClaim,
  aClaim,
  addresses,
  aPool,
  at,
  CAPI_KINDS,
  capiAddresses,
  claimNamed,
  METAL3_KINDS,
  ownedBy,
  poolNamed,
  said,
} from '../objects.testing.ts';
import { anIpamTest, type IpamTest } from '../world.testing.ts';

const OURS = 'ipam.metal3.io/ipaddressclaim';

const capiClaim = (t: IpamTest, name: string): Promise<IPAddressClaim | undefined> =>
  t.api.find(IPAddressClaim, at(name));

test('a claim of Cluster API gets an address of that kind, and its Ready condition', async () => {
  const t = await anIpamTest();
  const pool = await aPool(t.api, { prefix: 24, gateway: '192.168.0.1', dnsServers: ['8.8.8.8'] });
  await t.pass(seconds(1));
  const claim = await aCapiClaim(t.api, 'a', { labels: { x: 'y' } });

  await t.pass(seconds(2));

  const address = await t.api.get(CapiIPAddress, at('ip-192-168-0-10'));
  assert.deepEqual(address.spec, {
    address: '192.168.0.10',
    prefix: 24,
    gateway: '192.168.0.1',
    poolRef: { name: 'pool', kind: 'IPPool', apiGroup: 'ipam.metal3.io' },
    claimRef: { name: 'a' },
  });
  assert.deepEqual(address.metadata.labels, { x: 'y' });
  assert.deepEqual(address.metadata.finalizers, ['ipam.metal3.io/ipaddress']);
  assert.deepEqual(address.metadata.ownerReferences, [...ownedBy(IPPool, pool), ...ownedBy(IPAddressClaim, claim)]);
  const bound = await capiClaim(t, 'a');
  assert.deepEqual(bound?.metadata.finalizers, [OURS]);
  assert.deepEqual(bound?.status?.addressRef, { name: 'ip-192-168-0-10' });
  assert.equal(said(bound), 'True AsExpected: ');
  await t.stop();
});

test('refusals are told by upstream\u2019s reasons and words', async () => {
  const t = await anIpamTest();
  await aPool(t.api, { pools: [{ start: '10.0.0.1', end: '10.0.0.1' }], preAllocations: { out: '10.9.9.9' } });
  await aCapiClaim(t.api, 'a');
  await t.pass(seconds(1));
  await aCapiClaim(t.api, 'b');
  await aCapiClaim(t.api, 'out');
  await aCapiClaim(t.api, 'asks', { annotations: { ipAddress: 'nonsense' } });

  await t.pass(seconds(1));

  assert.deepEqual(await Promise.all(['b', 'out', 'asks'].map(async name => said(await capiClaim(t, name)))), [
    'False PoolExhausted: Exhausted IP Pools',
    'False AllocationFailed: Pre-allocated IP out of bounds',
    'False AllocationFailed: Invalid ipAddress annotation "nonsense": not a valid IP address',
  ]);
  await t.stop();
});

test('UpdateAddresses: a claim that is deleted lets go of its address, one with a foreign finalizer keeps it', async () => {
  const t = await anIpamTest();
  await aPool(t.api);
  for (const name of ['a', 'b']) await aCapiClaim(t.api, name);
  await aCapiClaim(t.api, 'c', { finalizers: ['x.test/y'] });
  await t.pass(seconds(1));

  for (const name of ['b', 'c']) await t.api.delete(IPAddressClaim, at(name));
  await t.pass(seconds(2));

  assert.deepEqual(await capiAddresses(t.api), ['a 192.168.0.10', 'c 192.168.0.12']);
  assert.deepEqual((await poolNamed(t.api))?.status?.indexes, { a: '192.168.0.10', c: '192.168.0.12' });
  await t.stop();
});

test('ipam-g6: claims of both kinds that come at once never get one address', async () => {
  const t = await anIpamTest();
  await aPool(t.api, { pools: [{ start: '10.0.0.1', end: '10.0.0.10' }] });
  await t.pass(seconds(1));
  const made = Array.from({ length: 6 }, (_, at) => [aClaim(t.api, `c${at}`), aCapiClaim(t.api, `c${at}`)]);
  await Promise.all(made.flat());

  await t.pass(seconds(2));

  const given = [...(await addresses(t.api)), ...(await capiAddresses(t.api))].map(each => each.split(' ')[1]);
  assert.equal(given.length, 10);
  assert.equal(new Set(given).size, 10);
  await t.stop();
});

test('an exhausted claim of one kind is served when a claim of the other lets go', async () => {
  const t = await anIpamTest();
  await aPool(t.api, { pools: [{ start: '10.0.0.1', end: '10.0.0.1' }] });
  await aCapiClaim(t.api, 'a');
  await t.pass(seconds(1));
  await aClaim(t.api, 'b');
  await t.pass(seconds(1));

  await t.api.delete(IPAddressClaim, at('a'));
  await t.pass(0);

  assert.deepEqual(await addresses(t.api), ['b 10.0.0.1']);
  await t.stop();
});

test('ipam-g8: a claim on a pool of that name of another provider is not ours: nothing is written to it', async () => {
  const t = await anIpamTest();
  await aPool(t.api);
  await aCapiClaim(t.api, 'a', {}, { kind: 'InClusterIPPool', apiGroup: 'ipam.cluster.x-k8s.io' });
  await aCapiClaim(t.api, 'b', {}, { apiGroup: 'ipam.example.com' });

  await t.pass(minutes(30));

  assert.deepEqual(await capiAddresses(t.api), []);
  assert.deepEqual((await capiClaim(t, 'a'))?.metadata.finalizers, undefined);
  assert.deepEqual(
    t.writes.filter(write => write.includes('ipaddressclaims')),
    [],
  );
  await t.stop();
});

test('where Cluster API\u2019s kinds are not served the others work, and from when they are no address is given twice', async () => {
  const t = await anIpamTest({ kinds: METAL3_KINDS, only: ['ipam-pool', 'ipam-claim', 'ipam-address'] });
  await aPool(t.api, { pools: [{ start: '10.0.0.1', end: '10.0.0.3' }] });
  await aClaim(t.api, 'a');
  await t.pass(seconds(2));
  const before = await addresses(t.api);

  await t.define(CAPI_KINDS);
  await aCapiAddress(t.api, '10.0.0.2', 'made by another');
  await t.restart();
  await aClaim(t.api, 'b');
  await t.pass(seconds(2));

  assert.deepEqual(before, ['a 10.0.0.1']);
  assert.deepEqual(await addresses(t.api), ['a 10.0.0.1', 'b 10.0.0.3']);
  await t.stop();
});

test('while the addresses of Cluster API cannot be read none is given out, and claims say so', async () => {
  let isRefused = true;
  const t = await anIpamTest({
    between: next => async request => {
      const isList = request.path.includes('/ipam.cluster.x-k8s.io/v1beta2/ipaddresses');
      if (!isRefused || !isList) return next(request);
      return { status: 403, headers: {}, body: Buffer.from('{"kind":"Status","reason":"Forbidden"}') };
    },
    only: ['ipam-pool', 'ipam-claim', 'ipam-address'],
  });
  await aPool(t.api);
  await aClaim(t.api, 'a');
  await t.pass(seconds(30));
  const told = said(await claimNamed(t.api, 'a'));

  isRefused = false;
  await t.pass(minutes(3));

  assert.equal(told, 'False PoolNotReady: Waiting for ipaddresses.ipam.cluster.x-k8s.io to be read');
  assert.deepEqual(await addresses(t.api), ['a 192.168.0.10']);
  await t.api.delete(IPClaim, at('a'));
  await t.stop();
});
