import assert from 'node:assert/strict';
import { test } from 'node:test';
import { minutes, seconds } from '../../base/clock.ts';
import { CapiIPAddress } from '../../kinds/generated/capi-ip-address.generated.ts';
import { IPAddress } from '../../kinds/generated/ip-address.generated.ts';
import { IPClaim } from '../../kinds/generated/ip-claim.generated.ts';
import { IPPool } from '../../kinds/generated/ip-pool.generated.ts';
import { CLAIM_LOST_ANNOTATION } from '../../kinds/metal-wire.ts';
import { DELETE_FOR_MOVE, PAUSED_ANNOTATION } from '../../kinds/wire.ts';
import {
  aCapiClaim,
  aClaim,
  addresses,
  anAddress,
  aPool,
  at,
  capiAddresses,
  claimNamed,
  left,
  ownedBy,
  poolNamed,
} from '../objects.testing.ts';
import { anIpamTest, type IpamTest } from '../world.testing.ts';

const FINALIZER = 'ipaddress.ipam.metal3.io';

test('metal-S16, ipam-g4: an address that somebody deletes is made again for its claim, of both kinds, and is the same', async () => {
  const t = await anIpamTest();
  await aPool(t.api);
  for (const name of ['a', 'b']) await aClaim(t.api, name);
  await t.pass(seconds(1));
  await aCapiClaim(t.api, 'c');
  await t.pass(seconds(1));
  const before = await t.api.get(IPAddress, at('ip-192-168-0-10'));

  await t.api.delete(IPAddress, at('ip-192-168-0-10'));
  await t.api.delete(CapiIPAddress, at('ip-192-168-0-12'));
  await aClaim(t.api, 'd');
  await t.pass(seconds(1));

  assert.deepEqual(await addresses(t.api), ['a 192.168.0.10', 'b 192.168.0.11', 'd 192.168.0.13']);
  assert.deepEqual(await capiAddresses(t.api), ['c 192.168.0.12']);
  assert.notEqual((await t.api.get(IPAddress, at('ip-192-168-0-10'))).metadata.uid, before.metadata.uid);
  assert.equal((await claimNamed(t.api, 'a'))?.status?.address?.name, 'ip-192-168-0-10');
  await t.stop();
});

test('metal-S16: so it is when the address went while nobody looked, whoever else wants one', async () => {
  const t = await anIpamTest();
  await aPool(t.api);
  await aClaim(t.api, 'a');
  await t.pass(seconds(1));
  await t.halt();
  await t.api.patch(IPAddress, at('ip-192-168-0-10'), { metadata: { finalizers: [] } });
  await t.api.delete(IPAddress, at('ip-192-168-0-10'));
  await aClaim(t.api, '0', { finalizers: ['ipclaim.ipam.metal3.io'] });
  await aCapiClaim(t.api, '0', { finalizers: ['ipam.metal3.io/ipaddressclaim'] });

  await t.restart();
  await t.pass(seconds(2));

  const given = [...(await addresses(t.api)), ...(await capiAddresses(t.api))].toSorted();
  assert.equal(
    given.find(each => each.startsWith('a ')),
    'a 192.168.0.10',
  );
  assert.equal(new Set(given.map(each => each.split(' ')[1])).size, 3);
  await t.stop();
});

test('metal-S15: the address of a deleted claim that is in use stays, even when it is deleted too', async () => {
  const t = await anIpamTest();
  await aPool(t.api);
  await aClaim(t.api, 'a', { finalizers: ['x.test/y'] });
  await t.pass(seconds(1));

  await t.api.delete(IPClaim, at('a'));
  await t.api.delete(IPAddress, at('ip-192-168-0-10'));
  await t.pass(minutes(5));
  const held = await addresses(t.api);
  await t.api.patch(IPClaim, at('a'), { metadata: { finalizers: ['ipclaim.ipam.metal3.io'] } });
  await t.pass(0);

  assert.deepEqual([held, await addresses(t.api)], [['a 192.168.0.10'], []]);
  await t.stop();
});

/** As a person does who takes the finalizers off a claim that others hold, and that is to go. */
async function torn(t: IpamTest, name: string): Promise<void> {
  await t.api.delete(IPClaim, at(name));
  await t.pass(0);
  await t.api.patch(IPClaim, at(name), { metadata: { finalizers: [] } });
}

const HELD = { finalizers: ['test/held'] };

test('ipam-g10: an address whose claim was removed by force is kept for two minutes, says so, and goes, after a restart too', async () => {
  for (const how of ['event', 'restart'] as const) {
    const t = await anIpamTest();
    await aPool(t.api);
    await aClaim(t.api, 'a', HELD);
    await aCapiClaim(t.api, 'b');
    await t.pass(seconds(1));
    if (how === 'restart') await t.halt();
    await torn(t, 'a');

    if (how === 'restart') await t.restart();
    await t.pass(seconds(110));
    const kept = await addresses(t.api);
    await t.pass(seconds(11));

    assert.deepEqual([kept, await addresses(t.api)], [['a 192.168.0.10'], []]);
    assert.deepEqual(t.reads, how === 'restart' ? ['ipclaims/a', 'ipclaims/a'] : []);
    await t.stop();
  }
});

