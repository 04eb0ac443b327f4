import assert from 'node:assert/strict';
import { test } from 'node:test';
import { minutes, seconds } from '../../base/clock.ts';
import { Cluster } from '../../kinds/generated/cluster.generated.ts';
import { IPAddress } from '../../kinds/generated/ip-address.generated.ts';
import { IPClaim } from '../../kinds/generated/ip-claim.generated.ts';
import { IPPool } from '../../kinds/generated/ip-pool.generated.ts';
import { PAUSED_ANNOTATION } from '../../kinds/wire.ts';
import {
  aCapiAddress,
  aCapiClaim,
  aClaim,
  addresses,
  anAddress,
  aPool,
  at,
  claimNamed,
  objectOf,
  ownedBy,
  poolNamed,
  said,
} from '../objects.testing.ts';
import { anIpamTest } from '../world.testing.ts';

const FINALIZER = 'ippool.ipam.metal3.io';

test('getIndexes: a pool without addresses lists none, and has its finalizer and a time', async () => {
  const t = await anIpamTest();
  await aPool(t.api);

  await t.pass(seconds(1));

  const pool = await poolNamed(t.api);
  assert.deepEqual(pool?.metadata.finalizers, [FINALIZER]);
  assert.deepEqual(pool?.status, { indexes: {}, lastUpdated: '2026-01-01T00:00:00Z' });
  await t.stop();
});

test('getIndexes: addresses of both kinds that name the pool are listed, others are not, and pre-allocations are kept', async () => {
  const t = await anIpamTest({ definitions: 'upstream' });
  await anAddress(t.api, '192.168.0.10', 'a');
  await aCapiAddress(t.api, '192.168.0.11', 'b');
  await anAddress(t.api, '192.168.0.12', '');
  const spec = { address: '192.168.0.13', pool: { name: 'other' }, claim: { name: 'd' } };
  await t.api.create(IPAddress, objectOf(IPAddress, 'other', spec));
  await t.api.create(IPAddress, objectOf(IPAddress, 'refless', { ...spec, pool: {} }));
  await aPool(t.api, { preAllocations: { z: '192.168.0.14' } });

  await t.pass(seconds(1));
  await aClaim(t.api, 'new');
  await aClaim(t.api, 'newer');
  await t.pass(seconds(2));

  assert.deepEqual((await poolNamed(t.api))?.status?.indexes, {
    '': '192.168.0.12',
    a: '192.168.0.10',
    b: '192.168.0.11',
    new: '192.168.0.13',
    newer: '192.168.0.15',
  });
  await t.stop();
});

test('ipam-g7: claims of both kinds and of one name are both listed', async () => {
  const t = await anIpamTest();
  await aPool(t.api);
  await aClaim(t.api, 'a');
  await t.pass(seconds(1));

  await aCapiClaim(t.api, 'a');
  await t.pass(seconds(2));

  assert.deepEqual((await poolNamed(t.api))?.status?.indexes, {
    a: '192.168.0.10',
    'IPAddressClaim/a': '192.168.0.11',
  });
  await t.stop();
});

test('the status is written at most once a second, and not at all while nothing changes', async () => {
  const t = await anIpamTest();
  await aPool(t.api, { pools: [{ subnet: '10.0.0.0/16' }] });
  await t.pass(seconds(1));
  const statusWrites = (): number => t.writes.filter(write => write.endsWith('ippools/pool/status')).length;
  const before = statusWrites();

  for (let each = 0; each < 20; each++) {
    await aClaim(t.api, `c${each}`);
    await t.pass(100);
  }
  await t.pass(seconds(1));
  const during = statusWrites() - before;
  await t.pass(minutes(30));

  assert.ok(during <= 3, `${during} writes in 3 seconds`);
  assert.equal(statusWrites() - before, during);
  assert.equal(Object.keys((await poolNamed(t.api))?.status?.indexes ?? {}).length, 20);
  await t.stop();
});

test('above 512 addresses the list is emptied and their count is told; below it, it is back', async () => {
  const t = await anIpamTest();
  await aPool(t.api, { pools: [{ subnet: '10.0.0.0/16' }] });
  for (let each = 0; each < 513; each++) await anAddress(t.api, `10.0.${each >> 8}.${each & 255}`, `c${each}`);

  await t.pass(seconds(2));
  const above = await poolNamed(t.api);
  await t.api.delete(IPAddress, at('ip-10-0-0-7'));
  await t.pass(seconds(2));

  assert.deepEqual(above?.status?.indexes, {});
  const message = '513 addresses are in use: more than 512 are not listed in status.indexes';
  assert.equal(said(above, 'IndexesListed'), `False TooManyAddresses: ${message}`);
  const below = await poolNamed(t.api);
  assert.equal(Object.keys(below?.status?.indexes ?? {}).length, 512);
  assert.equal(said(below, 'IndexesListed'), 'True AsExpected: ');
  await t.stop();
});

