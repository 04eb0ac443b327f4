// What belongs to others in a takeover: webhooks of people stay, and a conversion that somebody else answers proves nothing.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { virtualClock } from '../../../sim/time/clock.ts';
import { seededRandom } from '../../../sim/time/random.ts';
import { minutes } from '../../base/clock.ts';
import { client } from '../../kube/client.ts';
import { ValidatingWebhookConfiguration } from '../../kube/core/other.ts';
import { convertReview } from '../../metal/conversion/review.ts';
import { inProcessApi } from '../api.ts';
import { valueAt } from '../metal-endpoint/converters.ts';
import { ENDPOINT_SERVICE } from '../metal-endpoint/names.ts';
import { type WebhookHandler, webhookKey } from '../webhook-services.ts';
import { tryConversion } from './trial.ts';
import { foundWebhooks, removeWebhooks } from './webhooks-found.ts';

async function aCluster(endpoint?: WebhookHandler) {
  const clock = virtualClock(Date.UTC(2030, 0, 1));
  const random = seededRandom(1);
  const handlers = endpoint === undefined ? [] : [[webhookKey(ENDPOINT_SERVICE), endpoint] as const];
  const served = await inProcessApi({ clock, random, webhooks: () => new Map(handlers), definitions: 'trusted' });
  return { clock, random, served, api: client(served.transport, { clock }) };
}

const judge = (name: string, apiGroup: string, service: string): unknown => ({
  name,
  failurePolicy: 'Ignore',
  sideEffects: 'None',
  admissionReviewVersions: ['v1'],
  clientConfig: { service: { namespace: 'somewhere', name: service } },
  rules: [{ apiGroups: [apiGroup], apiVersions: ['v1beta1'], operations: ['UPDATE'], resources: ['metal3machines'] }],
});

const METAL = 'infrastructure.cluster.x-k8s.io';

test('webhooks of people stay, in a configuration of their own and in one of upstream', async () => {
  const { api, served } = await aCluster();
  const configurations = {
    theirs: [judge('policy.people.example', METAL, 'policy')],
    upstreams: [
      judge('judge.upstream.example', METAL, 'capm3-webhook-service'),
      judge('other.people.example', 'people.example', 'policy'),
    ],
  };
  for (const [name, webhooks] of Object.entries(configurations)) {
    await api.create(ValidatingWebhookConfiguration, {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: ValidatingWebhookConfiguration.kind,
      metadata: { name },
      webhooks,
    });
  }

  const found = await foundWebhooks(api, ['metal']);
  for (const each of found) await removeWebhooks(api, each);

  const { items } = await api.list(ValidatingWebhookConfiguration);
  assert.deepEqual(
    found.map(({ judging }) => judging),
    [['judge.upstream.example']],
  );
  assert.deepEqual(
    items.map(({ webhooks = [] }) => webhooks.map(each => valueAt(each, 'name'))),
    [['policy.people.example'], ['other.people.example']],
  );
  await served.close();
});

test('a trial that somebody else answers is refused: another converter stands behind our name', async () => {
  const another: WebhookHandler = async (_, review) =>
    convertReview(review, (object, apiVersion) => ({ ...object, apiVersion }));
  const { api, clock, random, served } = await aCluster(another);

  const refused = assert.rejects(tryConversion({ api, clock, random }, ''), /somebody else answered/);
  await clock.advance(minutes(1));

  await refused;
  await served.close();
});
