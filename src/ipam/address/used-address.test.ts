// Addresses whose claim was removed by force while a Metal3Data is there: its host may run with them, whoever asks for them.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { minutes, seconds } from '../../base/clock.ts';
import { CapiIPAddress } from '../../kinds/generated/capi-ip-address.generated.ts';
import { IPAddress } from '../../kinds/generated/ip-address.generated.ts';
import { IPAddressClaim } from '../../kinds/generated/ip-address-claim.generated.ts';
import { IPClaim } from '../../kinds/generated/ip-claim.generated.ts';
import { IPPool } from '../../kinds/generated/ip-pool.generated.ts';
import metalDefinitions from '../../kinds/generated/metal-definitions.generated.json' with { type: 'json' };
import { Metal3Data } from '../../kinds/generated/metal3-data.generated.ts';
import { CLAIM_LOST_ANNOTATION } from '../../kinds/metal-wire.ts';
import { CustomResourceDefinition } from '../../kube/core/other.ts';
import { type Kind, resourceName } from '../../kube/kind.ts';
import type { KubeObject } from '../../kube/object.ts';
import {
  aCapiClaim,
  aClaim,
  addresses,
  aPool,
  at,
  CAPI_KINDS,
  capiAddresses,
  claimNamed,
  METAL3_KINDS,
  objectOf,
  poolNamed,
} from '../objects.testing.ts';
import { anIpamTest, type IpamTest } from '../world.testing.ts';

const LEASE = 'abc-0-pool';
const HELD = { finalizers: ['test/held'] };
const KINDS = [...METAL3_KINDS, ...CAPI_KINDS, Metal3Data];
const IP = 'ip-192-168-0-10';

/** Lease `abc-0-pool` of either kind with an address; the Data that it is for is there. */
async function aLease(kind: Kind = IPClaim, kinds = KINDS): Promise<IpamTest> {
  const t = await anIpamTest({ kinds });
  await aPool(t.api);
  const spec = { index: 0, claim: { name: 'm0' }, template: { name: 'abc' } };
  if (kinds.includes(Metal3Data)) await t.api.create(Metal3Data, objectOf(Metal3Data, 'abc-0', spec));
  await (kind === IPClaim ? aClaim : aCapiClaim)(t.api, LEASE, HELD);
  await t.pass(seconds(1));
  return t;
}

async function torn(t: IpamTest, kind: Kind, name: string): Promise<void> {
  await t.api.delete(kind, at(name));
  await t.pass(0);
  await t.api.patch(kind, at(name), { metadata: { finalizers: [] } });
  await t.pass(0);
}

/** As the garbage collector does it: with an owner that stays the others are taken off, with none the object goes. */
async function collected(t: IpamTest, kind: Kind, name: string): Promise<void> {
  const object: KubeObject = await t.api.get(kind, at(name));
  const ownerReferences = object.metadata.ownerReferences?.filter(owner => owner.kind === 'IPPool');
  if ((await poolNamed(t.api)) === undefined) await t.api.delete(kind, at(name));
  else await t.api.patch(kind, at(name), { metadata: { ownerReferences } });
  await t.pass(0);
}

test('an address of a lost claim of either kind stays as long as its Data does, and goes within a minute after it (ipam-14, metal-h1)', async () => {
  for (const [kind, address, given] of [
    [IPClaim, IPAddress, addresses],
    [IPAddressClaim, CapiIPAddress, capiAddresses],
  ] as const) {
    const t = await aLease(kind);

    await torn(t, kind, LEASE);
    await collected(t, address, IP);
    await t.pass(minutes(60));
    await aClaim(t.api, 'other');
    await t.pass(seconds(1));
    const held = await given(t.api);
    await t.api.delete(Metal3Data, at('abc-0'));
    await t.pass(minutes(1));

    assert.ok(held.includes(`${LEASE} 192.168.0.10`), held.join());
    assert.ok((await addresses(t.api)).includes('other 192.168.0.11'));
    assert.ok(!(await given(t.api)).includes(`${LEASE} 192.168.0.10`));
    assert.ok(
      t.told.some(each => /Warning ClaimLost: .*removed by force.*as long as Metal3Data abc-0 is there/.test(each)),
    );
    await t.stop();
  }
});

test('so it does when the garbage collector asks for it because its pool went too, and a pool of that name gives it to nobody (ipam-14)', async () => {
  const t = await aLease();
  await torn(t, IPPool, 'pool');
  await torn(t, IPClaim, LEASE);
  await collected(t, IPAddress, IP);
  await t.pass(minutes(10));

  await aPool(t.api);
  await aClaim(t.api, 'other');
  await t.pass(seconds(1));

  assert.deepEqual(await addresses(t.api), [`${LEASE} 192.168.0.10`, 'other 192.168.0.11']);
  await t.stop();
});

