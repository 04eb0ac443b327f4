// Leases that were removed by force where the lease is of Cluster API's kind, or went together with its Data.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { minutes, seconds } from '../../base/clock.ts';
import { BareMetalHost } from '../../kinds/generated/bare-metal-host.generated.ts';
import { CapiIPAddress } from '../../kinds/generated/capi-ip-address.generated.ts';
import { IPAddress } from '../../kinds/generated/ip-address.generated.ts';
import { IPAddressClaim } from '../../kinds/generated/ip-address-claim.generated.ts';
import { IPClaim } from '../../kinds/generated/ip-claim.generated.ts';
import { Metal3Data } from '../../kinds/generated/metal3-data.generated.ts';
import { Metal3DataClaim } from '../../kinds/generated/metal3-data-claim.generated.ts';
import { Metal3Machine } from '../../kinds/generated/metal3-machine.generated.ts';
import {
  GIVEN_ADDRESSES_ANNOTATION,
  LET_GO_ANNOTATION,
  METAL3_DATA_FINALIZER,
  REQUESTED_ADDRESS_ANNOTATION,
} from '../../kinds/metal-wire.ts';
import { Secret } from '../../kube/core/other.ts';
import { at, put, said } from '../objects.testing.ts';
import { NS } from '../workload/world.testing.ts';
import { dataNamed } from './data-world.testing.ts';
import { aRunningHost, hostIs, LEASE, leaseOf, torn } from './running-host.testing.ts';

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

test('a lease whose address is gone with it is made again, and asks for the address that the secrets were rendered with (metal-h1)', async () => {
  const t = await aRunningHost();
  await t.api.delete(IPAddress, at(LEASE));

  await torn(t, IPClaim, LEASE);

  const lease = await leaseOf(t);
  const [secret] = (await t.api.list(Secret)).items.filter(({ metadata }) => metadata.name === 'm0-metadata');
  assert.equal(lease?.metadata.annotations?.[REQUESTED_ADDRESS_ANNOTATION], '192.0.2.10');
  assert.deepEqual(lease?.spec?.pool, { name: 'pool', namespace: NS });
  assert.match(secret?.metadata.annotations?.[GIVEN_ADDRESSES_ANNOTATION] ?? '', /"address":"192.0.2.10"/);
  await t.stop();
});

test('a lease that somebody made anew, and which has another address, is told (metal-h1)', async () => {
  const t = await aRunningHost();
  await put(t.api, IPAddress, 'another', {
    spec: { address: '192.0.2.99', pool: { name: 'pool' }, claim: { name: LEASE } },
  });

  await t.api.patch(IPClaim, at(LEASE), { status: { address: { name: 'another' } } }, { subresource: 'status' });
  await t.pass(seconds(1));

  assert.match(
    said(await t.api.get(Metal3Data, at('abc-0')), 'Ready'),
    /^False AddressLost: .*to get 192\.0\.2\.10 again.*it got 192\.0\.2\.99/,
  );
  await t.stop();
});

test('what a Data lets go of bears its mark, though it was robbed of its finalizer before (ipam-15)', async () => {
  for (const isRobbed of [false, true]) {
    const t = await aRunningHost();
    const uid = (await dataNamed(t, 'abc-0'))?.metadata.uid;
    const held = (...finalizers: readonly string[]) => ({ metadata: { finalizers: ['test/held', ...finalizers] } });
    await t.api.patch(IPClaim, at(LEASE), held(METAL3_DATA_FINALIZER));
    if (isRobbed) await t.api.delete(IPClaim, at(LEASE));
    if (isRobbed) await t.api.patch(IPClaim, at(LEASE), held());
    await hostIs(t, 'available');
    await t.api.patch(BareMetalHost, at('host-m0'), { spec: { image: null, consumerRef: null } });
    await t.api.delete(Metal3Machine, at('m0'));
    const before = (await leaseOf(t))?.metadata.annotations?.[LET_GO_ANNOTATION];

    await t.api.delete(Metal3DataClaim, at('m0'));
    await t.pass(seconds(5));

    assert.deepEqual([before, (await leaseOf(t))?.metadata.annotations?.[LET_GO_ANNOTATION]], [undefined, uid]);
    await t.stop();
  }
});
