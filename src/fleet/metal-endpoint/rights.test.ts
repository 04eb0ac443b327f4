// The endpoint under its own account on the embedded API: two replicas agree on one authority, every bundle holds it, and nothing is refused.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seededKeys } from '../../../sim/keys/seeded-keys.ts';
import { virtualClock } from '../../../sim/time/clock.ts';
import { seededRandom } from '../../../sim/time/random.ts';
import { minutes } from '../../base/clock.ts';
import { client } from '../../kube/client.ts';
import { CustomResourceDefinition, ValidatingWebhookConfiguration } from '../../kube/core/other.ts';
import type { Kind } from '../../kube/kind.ts';
import type { ApiRequest, Transport } from '../../kube/transport.ts';
import { inProcessApi } from '../api.ts';
import { definitionsOf } from '../definitions.ts';
import { installManifests, ipamIdentity, metalIdentity } from '../manifests.ts';
import { standingOf } from '../takeover/standing.ts';
import { UpstreamLeases } from '../takeover/upstream-leases.ts';
import { bundleOf, USUAL_LIVES } from './authorities.ts';
import { keepCertificate, type Showing } from './certificates.ts';
import { CONVERTED_DEFINITIONS, converterOf, valueAt } from './converters.ts';
import { readShared } from './shared-authorities.ts';

const DAY_MS = minutes(60 * 24);

async function aCluster() {
  const clock = virtualClock(Date.UTC(2030, 0, 1));
  const random = seededRandom(1);
  const keys = seededKeys(random.stream('keys'));
  const access = { cryptography: keys, tokenKey: await keys.pair() };
  const served = await inProcessApi({ clock, random, access, definitions: 'trusted' });
  const admin = client(served.transport, { clock });
  for (const each of definitionsOf(['metal'])) await admin.create(CustomResourceDefinition, each);
  await installManifests(admin, ['metalWebhooks', 'metalEndpoint']);
  const writes: ApiRequest[] = [];
  const own: Transport = request => {
    if (request.method !== 'GET') writes.push(request);
    return served.as(metalIdentity)(request);
  };
  const api = client(own, { clock });
  const replica = () => {
    const showing: Showing = { shown: undefined, show: () => undefined };
    const look = (): Promise<void> =>
      keepCertificate(api, showing, () => ({ keys, lives: USUAL_LIVES, nowMs: clock.now() }));
    return { showing, look };
  };
  const bundles = async (): Promise<ReadonlySet<string | undefined>> => {
    const definitions = await Promise.all(
      CONVERTED_DEFINITIONS.map(name => admin.get(CustomResourceDefinition, { name })),
    );
    const { webhooks } = await admin.get(ValidatingWebhookConfiguration, { name: 'pippin-metal' });
    const judge = valueAt(webhooks?.[0], 'clientConfig', 'caBundle');
    return new Set([...definitions.map(each => converterOf(each).caBundle), String(judge)]);
  };
  return { admin, clock, served, writes, replica, bundles };
}

test('two replicas that start at once share one authority, and every bundle holds it', async () => {
  const { admin, replica, bundles, served } = await aCluster();
  const [one, other] = [replica(), replica()];

  await Promise.all([one.look(), other.look()]);

  const { authorities } = await readShared(admin);
  assert.ok(authorities !== undefined);
  assert.deepEqual(await bundles(), new Set([btoa(bundleOf(authorities))]));
  assert.equal(one.showing.shown?.signedBy, authorities.signing.certificatePem);
  assert.equal(other.showing.shown?.signedBy, authorities.signing.certificatePem);
  await served.close();
});

test('each half may look whether upstream runs, under its own account', async () => {
  const { admin, clock, served } = await aCluster();
  await installManifests(admin, ['metal', 'ipam']);
  for (const [half, identity] of [['metal', metalIdentity] as const, ['ipam', ipamIdentity] as const]) {
    const api = client(served.as(identity), { clock });

    const world = { api, clock, servedAmong: async (kinds: readonly Kind[]) => new Set(kinds) };
    const standing = await standingOf(world, half, new UpstreamLeases({ api, clock }, [half]));

    assert.deepEqual(standing, { kind: 'ours' });
  }
  await served.close();
});

test('a look writes nothing when nothing is due; a rotation reaches every bundle before it is shown', async () => {
  const { admin, replica, bundles, clock, served, writes } = await aCluster();
  const one = replica();
  await one.look();
  const first = (await readShared(admin)).authorities?.signing.certificatePem;
  writes.length = 0;

  await one.look();
  const quiet = [...writes];
  await clock.advance(61 * DAY_MS);
  await one.look();
  const announced = { shownBy: one.showing.shown?.signedBy, bundles: await bundles() };
  await clock.advance(minutes(11));
  await one.look();

  const { authorities } = await readShared(admin);
  assert.ok(authorities !== undefined);
  assert.deepEqual(quiet, []);
  assert.equal(announced.shownBy, first);
  assert.ok([...announced.bundles].every(bundle => atob(bundle ?? '').includes(authorities.signing.certificatePem)));
  assert.notEqual(authorities.signing.certificatePem, first);
  assert.equal(one.showing.shown?.signedBy, authorities.signing.certificatePem);
  await served.close();
});

test('a definition that somebody else converts is not touched', async () => {
  const { admin, replica, served } = await aCluster();
  const [name = ''] = CONVERTED_DEFINITIONS;
  const service = { namespace: 'capm3-system', name: 'capm3-webhook-service' };
  await admin.patch(
    CustomResourceDefinition,
    { name },
    { spec: { conversion: { webhook: { clientConfig: { service } } } } },
  );

  await replica().look();

  assert.equal(converterOf(await admin.get(CustomResourceDefinition, { name })).caBundle, undefined);
  await served.close();
});
