import assert from 'node:assert/strict';
import { test } from 'node:test';
import { minutes, seconds } from '../../base/clock.ts';
import { IPAddress } from '../../kinds/generated/ip-address.generated.ts';
import { IPClaim } from '../../kinds/generated/ip-claim.generated.ts';
import { IPPool } from '../../kinds/generated/ip-pool.generated.ts';
import { DELETE_FOR_MOVE } from '../../kinds/wire.ts';
import { aClaim, addresses, anAddress, aPool, at, claimNamed, ownedBy, poolNamed, said } from '../objects.testing.ts';
import { anIpamTest } from '../world.testing.ts';

const OURS = 'ipclaim.ipam.metal3.io';
const DATA = 'metal3data.infrastructure.cluster.x-k8s.io';

test('a claim gets an address with all that the pool says of it, in two writes, and nothing is read live for it', async () => {
  const t = await anIpamTest();
  const pool = await aPool(t.api, { prefix: 24, gateway: '192.168.0.1', dnsServers: ['8.8.8.8'] });
  await t.pass(seconds(1));
  t.writes.length = 0;
  const claim = await aClaim(t.api, 'a', { labels: { x: 'y' }, finalizers: [DATA, OURS] });

  await t.pass(seconds(5));

  const address = await t.api.get(IPAddress, at('ip-192-168-0-10'));
  assert.deepEqual(address.spec, {
    address: '192.168.0.10',
    pool: { name: 'pool', namespace: 'metal' },
    claim: { name: 'a', namespace: 'metal' },
    prefix: 24,
    gateway: '192.168.0.1',
    dnsServers: ['8.8.8.8'],
  });
  assert.deepEqual(address.metadata.labels, { x: 'y' });
  assert.deepEqual(address.metadata.finalizers, ['ipaddress.ipam.metal3.io']);
  assert.deepEqual(address.metadata.ownerReferences, [...ownedBy(IPPool, pool), ...ownedBy(IPClaim, claim)]);
  const bound = await claimNamed(t.api, 'a');
  assert.deepEqual(bound?.status?.address, { name: 'ip-192-168-0-10', namespace: 'metal' });
  assert.equal(said(bound), 'True AsExpected: ');
  assert.deepEqual(t.writes, ['POST ipaddresses', 'PATCH ipclaims/a/status', 'PATCH ippools/pool/status']);
  assert.deepEqual(t.reads, []);
  await t.stop();
});

test('ipam-g3: the finalizer of a claim is stored before its address exists', async () => {
  const t = await anIpamTest();
  await aPool(t.api);
  await t.pass(seconds(1));
  t.writes.length = 0;

  await aClaim(t.api, 'a');
  await t.pass(0);

  assert.deepEqual(t.writes.slice(0, 2), ['PATCH ipclaims/a', 'POST ipaddresses']);
  assert.deepEqual((await claimNamed(t.api, 'a'))?.metadata.finalizers, [OURS]);
  await t.stop();
});

test('UpdateAddresses: claims that have an address keep it, a deleted one is let go of, and 2 are left', async () => {
  const t = await anIpamTest();
  await aPool(t.api);
  for (const name of ['a', 'b', 'c']) await aClaim(t.api, name);
  await t.pass(seconds(1));

  await t.api.delete(IPClaim, at('b'));
  await t.pass(seconds(2));

  assert.deepEqual(await addresses(t.api), ['a 192.168.0.10', 'c 192.168.0.12']);
  assert.deepEqual((await poolNamed(t.api))?.status?.indexes, { a: '192.168.0.10', c: '192.168.0.12' });
  assert.equal(await claimNamed(t.api, 'b'), undefined);
  await t.stop();
});

test('ipam-g2: a claim that is told of an error holds up no other, and is served once the cause is gone', async () => {
  const t = await anIpamTest();
  await aPool(t.api);
  await anAddress(t.api, '192.168.0.10', 'x');
  await aClaim(t.api, 'bad', { annotations: { ipAddress: '192.168.0.10' } });
  for (const name of ['b', 'c']) await aClaim(t.api, name);

  await t.pass(seconds(1));
  const told = await claimNamed(t.api, 'bad');
  const others = await addresses(t.api);
  await t.api.delete(IPAddress, at('ip-192-168-0-10'));
  await t.pass(0);

  assert.equal(told?.status?.errorMessage, undefined, 'a wait');
  assert.equal(
    said(told),
    'False AllocationFailed: Requested IP not available: 192.168.0.10 is held by IPAddress ip-192-168-0-10',
  );
  assert.deepEqual(others, ['x 192.168.0.10', 'b 192.168.0.11', 'c 192.168.0.12']);
  const served = await claimNamed(t.api, 'bad');
  assert.deepEqual(served?.status?.address?.name, 'ip-192-168-0-10');
  assert.equal(served?.status?.errorMessage, undefined);
  assert.equal(said(served), 'True AsExpected: ');
  await t.stop();
});