test('a pool with a fault says which field, serves what it can, and recovers when it is mended', async () => {
  const t = await anIpamTest();
  await aPool(t.api, { pools: [{ start: '10.0.0.9', end: '10.0.0.1' }, { subnet: '10.0.1.0/24' }] });
  await aClaim(t.api, 'a');

  await t.pass(seconds(2));
  const faulty = await poolNamed(t.api);
  await t.pass(minutes(60));
  t.writes.length = 0;
  await t.pass(minutes(60));
  const idle = [...t.writes];
  await t.api.patch(IPPool, at('pool'), { spec: { pools: [{ start: '10.0.0.1', end: '10.0.1.9' }] } });
  await t.pass(seconds(2));

  assert.equal(said(faulty), 'False InvalidSpec: spec.pools[0].end: "10.0.0.1" is before the start 10.0.0.9');
  assert.deepEqual(await addresses(t.api), ['a 10.0.1.1']);
  assert.equal(said(await poolNamed(t.api)), 'True AsExpected: ');
  assert.deepEqual(idle, []);
  await t.stop();
});

test('an address in use that the ranges do not have any more is a fault of the pool, and stays', async () => {
  const t = await anIpamTest();
  await aPool(t.api);
  await aClaim(t.api, 'a');
  await t.pass(seconds(1));

  await t.api.patch(IPPool, at('pool'), { spec: { pools: [{ subnet: '10.0.0.0/24' }] } });
  await t.pass(seconds(2));

  assert.match(
    said(await poolNamed(t.api)) ?? '',
    /^False InvalidSpec: spec.pools: "192.168.0.10" is in use but out of/,
  );
  assert.deepEqual(await addresses(t.api), ['a 192.168.0.10']);
  await t.stop();
});

test('ranges that overlap, in one pool or in two, are allowed and told, and nothing else is called an overlap', async () => {
  const t = await anIpamTest();
  const pools = [
    { subnet: '10.0.0.0/24' },
    { start: '10.0.0.250', end: '10.0.1.5' },
    { start: '10.9.0.1', subnet: '10.8.0.0/24' },
  ];
  await aPool(t.api, { pools });
  await aPool(t.api, { namePrefix: 'x', pools: [{ start: '10.0.1.4' }] }, 'twin');

  await t.pass(seconds(2));
  await t.api.delete(IPPool, at('twin'));
  await t.pass(minutes(11));

  const told = said(await poolNamed(t.api), 'RangesApart');
  assert.equal(told, 'False Overlapping: spec.pools[0] and spec.pools[1] both give out 10.0.0.250');
  await t.stop();
});

test('a pool belongs to its Cluster: label and owner; ipam-g13: also when the Cluster comes later, or anew', async () => {
  const t = await anIpamTest();
  await aPool(t.api, { clusterName: 'c' });
  await aClaim(t.api, 'a');
  await t.pass(seconds(2));
  const alone = await poolNamed(t.api);

  const first = await t.api.create(Cluster, objectOf(Cluster, 'c', {}));
  await t.pass(seconds(2));
  const joined = await poolNamed(t.api);
  await t.api.delete(Cluster, at('c'));
  const second = await t.api.create(Cluster, objectOf(Cluster, 'c', {}));
  await t.pass(seconds(2));

  assert.equal(said(alone), 'False WaitingForCluster: Waiting for Cluster c, which spec.clusterName names');
  assert.deepEqual(await addresses(t.api), ['a 192.168.0.10']);
  assert.equal(joined?.metadata.labels?.['cluster.x-k8s.io/cluster-name'], 'c');
  assert.deepEqual(joined?.metadata.ownerReferences, ownedBy(Cluster, first));
  assert.equal(said(joined), 'True AsExpected: ');
  assert.deepEqual((await poolNamed(t.api))?.metadata.ownerReferences, ownedBy(Cluster, second));
  await t.stop();
});

