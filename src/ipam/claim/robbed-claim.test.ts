// A claim that is being deleted without the finalizer of its Metal3Data: who took it off decides what becomes of its address.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { minutes, seconds } from '../../base/clock.ts';
import { IPClaim } from '../../kinds/generated/ip-claim.generated.ts';
import { Metal3Data } from '../../kinds/generated/metal3-data.generated.ts';
import { LET_GO_ANNOTATION, MADE_FOR_ANNOTATION, METAL3_DATA_FINALIZER } from '../../kinds/metal-wire.ts';
import { conditionOf } from '../../kube/conditions.ts';
import {
  aClaim,
  addresses,
  aPool,
  at,
  CAPI_KINDS,
  claimNamed,
  METAL3_KINDS,
  objectOf,
  ownedBy,
} from '../objects.testing.ts';
import { anIpamTest, type IpamTest } from '../world.testing.ts';

const LEASE = 'abc-0-pool';

/** A lease with an address, of a Data that is there. */
async function aLease(): Promise<IpamTest> {
  const t = await anIpamTest({ kinds: [...METAL3_KINDS, ...CAPI_KINDS, Metal3Data] });
  await aPool(t.api);
  const spec = { index: 0, claim: { name: 'm0' }, template: { name: 'abc' } };
  await t.api.create(Metal3Data, objectOf(Metal3Data, 'abc-0', spec, { finalizers: [METAL3_DATA_FINALIZER] }));
  const data = await t.api.get(Metal3Data, at('abc-0'));
  await aClaim(t.api, LEASE, { finalizers: [METAL3_DATA_FINALIZER], ownerReferences: ownedBy(Metal3Data, data) });
  await t.pass(seconds(1));
  return t;
}

async function deletedWithout(t: IpamTest, annotations: Readonly<Record<string, string>> = {}): Promise<void> {
  const { metadata } = await t.api.get(IPClaim, at(LEASE));
  const finalizers = metadata.finalizers?.filter(each => each !== METAL3_DATA_FINALIZER) ?? [];
  await t.api.patch(IPClaim, at(LEASE), { metadata: { finalizers, annotations } });
  await t.api.delete(IPClaim, at(LEASE));
  await t.pass(seconds(1));
}

test('a claim that was robbed of its finalizer keeps its address while its Data holds on, and says why (ipam-15, metal-h1)', async () => {
  const t = await aLease();

  await deletedWithout(t);
  await aClaim(t.api, 'other');
  await t.pass(minutes(5));
  const held = await addresses(t.api);
  const said = conditionOf(await t.api.get(IPClaim, at(LEASE)), 'Deleting');
  await t.api.patch(Metal3Data, at('abc-0'), { metadata: { finalizers: [] } });
  await t.pass(seconds(31));

  assert.deepEqual(held, [`${LEASE} 192.168.0.10`, 'other 192.168.0.11']);
  assert.equal(said?.reason, 'DataUsesIt');
  assert.match(said?.message ?? '', /Metal3Data abc-0, whose host may run with its address, to let go of it/);
  assert.deepEqual([await claimNamed(t.api, LEASE), await addresses(t.api)], [undefined, ['other 192.168.0.11']]);
  await t.stop();
});

test('one that was orphaned as well is known by what its Data has noted on it (ipam-15, metal-d)', async () => {
  const t = await aLease();
  const { metadata } = await t.api.get(Metal3Data, at('abc-0'));
  const annotations = { [MADE_FOR_ANNOTATION]: `abc-0/${metadata.uid}` };
  await t.api.patch(IPClaim, at(LEASE), { metadata: { ownerReferences: null, annotations } });

  await deletedWithout(t);
  await aClaim(t.api, 'other');
  await t.pass(minutes(5));

  assert.deepEqual(await addresses(t.api), [`${LEASE} 192.168.0.10`, 'other 192.168.0.11']);
  await t.stop();
});

test('one that its Data has let go of, or that another Data of that name is there for, goes at once; the first without a read (ipam-15, ipam-9)', async () => {
  for (const how of ['marked', 'of another'] as const) {
    const t = await aLease();
    const { metadata } = await t.api.get(Metal3Data, at('abc-0'));
    if (how === 'of another') {
      const ownerReferences = ownedBy(Metal3Data, await t.api.get(Metal3Data, at('abc-0'))).map(owner => ({
        ...owner,
        uid: 'earlier',
      }));
      await t.api.patch(IPClaim, at(LEASE), { metadata: { ownerReferences } });
    }

    await deletedWithout(t, how === 'marked' ? { [LET_GO_ANNOTATION]: metadata.uid ?? '' } : {});

    assert.deepEqual(await addresses(t.api), []);
    assert.deepEqual(t.reads, how === 'marked' ? [] : ['metal3datas/abc-0']);
    await t.stop();
  }
});