test('UpdateAddresses: a deleting claim that somebody else holds too keeps its address, and says who does', async () => {
  const t = await anIpamTest();
  await aPool(t.api);
  await aClaim(t.api, 'a', { finalizers: [DATA] });
  await t.pass(seconds(1));

  await t.api.delete(IPClaim, at('a'));
  await t.pass(seconds(120));
  const held = await claimNamed(t.api, 'a');
  const before = await addresses(t.api);
  await t.api.patch(IPClaim, at('a'), { metadata: { finalizers: [OURS] } });
  await t.pass(0);

  assert.equal(said(held, 'Deleting'), `True InUse: Waiting for those who use its address to take off ${DATA}`);
  assert.deepEqual(before, ['a 192.168.0.10']);
  assert.deepEqual([await addresses(t.api), await claimNamed(t.api, 'a')], [[], undefined]);
  await t.stop();
});

test('a claim that is deleted before it was served goes, and so does one that never had the finalizer', async () => {
  const t = await anIpamTest();
  await aClaim(t.api, 'a', { finalizers: [OURS] });
  await aClaim(t.api, 'b');
  await t.pass(0);

  for (const name of ['a', 'b']) await t.api.delete(IPClaim, at(name));
  await t.pass(0);

  assert.deepEqual((await t.api.list(IPClaim)).items, []);
  await t.stop();
});

test('deletion takes four writes: the address is let go of and deleted, then the claim goes', async () => {
  const t = await anIpamTest();
  await aPool(t.api);
  await aClaim(t.api, 'a');
  await t.pass(seconds(2));
  t.writes.length = 0;

  await t.api.delete(IPClaim, at('a'));
  await t.pass(0);

  const address = 'ipaddresses/ip-192-168-0-10';
  assert.deepEqual(t.writes, [`PATCH ${address}`, `DELETE ${address}`, 'PATCH ipclaims/a']);
  assert.deepEqual(t.reads, []);
  await t.stop();
});

test('ipam-g1: claims of an exhausted pool say so, and each address that is freed goes to one of them at once', async () => {
  const t = await anIpamTest();
  await aPool(t.api, { pools: [{ start: '10.0.0.1', end: '10.0.0.2' }] });
  for (const name of ['a', 'b']) await aClaim(t.api, name);
  await t.pass(seconds(1));
  for (const name of ['c', 'd']) await aClaim(t.api, name);
  await t.pass(seconds(1));
  const told = [await claimNamed(t.api, 'c'), await claimNamed(t.api, 'd')];

  await t.api.delete(IPClaim, at('a'));
  await t.pass(0);
  const first = await addresses(t.api);
  await t.api.delete(IPClaim, at('b'));
  await t.pass(0);

  assert.deepEqual(
    told.map(claim => [claim?.status?.errorMessage, said(claim)]),
    Array(2).fill([undefined, 'False PoolExhausted: Exhausted IP Pools']),
  );
  assert.deepEqual(first, ['c 10.0.0.1', 'b 10.0.0.2']);
  assert.deepEqual(await addresses(t.api), ['c 10.0.0.1', 'd 10.0.0.2']);
  assert.equal((await claimNamed(t.api, 'c'))?.status?.errorMessage, undefined);
  await t.stop();
});

test('an exhausted claim is served as soon as the pool has more', async () => {
  const t = await anIpamTest();
  await aPool(t.api, { pools: [] });
  await aClaim(t.api, 'a');
  await t.pass(seconds(1));

  await t.api.patch(IPPool, at('pool'), { spec: { pools: [{ subnet: 'fd00::/64' }] } });
  await t.pass(0);

  assert.deepEqual(await addresses(t.api), ['a fd00::1']);
  await t.stop();
});

test('a claim waits for its pool to be there, says so without an error, and is served when it comes', async () => {
  const t = await anIpamTest();
  await aClaim(t.api, 'a');
  await t.pass(seconds(1));
  const told = await claimNamed(t.api, 'a');

  await aPool(t.api);
  await t.pass(0);

  assert.equal(said(told), 'False PoolNotReady: Waiting for IPPool pool to be there');
  assert.equal(told?.status?.errorMessage, undefined);
  assert.deepEqual(await addresses(t.api), ['a 192.168.0.10']);
  await t.stop();
});

