// Claims, Datas and leases that are removed by force, or robbed of a finalizer, while a host runs with them (metal-h1).

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seconds } from '../../base/clock.ts';
import { BareMetalHost } from '../../kinds/generated/bare-metal-host.generated.ts';
import { IPClaim } from '../../kinds/generated/ip-claim.generated.ts';
import { Metal3Data } from '../../kinds/generated/metal3-data.generated.ts';
import { Metal3DataClaim } from '../../kinds/generated/metal3-data-claim.generated.ts';
import { Metal3Machine } from '../../kinds/generated/metal3-machine.generated.ts';
import { IP_CLAIM_FINALIZER, METAL3_DATA_FINALIZER } from '../../kinds/metal-wire.ts';
import { at, ownedBy, put, said } from '../objects.testing.ts';
import { aClaim, claimNamed, dataNamed, renderedBy, secretText } from './data-world.testing.ts';
import { aRunningHost, hostIs, LEASE, leaseOf, torn } from './running-host.testing.ts';

test('a Data whose Claim was removed by force stays with all it holds while the host runs, and names it (metal-S9, metal-h1)', async () => {
  const t = await aRunningHost();

  await torn(t, Metal3DataClaim, 'm0');

  const data = await t.api.get(Metal3Data, at('abc-0'));
  assert.equal(
    said(data, data.metadata.deletionTimestamp === undefined ? 'Ready' : 'Deleting')
      .split(': ')
      .slice(0, 2)
      .join(': '),
    `${data.metadata.deletionTimestamp === undefined ? 'False' : 'True'} HostInUse: Waiting for BareMetalHost host-m0 to be emptied`,
  );
  assert.ok((await leaseOf(t))?.metadata.finalizers?.includes(METAL3_DATA_FINALIZER));
  await aClaim(t, 'm9');
  await t.pass(seconds(1));
  assert.equal(await renderedBy(t, 'm9'), 'abc-1', 'its index is taken');
  await t.stop();
});

test('it goes, by the watch alone, once its machine is gone and the host was emptied and is off', async () => {
  const t = await aRunningHost();
  await torn(t, Metal3DataClaim, 'm0');
  await t.api.delete(Metal3Machine, at('m0'));
  await t.pass(0);
  const held = await dataNamed(t, 'abc-0');

  await t.api.patch(BareMetalHost, at('host-m0'), { spec: { image: null, online: false } });
  await hostIs(t, 'deprovisioning');
  const still = await dataNamed(t, 'abc-0');
  await hostIs(t, 'available');
  await t.pass(seconds(3));

  assert.ok(held !== undefined && still !== undefined);
  assert.equal(await dataNamed(t, 'abc-0'), undefined);
  assert.deepEqual((await leaseOf(t))?.metadata.finalizers, [IP_CLAIM_FINALIZER]);
  await t.stop();
});

test('a Claim that is made again for the same machine takes up the Data that stands; one of another machine does not (metal-S9, metal-G14)', async () => {
  for (const uid of [undefined, 'another']) {
    const t = await aRunningHost();
    const before = await dataNamed(t, 'abc-0');
    const machine = ownedBy(Metal3Machine, await t.api.get(Metal3Machine, at('m0')));
    await torn(t, Metal3DataClaim, 'm0');

    const owner = { ...machine, ...(uid === undefined ? {} : { uid }) };
    await put(t.api, Metal3DataClaim, 'm0', {
      metadata: { ownerReferences: [owner] },
      spec: { template: { name: 'abc' } },
    });
    await t.pass(seconds(1));

    const now = await dataNamed(t, 'abc-0');
    const claim = await claimNamed(t, 'm0');
    const isTaken = now?.metadata.ownerReferences?.some(each => each.uid === claim?.metadata.uid) === true;
    assert.equal(now?.metadata.uid, before?.metadata.uid);
    assert.equal(isTaken, uid === undefined);
    assert.equal(await renderedBy(t, 'm0'), uid === undefined ? 'abc-0' : 'abc-1');
    await t.stop();
  }
});

test('a Data that was removed by force is made again with its index, and takes over the lease: the address is the same (metal-S11)', async () => {
  const t = await aRunningHost();
  const [before, lease] = [await dataNamed(t, 'abc-0'), await leaseOf(t)];
  const text = await secretText(t, 'm0-metadata');

  await torn(t, Metal3Data, 'abc-0');
  await t.pass(seconds(40));

  const now = await dataNamed(t, 'abc-0');
  const owner = (await leaseOf(t))?.metadata.ownerReferences?.[0]?.uid;
  assert.notEqual(now?.metadata.uid, before?.metadata.uid);
  assert.equal(now?.status?.ready, true);
  assert.deepEqual([(await leaseOf(t))?.metadata.uid, owner], [lease?.metadata.uid, now?.metadata.uid]);
  assert.equal(await secretText(t, 'm0-metadata'), text);
  await t.stop();
});

test('a lease that lost the finalizer of its Data gets it back, so that an ordinary deletion frees nothing (metal-h1)', async () => {
  const t = await aRunningHost();
  await t.api.patch(IPClaim, at(LEASE), { metadata: { finalizers: [IP_CLAIM_FINALIZER] } });

  await t.pass(0);

  assert.deepEqual((await leaseOf(t))?.metadata.finalizers, [IP_CLAIM_FINALIZER, METAL3_DATA_FINALIZER]);
  await t.stop();
});

test('a lease that was removed by force is made again and asks for the address that the host has; a refusal is told (metal-h1)', async () => {
  const t = await aRunningHost();

  await torn(t, IPClaim, LEASE);

  const lease = await leaseOf(t);
  assert.equal(lease?.metadata.annotations?.ipAddress, '192.0.2.10');
  assert.equal(lease?.metadata.ownerReferences?.[0]?.uid, (await dataNamed(t, 'abc-0'))?.metadata.uid);
  const condition = { type: 'Ready', status: 'False', reason: 'AllocationFailed', message: 'held by another' };
  const conditions = [{ ...condition, lastTransitionTime: '2026-01-01T00:00:00Z' }];
  await t.api.patch(IPClaim, at(LEASE), { status: { conditions } }, { subresource: 'status' });
  await t.pass(seconds(1));
  assert.match(
    said(await t.api.get(Metal3Data, at('abc-0')), 'Ready'),
    /^False AddressLost: .*192\.0\.2\.10 again.*held by another/,
  );
  await t.stop();
});
