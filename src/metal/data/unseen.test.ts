// What the caches of a Data do not show, or show late: a Claim that is there all the same, and what an earlier Data has left.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { minutes, seconds } from '../../base/clock.ts';
import { IPClaim } from '../../kinds/generated/ip-claim.generated.ts';
import { Metal3Data } from '../../kinds/generated/metal3-data.generated.ts';
import { Metal3DataClaim } from '../../kinds/generated/metal3-data-claim.generated.ts';
import { Metal3Machine } from '../../kinds/generated/metal3-machine.generated.ts';
import { METAL3_DATA_FINALIZER } from '../../kinds/metal-wire.ts';
import { Secret } from '../../kube/core/other.ts';
import type { Transport } from '../../kube/transport.ts';
import { aCluster, at, ownedBy, put, said } from '../objects.testing.ts';
import { dataController } from './controller.ts';
import {
  aClaim,
  aData,
  aDataTest,
  aServedClaim,
  aTemplate,
  claimOwner,
  dataNamed,
  LABELS,
} from './data-world.testing.ts';

/** Lists of Claims are empty, as of a server that is behind; single reads are not. */
const hidingClaims =
  (next: Transport): Transport =>
  async request => {
    const answer = await next(request);
    const isList = request.path.endsWith('/metal3dataclaims') && !request.query.includes('watch');
    if (request.method !== 'GET' || !isList) return answer;
    const list = JSON.parse(Buffer.from(answer.body).toString('utf8')) as object;
    return { ...answer, body: Buffer.from(JSON.stringify({ ...list, items: [] })) };
  };

test('a Claim that no cache shows, but the API does, keeps its Data and what that holds (metal-G3, metal-c, safe-1)', async () => {
  const t = await aDataTest(hidingClaims);
  const owner = claimOwner(await aClaim(t, 'm0'));
  const metadata = { labels: LABELS, ownerReferences: [owner] };
  const data = await aData(t, 'abc-0', { index: 0, claim: 'm0', metadata, status: { ready: true } });
  const going = await aData(t, 'abc-1', { index: 1, claim: 'm0', metadata, status: { ready: true } });
  await put(t.api, IPClaim, 'abc-1-pool', {
    metadata: { finalizers: [METAL3_DATA_FINALIZER], ownerReferences: [ownedBy(Metal3Data, going)] },
    spec: { pool: { name: 'pool' } },
  });
  await t.api.delete(Metal3Data, at('abc-1'));

  t.run(dataController());
  await t.pass(minutes(5));

  assert.equal((await dataNamed(t, 'abc-0'))?.metadata.deletionTimestamp, undefined);
  assert.equal((await dataNamed(t, 'abc-0'))?.metadata.finalizers?.length, data.metadata.finalizers?.length);
  assert.match(
    said(await t.api.get(Metal3Data, at('abc-1')), 'Deleting'),
    /^True \w+: Waiting for Metal3DataClaim m0, whose data this is, to go/,
  );
  assert.deepEqual((await t.api.get(IPClaim, at('abc-1-pool'))).metadata.finalizers, [METAL3_DATA_FINALIZER]);
  await t.stop();
});

test('a secret that shows late, of a Data that is gone, goes at once (metal-S11)', async () => {
  const t = await aDataTest();
  t.run(dataController());
  await t.pass(seconds(1));
  const owner = {
    apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta2',
    kind: 'Metal3Data',
    name: 'abc-8',
    uid: 'gone',
  };

  await put(t.api, Secret, 'm8-metadata', { metadata: { labels: LABELS, ownerReferences: [owner] } });
  await t.pass(seconds(1));

  assert.equal(await t.api.find(Secret, at('m8-metadata')), undefined);
  await t.stop();
});

test('a Claim that is deleted in the foreground waits for its Data, so that the Data does not wait for it', async () => {
  const t = await aDataTest();
  const owner = claimOwner(await aClaim(t, 'm0'));
  await aData(t, 'abc-0', { index: 0, claim: 'm0', metadata: { labels: LABELS, ownerReferences: [owner] } });
  await t.api.delete(Metal3DataClaim, at('m0'), { propagation: 'Foreground' });
  await t.api.delete(Metal3Data, at('abc-0'));

  t.run(dataController());
  await t.pass(seconds(1));

  assert.deepEqual((await t.api.get(Metal3DataClaim, at('m0'))).metadata.finalizers, ['foregroundDeletion']);
  assert.equal(await dataNamed(t, 'abc-0'), undefined);
  await t.stop();
});

test('a machine that bears the name of the claim\u2019s is not it: nothing is rendered for another UID (metal-7.1)', async () => {
  const t = await aDataTest();
  await aCluster(t.api, 'c');
  await aTemplate(t, 'abc', { metaData: { strings: [{ key: 'a', value: 'b' }] } });
  const claim = await aServedClaim(t, 'm0');
  const [machine] = claim.metadata.ownerReferences ?? [];
  assert.ok(machine !== undefined);
  const ownerReferences = [{ ...machine, uid: 'an earlier one' }];
  await t.api.patch(Metal3DataClaim, at('m0'), { metadata: { ownerReferences } });
  await aData(t, 'abc-0', {
    index: 0,
    claim: 'm0',
    metadata: { labels: LABELS, ownerReferences: [claimOwner(claim)] },
  });

  t.run(dataController());
  await t.pass(minutes(2));

  const data = await t.api.get(Metal3Data, at('abc-0'));
  assert.equal(machine.kind, Metal3Machine.kind);
  assert.match(said(data, 'Ready'), /^False Metal3MachineMissing: .*Metal3Machine m0/);
  assert.deepEqual((await t.api.list(Secret)).items, []);
  await t.stop();
});