test('a paused pool, by annotation or by its Cluster, serves nothing and lets go of nothing, and says so', async () => {
  for (const how of ['annotation', 'Cluster'] as const) {
    const t = await anIpamTest();
    await t.api.create(Cluster, objectOf(Cluster, 'c', {}));
    await aPool(t.api, { clusterName: 'c' });
    await aClaim(t.api, 'a');
    await t.pass(seconds(2));
    const pause = (isPaused: boolean): Promise<unknown> =>
      how === 'Cluster'
        ? t.api.patch(Cluster, at('c'), { spec: { paused: isPaused } })
        : t.api.patch(IPPool, at('pool'), { metadata: { annotations: { [PAUSED_ANNOTATION]: isPaused ? '' : null } } });

    await pause(true);
    await t.pass(0);
    await t.api.delete(IPClaim, at('a'));
    await aClaim(t.api, 'b');
    await t.api.delete(IPPool, at('pool'));
    await t.pass(minutes(30));
    const whilePaused = await addresses(t.api);
    const told = [said(await claimNamed(t.api, 'b'), 'Paused'), said(await poolNamed(t.api), 'Paused')];
    await pause(false);
    await t.pass(seconds(2));

    assert.deepEqual(whilePaused, ['a 192.168.0.10']);
    for (const each of told) assert.match(each ?? '', /^True Paused: Nothing is written for it: /);
    assert.deepEqual(await addresses(t.api), []);
    assert.equal(await claimNamed(t.api, 'a'), undefined);
    assert.match(said(await claimNamed(t.api, 'b')) ?? '', /^False PoolNotReady: .* is being deleted$/);
    await t.stop();
  }
});

test('ipam-g9, ipam-g11, metal-7.19: a deleted pool gives out nothing, and goes after all that names it, served or not', async () => {
  const t = await anIpamTest();
  await aPool(t.api, { pools: [{ start: '10.0.0.1', end: '10.0.0.1' }] });
  await aClaim(t.api, 'a');
  await t.pass(seconds(1));
  await aClaim(t.api, 'b');
  await t.pass(seconds(1));

  await t.api.delete(IPPool, at('pool'));
  await t.pass(seconds(2));
  const first = said(await poolNamed(t.api), 'Deleting');
  await t.api.delete(IPClaim, at('a'));
  await t.pass(seconds(2));
  const second = [await addresses(t.api), said(await poolNamed(t.api), 'Deleting')];
  await t.api.delete(IPClaim, at('b'));
  await t.pass(0);

  const waits = 'True InUse: Waiting for all that names it to go:';
  assert.equal(first, `${waits} IPClaim a, IPClaim b, IPAddress ip-10-0-0-1`);
  assert.deepEqual(second, [[], `${waits} IPClaim b`]);
  assert.equal(await poolNamed(t.api), undefined);
  await t.stop();
});

test('a pool without anything goes at once, its Cluster being there or not', async () => {
  const t = await anIpamTest();
  await aPool(t.api, { clusterName: 'gone' });
  await t.pass(seconds(1));

  await t.api.delete(IPPool, at('pool'));
  await t.pass(0);

  assert.equal(await poolNamed(t.api), undefined);
  await t.stop();
});

test('of a pool that is being deleted pre-allocations keep nobody from anything, and neither do they keep the pool', async () => {
  const t = await anIpamTest();
  await aPool(t.api, { preAllocations: { a: '192.168.0.15' } });
  await t.pass(seconds(1));

  await t.api.delete(IPPool, at('pool'));
  await t.pass(0);

  assert.equal(await poolNamed(t.api), undefined);
  await t.stop();
});

test('a pool stays while it cannot be read who names it (ipam-g9, metal-7.19)', async () => {
  let isRefused = true;
  const t = await anIpamTest({
    between: next => async request => {
      const isOfCluster = request.path.includes('/ipam.cluster.x-k8s.io/v1beta2/ipaddresses');
      if (!isRefused || !isOfCluster) return next(request);
      return { status: 403, headers: {}, body: Buffer.from('{"kind":"Status","reason":"Forbidden"}') };
    },
    only: ['ipam-pool'],
  });
  await aPool(t.api);
  await aCapiAddress(t.api, '192.168.0.12', 'somebody');
  await t.pass(seconds(10));
  await t.api.delete(IPPool, at('pool'));
  await t.pass(minutes(2));
  const held = said(await poolNamed(t.api), 'Deleting');

  isRefused = false;
  await t.pass(minutes(3));

  assert.equal(held, 'True NotAllRead: Waiting for ipaddresses.ipam.cluster.x-k8s.io to be read');
  assert.match(said(await poolNamed(t.api), 'Deleting') ?? '', /^True InUse: .*ip-192-168-0-12/);
  await t.stop();
});