test('a claim of that name that asks for an address which is being deleted has it made again, and nobody else gets it (ipam-14, metal-S16)', async () => {
  for (const how of ['at once', 'after a restart'] as const) {
    const t = await aLease();
    await torn(t, IPPool, 'pool');
    await torn(t, IPClaim, LEASE);
    await collected(t, IPAddress, IP);
    await aPool(t.api);
    await t.pass(seconds(1));
    const before = await t.api.get(IPAddress, at(IP));
    if (how === 'after a restart') await t.halt();

    await aClaim(t.api, '0-other');
    await aClaim(t.api, LEASE, { annotations: { ipAddress: '192.168.0.10' } });
    if (how === 'after a restart') await t.restart();
    await t.pass(seconds(5));

    const now = await t.api.get(IPAddress, at(IP));
    assert.deepEqual(await addresses(t.api), [`${LEASE} 192.168.0.10`, '0-other 192.168.0.11']);
    assert.notEqual(now.metadata.uid, before.metadata.uid);
    assert.equal((await claimNamed(t.api, LEASE))?.status?.address?.name, IP);
    await t.stop();
  }
});

test('an address of which the garbage collector took the owner is lost all the same: without a Data it goes after two minutes (ipam-g10, ipam-14)', async () => {
  for (const kinds of [KINDS, [...METAL3_KINDS, ...CAPI_KINDS]]) {
    const t = await aLease(IPClaim, kinds);
    if (kinds === KINDS) await t.api.delete(Metal3Data, at('abc-0'));
    await t.halt();
    await torn(t, IPClaim, LEASE);
    await collected(t, IPAddress, IP);

    await t.restart();
    await t.pass(seconds(110));
    const kept = await t.api.get(IPAddress, at(IP));
    await t.pass(seconds(11));

    assert.notEqual(kept.metadata.annotations?.[CLAIM_LOST_ANNOTATION], undefined);
    assert.deepEqual(await addresses(t.api), []);
    await t.stop();
  }
});

test('a Data whose lease has another address by now does not keep the one before', async () => {
  const t = await aLease();
  await torn(t, IPClaim, LEASE);
  await aClaim(t.api, LEASE);
  await t.pass(minutes(3));

  assert.deepEqual(await addresses(t.api), [`${LEASE} 192.168.0.11`]);
  await t.stop();
});

test('an address that is being deleted goes only once the status of its claim is stored, which keeps it from others (ipam-14)', async () => {
  let isRefused = false;
  const t = await anIpamTest({
    kinds: KINDS,
    rechecks: 'outside only',
    between: next => request =>
      isRefused && request.path.endsWith('/status')
        ? Promise.resolve({ status: 500, headers: {}, body: new Uint8Array() })
        : next(request),
  });
  await aPool(t.api);
  await aClaim(t.api, LEASE, HELD);
  await t.pass(seconds(1));
  isRefused = true;
  await torn(t, IPClaim, LEASE);
  const before = await t.api.get(IPAddress, at(IP));
  await t.api.delete(IPAddress, at(IP));
  await aClaim(t.api, LEASE, { annotations: { ipAddress: '192.168.0.10' } });

  await t.pass(minutes(1));
  const held = await t.api.find(IPAddress, at(IP));
  isRefused = false;
  await t.pass(minutes(2));

  assert.equal(held?.metadata.uid, before.metadata.uid);
  assert.notEqual((await t.api.get(IPAddress, at(IP))).metadata.uid, before.metadata.uid);
  await t.stop();
});

test('a Data counts in whichever version is served', async () => {
  const t = await aLease(IPClaim, [...METAL3_KINDS, ...CAPI_KINDS]);
  const [definition] = metalDefinitions.filter(({ metadata }) => metadata.name === resourceName(Metal3Data));
  const [version] = definition?.spec.versions.filter(({ name }) => name === 'v1beta1') ?? [];
  assert.ok(definition !== undefined && version !== undefined);
  const spec = { ...definition.spec, versions: [{ ...version, storage: true }] };
  await t.api.create<CustomResourceDefinition>(CustomResourceDefinition, { ...definition, spec });
  const older = { ...Metal3Data, version: 'v1beta1' };
  await t.api.create(older, objectOf(older, 'abc-0', { index: 0, claim: { name: 'm0' }, template: { name: 'abc' } }));

  await torn(t, IPClaim, LEASE);
  await t.pass(minutes(10));

  assert.deepEqual(await addresses(t.api), [`${LEASE} 192.168.0.10`]);
  await t.stop();
});

test('while nobody can tell whether its Data is there an address stays (safe-1)', async () => {
  let isBroken = false;
  const t = await anIpamTest({
    kinds: KINDS,
    between: next => request =>
      isBroken && request.path.includes('/metal3datas/')
        ? Promise.resolve({ status: 500, headers: {}, body: new Uint8Array() })
        : next(request),
  });
  await aPool(t.api);
  await aClaim(t.api, LEASE, HELD);
  await t.pass(seconds(1));
  isBroken = true;

  await torn(t, IPClaim, LEASE);
  await t.pass(minutes(30));
  const held = await addresses(t.api);
  isBroken = false;
  await t.pass(minutes(30));

  assert.deepEqual([held, await addresses(t.api)], [[`${LEASE} 192.168.0.10`], []]);
  await t.stop();
});
