// Replicas of the endpoint that meet: none writes over an authority of another, and none shows what no API server trusts yet.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seededKeys } from '../../../sim/keys/seeded-keys.ts';
import { type VirtualClock, virtualClock } from '../../../sim/time/clock.ts';
import { seededRandom } from '../../../sim/time/random.ts';
import { minutes } from '../../base/clock.ts';
import { client } from '../../kube/client.ts';
import { CustomResourceDefinition, ValidatingWebhookConfiguration } from '../../kube/core/other.ts';
import type { Transport } from '../../kube/transport.ts';
import { inProcessApi } from '../api.ts';
import { definitionsOf } from '../definitions.ts';
import { installManifests } from '../manifests.ts';
import { bundleOf, rotated, USUAL_LIVES } from './authorities.ts';
import { keepCertificate, type Showing } from './certificates.ts';
import { CONVERTED_DEFINITIONS, valueAt } from './converters.ts';
import { served } from './serving.ts';
import { readShared, writeShared } from './shared-authorities.ts';

const DAY_MS = minutes(60 * 24);

/** `happened`: the writes to definitions, and `shown`, in their order. */
async function aCluster() {
  const clock: VirtualClock = virtualClock(Date.UTC(2030, 0, 1));
  const random = seededRandom(1);
  const keys = seededKeys(random.stream('keys'));
  const api = await inProcessApi({ clock, random, definitions: 'trusted' });
  const admin = client(api.transport, { clock });
  for (const each of definitionsOf(['metal'])) await admin.create(CustomResourceDefinition, each);
  await installManifests(admin, ['metalWebhooks', 'metalEndpoint']);
  const happened: string[] = [];
  const noting: Transport = async request => {
    const answer = await api.transport(request);
    if (request.method === 'PATCH' && request.path.includes('customresourcedefinitions')) happened.push('bundle');
    return answer;
  };
  const own = client(noting, { clock });
  const replica = () => {
    const showing: Showing = { shown: undefined, show: () => void happened.push('shown') };
    const look = (): Promise<void> =>
      keepCertificate(own, showing, () => ({ keys, lives: USUAL_LIVES, nowMs: clock.now() }));
    return { showing, look };
  };
  return { admin, clock, happened, replica, close: () => api.close() };
}

test('the first certificate, and one after a year of silence, is shown when every definition trusts it, and not before', async () => {
  const { clock, happened, replica, close } = await aCluster();
  const one = replica();

  await one.look();
  const first = happened.splice(0);
  await clock.advance(365 * DAY_MS);
  await one.look();

  const expected = [...CONVERTED_DEFINITIONS.map(() => 'bundle'), 'shown'];
  assert.deepEqual(first, expected);
  assert.deepEqual(happened, expected);
  await close();
});

test('an authority that another replica has written meanwhile is not written over', async () => {
  const { admin, clock, replica, close } = await aCluster();
  await replica().look();
  const before = await readShared(admin);
  const keys = seededKeys(seededRandom('another'));
  await clock.advance(61 * DAY_MS);
  await replica().look();
  const other = await rotated(undefined, 'unknown', { keys, lives: USUAL_LIVES, nowMs: clock.now() });

  await assert.rejects(writeShared(admin, other, before), /Conflict|modified/);

  assert.notEqual((await readShared(admin)).authorities?.signing.certificatePem, other.signing.certificatePem);
  await close();
});

test('a webhook of somebody else in our configuration keeps its bundle', async () => {
  const { admin, replica, close } = await aCluster();
  const key = { name: 'pippin-metal' };
  const configuration = await admin.get(ValidatingWebhookConfiguration, key);
  const [ours] = configuration.webhooks ?? [];
  const clientConfig = { service: { namespace: 'theirs', name: 'judge' } };
  const theirs = { ...(ours as object), name: 'judge.theirs.example', clientConfig };
  await admin.update(ValidatingWebhookConfiguration, { ...configuration, webhooks: [ours, theirs] });

  await replica().look();

  const { authorities } = await readShared(admin);
  assert.ok(authorities !== undefined);
  const { webhooks = [] } = await admin.get(ValidatingWebhookConfiguration, key);
  assert.deepEqual(
    webhooks.map(each => valueAt(each, 'clientConfig', 'caBundle')),
    [btoa(bundleOf(authorities)), undefined],
  );
  await close();
});

test('no certificate outlives the authority that signed it', async () => {
  const keys = seededKeys(seededRandom('serving'));
  const startMs = Date.UTC(2030, 0, 1);
  const seams = { keys, lives: USUAL_LIVES, nowMs: startMs };
  const { signing } = await rotated(undefined, 'unknown', seams);

  const { certificatePem } = await served(undefined, signing, { ...seams, nowMs: startMs + 80 * DAY_MS });

  assert.equal(keys.readCertificate(certificatePem)?.notAfter, keys.readCertificate(signing.certificatePem)?.notAfter);
});