test('ipam-14: a lost address is the claim’s that comes back under the name and asks for it, and stays with it', async () => {
  const t = await anIpamTest();
  await aPool(t.api);
  await aClaim(t.api, 'a', HELD);
  await t.pass(seconds(1));
  const before = await t.api.get(IPAddress, at('ip-192-168-0-10'));
  await torn(t, 'a');
  await aClaim(t.api, 'other');
  await t.pass(seconds(1));

  const claim = await aClaim(t.api, 'a', { annotations: { ipAddress: '192.168.0.10' } });
  await t.pass(minutes(5));

  const { metadata } = await t.api.get(IPAddress, at('ip-192-168-0-10'));
  assert.deepEqual(await addresses(t.api), ['a 192.168.0.10', 'other 192.168.0.11']);
  assert.equal(metadata.uid, before.metadata.uid);
  assert.ok(metadata.ownerReferences?.some(({ uid }) => uid === claim.metadata.uid));
  assert.equal(metadata.annotations?.[CLAIM_LOST_ANNOTATION], undefined);
  await t.stop();
});

test('an address that was made by hand, without our finalizer, is nobody\u2019s to delete, and is not given out', async () => {
  const t = await anIpamTest();
  await aPool(t.api);
  await anAddress(t.api, '192.168.0.10', 'nobody');
  await aClaim(t.api, 'a');

  await t.pass(minutes(30));

  assert.deepEqual(await addresses(t.api), ['nobody 192.168.0.10', 'a 192.168.0.11']);
  await t.stop();
});

test('an address without an owner is its claim\u2019s by name; when that is gone it goes with its pool', async () => {
  const t = await anIpamTest();
  await aPool(t.api);
  await anAddress(t.api, '192.168.0.17', 'a', { finalizers: [FINALIZER] });
  await anAddress(t.api, '192.168.0.18', 'gone', { finalizers: [FINALIZER] });
  await aClaim(t.api, 'a');
  await t.pass(minutes(5));
  const before = await addresses(t.api);
  const bound = await claimNamed(t.api, 'a');

  await t.api.delete(IPPool, at('pool'));
  await t.api.delete(IPClaim, at('a'));
  await t.pass(seconds(2));

  assert.deepEqual(before, ['a 192.168.0.17', 'gone 192.168.0.18']);
  assert.equal(bound?.status?.address?.name, 'ip-192-168-0-17');
  assert.deepEqual(await left(t.api), {});
  await t.stop();
});

test('nothing is written to what clusterctl moves away, or for its sake', async () => {
  const t = await anIpamTest();
  const annotations = { [DELETE_FOR_MOVE]: '' };
  await aPool(t.api);
  await aClaim(t.api, 'a');
  await t.pass(seconds(2));
  const move = { metadata: { annotations } };
  await t.api.patch(IPAddress, at('ip-192-168-0-10'), move);
  await t.api.patch(IPClaim, at('a'), move);
  await t.api.patch(IPPool, at('pool'), move);
  t.writes.length = 0;

  await t.api.delete(IPAddress, at('ip-192-168-0-10'));
  await t.api.delete(IPClaim, at('a'));
  await t.api.delete(IPPool, at('pool'));
  await t.pass(minutes(30));

  assert.deepEqual(t.writes, []);
  assert.notEqual(await poolNamed(t.api), undefined);
  await t.stop();
});

test('what was to go while its pool was paused goes when that ends, at once', async () => {
  const t = await anIpamTest();
  await aPool(t.api);
  await aClaim(t.api, 'a');
  await aClaim(t.api, 'b', HELD);
  await t.pass(seconds(2));
  const pause = (annotation: string | null): Promise<unknown> =>
    t.api.patch(IPPool, at('pool'), { metadata: { annotations: { [PAUSED_ANNOTATION]: annotation } } });
  await pause('');
  const before = await t.api.get(IPAddress, at('ip-192-168-0-10'));
  await t.api.delete(IPAddress, at('ip-192-168-0-10'));
  await torn(t, 'b');
  await t.pass(minutes(5));
  const paused = await addresses(t.api);

  await pause(null);
  await t.pass(seconds(1));
  const isLost = (await t.api.get(IPAddress, at('ip-192-168-0-11'))).metadata.annotations?.[CLAIM_LOST_ANNOTATION];
  await t.pass(minutes(2));

  assert.deepEqual([paused, await addresses(t.api)], [['a 192.168.0.10', 'b 192.168.0.11'], ['a 192.168.0.10']]);
  assert.notEqual(isLost, undefined);
  assert.notEqual((await t.api.get(IPAddress, at('ip-192-168-0-10'))).metadata.uid, before.metadata.uid);
  await t.stop();
});

test('after a move claims have no status: each finds its own address again, and no new one is given', async () => {
  const t = await anIpamTest();
  await t.halt();
  await aPool(t.api);
  const claims = [await aClaim(t.api, 'a'), await aClaim(t.api, 'b')];
  for (const [index, claim] of claims.entries()) {
    const metadata = { finalizers: [FINALIZER], ownerReferences: ownedBy(IPClaim, claim) };
    await anAddress(t.api, `192.168.0.${19 - index}`, claim.metadata.name, metadata);
  }

  await t.restart();
  await t.pass(seconds(2));

  assert.deepEqual(await addresses(t.api), ['b 192.168.0.18', 'a 192.168.0.19']);
  assert.equal((await claimNamed(t.api, 'a'))?.status?.address?.name, 'ip-192-168-0-19');
  await t.stop();
});
