// Leases that were removed by force where the lease is of Cluster API's kind, or went together with its Data.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { minutes, seconds } from '../../base/clock.ts';
import { CapiIPAddress } from '../../kinds/generated/capi-ip-address.generated.ts';
import { IPAddressClaim } from '../../kinds/generated/ip-address-claim.generated.ts';
import { IPClaim } from '../../kinds/generated/ip-claim.generated.ts';
import { Metal3Data } from '../../kinds/generated/metal3-data.generated.ts';
import { REQUESTED_ADDRESS_ANNOTATION } from '../../kinds/metal-wire.ts';
import { at, put, said } from '../objects.testing.ts';
import { dataNamed } from './data-world.testing.ts';
import { aRunningHost, LEASE, leaseOf, torn } from './running-host.testing.ts';

const POOL = { name: 'other', kind: 'InClusterIPPool', apiGroup: 'ipam.cluster.x-k8s.io' };
const CAPI_LEASE = 'abc-0-other';

const capiAddress = (name: string, address: string) => ({
  spec: { address, prefix: 24, poolRef: POOL, claimRef: { name } },
});

test('a lease of Cluster API that was removed by force is made again and asks for its address; another address is told (metal-h1)', async () => {
  const t = await aRunningHost();
  await put(t.api, CapiIPAddress, 'one', capiAddress(CAPI_LEASE, '198.51.100.7'));

  await t.restart();
  await t.pass(seconds(1));
  const lease = await t.api.get(IPAddressClaim, at(CAPI_LEASE));
  await put(t.api, CapiIPAddress, 'two', capiAddress('elsewhere', '198.51.100.8'));
  const addressRef = { name: 'two' };
  await t.api.patch(IPAddressClaim, at(CAPI_LEASE), { status: { addressRef } }, { subresource: 'status' });
  await t.pass(seconds(1));

  assert.equal(lease.metadata.annotations?.[REQUESTED_ADDRESS_ANNOTATION], '198.51.100.7');
  assert.deepEqual(lease.spec?.poolRef, POOL);
  assert.equal(lease.metadata.ownerReferences?.[0]?.uid, (await dataNamed(t, 'abc-0'))?.metadata.uid);
  assert.match(
    said(await t.api.get(Metal3Data, at('abc-0')), 'Ready'),
    /^False AddressLost: .*198\.51\.100\.7 again.*it got 198\.51\.100\.8/,
  );
  await t.stop();
});

test('a Data and its lease that were both removed by force: the lease that is made again asks for the address that is held (metal-S11, metal-S15)', async () => {
  let isAway = false;
  const t = await aRunningHost(next => request => {
    const isWrite = request.method !== 'GET';
    return isAway && isWrite ? Promise.resolve({ status: 503, headers: {}, body: new Uint8Array() }) : next(request);
  });
  const before = await dataNamed(t, 'abc-0');
  isAway = true;
  await torn(t, IPClaim, LEASE);
  await torn(t, Metal3Data, 'abc-0');
  isAway = false;

  await t.pass(minutes(10));

  assert.notEqual((await dataNamed(t, 'abc-0'))?.metadata.uid, before?.metadata.uid);
  assert.equal((await leaseOf(t))?.metadata.annotations?.[REQUESTED_ADDRESS_ANNOTATION], '192.0.2.10');
  await t.stop();
});