test('ipam-g12: a claim that names a pool of another namespace says so, and can be deleted', async () => {
  const t = await anIpamTest();
  await aPool(t.api);
  const spec = { pool: { name: 'pool', namespace: 'other' } };
  await t.api.create(IPClaim, {
    apiVersion: 'ipam.metal3.io/v1alpha1',
    kind: 'IPClaim',
    metadata: { name: 'a', namespace: 'metal' },
    spec,
  });

  await t.pass(seconds(1));

  const message = 'spec.pool.namespace is "other": a claim is served from pools of its own namespace alone';
  assert.equal(said(await claimNamed(t.api, 'a')), `False PoolOutOfReach: ${message}`);
  assert.deepEqual(await addresses(t.api), []);
  await t.api.delete(IPClaim, at('a'));
  assert.equal(await claimNamed(t.api, 'a'), undefined);
  await t.stop();
});

test('metal-7.22: with a cool-down a freed address is given out when that has ended, and the claim waits for that', async () => {
  const t = await anIpamTest({ settings: { coolDownMs: seconds(45) } });
  await aPool(t.api, { pools: [{ start: '10.0.0.1', end: '10.0.0.1' }] });
  await aClaim(t.api, 'a');
  await t.pass(seconds(1));
  await aClaim(t.api, 'b');
  await t.api.delete(IPClaim, at('a'));

  await t.pass(seconds(44));
  const before = await addresses(t.api);
  await t.pass(seconds(2));

  assert.deepEqual([before, await addresses(t.api)], [[], ['b 10.0.0.1']]);
  await t.stop();
});

test('metal-G14: a claim that is made anew gets an address of its own, whatever its predecessor has left', async () => {
  const t = await anIpamTest({ only: ['ipam-claim', 'ipam-pool'] });
  await aPool(t.api);
  const before = await aClaim(t.api, 'a');
  await t.pass(seconds(1));
  // While the controllers are away: they would put the finalizer on again at once.
  await t.halt();
  await t.api.patch(IPClaim, at('a'), { metadata: { finalizers: [] } });
  await t.api.delete(IPClaim, at('a'));

  const after = await aClaim(t.api, 'a');
  await t.restart();
  await t.pass(seconds(1));

  const { items } = await t.api.list(IPAddress);
  assert.deepEqual(
    items.map(({ spec, metadata }) => [spec?.address, metadata.ownerReferences?.[1]?.uid]),
    [
      ['192.168.0.10', before.metadata.uid],
      ['192.168.0.11', after.metadata.uid],
    ],
  );
  await t.stop();
});

test('ipam-g5: a name that another pool has given out is passed over, at once and without a loop', async () => {
  const t = await anIpamTest();
  await aPool(t.api, {}, 'pool');
  await aPool(t.api, {}, 'twin');
  for (const name of ['a', 'b']) await aClaim(t.api, name, {}, 'twin');
  await t.pass(seconds(1));
  t.writes.length = 0;

  await aClaim(t.api, 'c');
  await t.pass(seconds(1));

  assert.deepEqual(await addresses(t.api), ['a 192.168.0.10', 'b 192.168.0.11', 'c 192.168.0.12']);
  assert.equal(t.writes.filter(write => write === 'POST ipaddresses').length, 1);
  await t.stop();
});

test('a claim that names no pool, as upstream lets it be, says so, and can be deleted with all finalizers on it', async () => {
  const t = await anIpamTest({ definitions: 'upstream' });
  await aClaim(t.api, 'a', { finalizers: [OURS] }, '');
  await t.pass(seconds(1));

  await t.api.delete(IPClaim, at('a'));
  await t.pass(0);

  assert.deepEqual(t.told, ['Warning PoolOutOfReach: spec.pool names no pool']);
  assert.equal(await claimNamed(t.api, 'a'), undefined);
  await t.stop();
});

test('a claim whose address clusterctl moves away waits for that, and writes nothing to it', async () => {
  const t = await anIpamTest();
  await aPool(t.api);
  await aClaim(t.api, 'a');
  await t.pass(seconds(1));
  const address = at('ip-192-168-0-10');
  await t.api.patch(IPAddress, address, { metadata: { annotations: { [DELETE_FOR_MOVE]: '' } } });
  await t.api.delete(IPClaim, at('a'));

  await t.pass(minutes(2));
  const [held, claim] = [await t.api.find(IPAddress, address), await claimNamed(t.api, 'a')];
  await t.api.patch(IPAddress, address, { metadata: { annotations: { [DELETE_FOR_MOVE]: null } } });
  await t.pass(minutes(1));

  assert.deepEqual([held?.metadata.finalizers?.length, held?.metadata.deletionTimestamp], [1, undefined]);
  assert.match(said(claim, 'Deleting') ?? '', /^True BeingMoved: .*ip-192-168-0-10 to be moved away/);
  assert.equal(await claimNamed(t.api, 'a'), undefined);
  await t.stop();
});
