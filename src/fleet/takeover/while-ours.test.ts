// A half stands still until its fleet has moved over, and again when upstream's managers write to it: it says so, and writes nothing.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { virtualClock } from '../../../sim/time/clock.ts';
import { seededRandom } from '../../../sim/time/random.ts';
import { minutes, seconds } from '../../base/clock.ts';
import { silentLog } from '../../base/log.ts';
import { noMetrics } from '../../base/metrics.ts';
import { Metal3DataTemplate } from '../../kinds/generated/metal3-data-template.generated.ts';
import { client } from '../../kube/client.ts';
import { CustomResourceDefinition, Event, Namespace, ValidatingWebhookConfiguration } from '../../kube/core/other.ts';
import { inProcessApi } from '../api.ts';
import { definitionsOf } from '../definitions.ts';
import { metalWebhooks } from '../metal-webhooks.ts';
import { ControllerStates } from '../served/controller-states.ts';
import { openWorld } from '../world.ts';
import { UpstreamSight, whileOurs } from './while-ours.ts';

const KEY = { namespace: 'metal', name: 'data' };
const NAME = 'metal3datatemplates.infrastructure.cluster.x-k8s.io';

async function aHalf() {
  const clock = virtualClock(Date.UTC(2030, 0, 1));
  const random = seededRandom(1);
  const served = await inProcessApi({ clock, random, webhooks: metalWebhooks, definitions: 'trusted' });
  const api = client(served.transport, { clock });
  for (const each of definitionsOf(['metal'])) await api.create(CustomResourceDefinition, each);
  await api.create(Namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'metal' } });
  await api.create(Metal3DataTemplate, {
    apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta2',
    kind: Metal3DataTemplate.kind,
    metadata: KEY,
    spec: {},
  });
  const sight = new UpstreamSight('metal', () => clock.now());
  const seams = { clock, random, log: silentLog, metrics: noMetrics };
  const world = openWorld({ ...seams, transport: served.transport, component: 'test', seen: sight.seen });
  const states = new ControllerStates(noMetrics);
  const ran: string[] = [];
  const program = async (signal: AbortSignal): Promise<void> => {
    ran.push('on');
    world.caches.of(Metal3DataTemplate);
    await clock.sleep(minutes(1_000), signal).catch(() => undefined);
    ran.push('off');
  };
  const stop = new AbortController();
  let running: Promise<void> = Promise.resolve();
  const pass = (ms: number): Promise<void> => clock.advance(ms);
  return {
    api,
    ran,
    states,
    pass,
    start: (): Promise<void> => {
      running = whileOurs(program, { half: 'metal', world, sight, states })(stop.signal);
      return pass(seconds(30));
    },
    /** As upstream's manager writes. */
    upstreamWrites: () =>
      api.patch(
        Metal3DataTemplate,
        KEY,
        { metadata: { labels: { by: 'upstream' } } },
        { fieldManager: 'controllerName' },
      ),
    close: async (): Promise<void> => {
      stop.abort(new Error('the test ends'));
      await pass(seconds(30));
      await running;
      await world.close();
      await served.close();
    },
  };
}

test('a write of upstream halts the half, which says so, and goes on after 15 silent minutes', async () => {
  const half = await aHalf();
  await half.start();
  const before = [...half.ran];

  await half.upstreamWrites();
  await half.pass(seconds(1));
  const halted = [...half.ran];
  const page = half.states.page();
  await half.pass(minutes(14));
  const later = [...half.ran];
  await half.pass(minutes(2));

  assert.deepEqual(before, ['on']);
  assert.deepEqual(halted, ['on', 'off']);
  assert.match(
    page,
    /^metal: stands still: .*Metal3DataTemplate metal\/data was written by field manager controllerName/,
  );
  assert.deepEqual(later, halted);
  assert.deepEqual(half.ran, ['on', 'off', 'on']);
  assert.equal(half.states.page(), '');
  const { items } = await half.api.list(Event, { namespace: 'metal' });
  assert.deepEqual(
    items.map(({ reason }) => reason),
    ['UpstreamWrites'],
  );
  await half.close();
});

test('writes of people, of Cluster API and of ours halt nothing', async () => {
  const half = await aHalf();
  await half.start();

  for (const fieldManager of ['kubectl-edit', 'cluster-api-controller-manager', 'pippin-manager']) {
    await half.api.patch(Metal3DataTemplate, KEY, { metadata: { labels: { by: fieldManager } } }, { fieldManager });
  }
  await half.pass(minutes(1));

  assert.deepEqual(half.ran, ['on']);
  await half.close();
});

test('before the takeover nothing starts: neither under a foreign converter nor beside the webhooks of upstream', async () => {
  const half = await aHalf();
  const service = { namespace: 'capm3-system', name: 'capm3-webhook-service' };
  const to = (at: object): Promise<unknown> =>
    half.api.patch(
      CustomResourceDefinition,
      { name: NAME },
      { spec: { conversion: { webhook: { clientConfig: { service: at } } } } },
    );
  await to(service);
  await half.api.create(ValidatingWebhookConfiguration, {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: ValidatingWebhookConfiguration.kind,
    metadata: { name: 'capm3-validating-webhook-configuration' },
    webhooks: [
      {
        name: 'judge.capm3.example',
        failurePolicy: 'Fail',
        sideEffects: 'None',
        admissionReviewVersions: ['v1'],
        clientConfig: { service },
        rules: [
          {
            apiGroups: ['infrastructure.cluster.x-k8s.io'],
            apiVersions: ['v1beta1'],
            operations: ['UPDATE'],
            resources: ['metal3machines'],
          },
        ],
      },
    ],
  });
  await half.start();
  const first = half.states.page();
  await to({ namespace: 'pippin-system', name: 'pippin-metal' });
  await half.pass(minutes(1));
  const second = half.states.page();
  const waiting = [...half.ran];
  await half.api.delete(ValidatingWebhookConfiguration, { name: 'capm3-validating-webhook-configuration' });
  await half.pass(minutes(1));

  assert.match(first, /converted by capm3-system\/capm3-webhook-service, not by pippin-system\/pippin-metal/);
  assert.match(second, /capm3-validating-webhook-configuration of upstream still judges its kinds/);
  assert.deepEqual(waiting, []);
  assert.deepEqual(half.ran, ['on']);
  await half.close();
});
