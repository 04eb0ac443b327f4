// Webhooks behind a Service in this process: found by its name, given the review, and not waited for too long.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { virtualClock } from '../../sim/time/clock.ts';
import { seededRandom } from '../../sim/time/random.ts';
import type { ApiResponse } from '../kube/transport.ts';
import { type InProcessApi, inProcessApi } from './api.ts';
import { type WebhookHandler, webhookKey } from './webhook-services.ts';

const CONFIGURATIONS = '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations';
const MAPS = '/api/v1/namespaces/default/configmaps';
const SERVICE = { namespace: 'hooks', name: 'checker', port: 443 };

interface Fixture {
  readonly served: InProcessApi;
  readonly clock: ReturnType<typeof virtualClock>;
  post(path: string, body: unknown): Promise<ApiResponse>;
}

/** An API that asks the Service about new ConfigMaps; who answers for it is `handler`. */
async function withWebhook(handler: WebhookHandler | undefined): Promise<Fixture> {
  const clock = virtualClock(Date.UTC(2030, 0, 1));
  const webhooks = new Map(handler === undefined ? [] : [[webhookKey(SERVICE), handler]]);
  const served = await inProcessApi({ clock, random: seededRandom(1), webhooks: () => webhooks });
  const post = (path: string, body: unknown): Promise<ApiResponse> =>
    served.transport({
      method: 'POST',
      path,
      query: '',
      headers: { 'content-type': 'application/json' },
      body: new TextEncoder().encode(JSON.stringify(body)),
    });
  await post(CONFIGURATIONS, {
    metadata: { name: 'checks' },
    webhooks: [
      {
        name: 'check.example.com',
        clientConfig: { service: { namespace: 'hooks', name: 'checker', path: '/maps' } },
        rules: [{ operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'] }],
        sideEffects: 'None',
        admissionReviewVersions: ['v1'],
      },
    ],
  });
  return { served, clock, post };
}

const messageIn = ({ body }: ApiResponse): string => JSON.parse(new TextDecoder().decode(body)).message;

interface Asked {
  readonly request: { readonly uid: string; readonly name: string };
}

test('a webhook behind a Service is answered by who is registered for it', async () => {
  const asked: unknown[] = [];
  const { served, clock, post } = await withWebhook(async (path, review) => {
    const { uid, name } = (review as Asked).request;
    asked.push([path, name]);
    const response = { uid, allowed: name !== 'bad', status: { message: 'a bad name' } };
    return { apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', response };
  });

  const [good, bad] = [
    await post(MAPS, { metadata: { name: 'good' } }),
    await post(MAPS, { metadata: { name: 'bad' } }),
  ];

  assert.equal(good.status, 201);
  assert.equal(messageIn(bad), 'admission webhook "check.example.com" denied the request: a bad name');
  assert.deepEqual(asked, [
    ['/maps', 'good'],
    ['/maps', 'bad'],
  ]);
  assert.deepEqual(clock.pending(), [], 'no timer is left behind');
  await served.close();
});

test('a Service that nobody is registered for fails the request', async () => {
  const { served, post } = await withWebhook(undefined);

  const answer = await post(MAPS, { metadata: { name: 'a' } });

  assert.match(messageIn(answer), /failed to call webhook: Post .*: service "checker" not found$/);
  await served.close();
});

test('a webhook that does not answer in its time fails the request', async () => {
  const { served, clock, post } = await withWebhook(() => new Promise(() => undefined));

  const pending = post(MAPS, { metadata: { name: 'a' } });
  await clock.advance(11_000);
  const answer = await pending;

  assert.match(messageIn(answer), /context deadline exceeded$/);
  await served.close();
});
