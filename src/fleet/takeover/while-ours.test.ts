// A half stands still until its fleet has moved over, and again when upstream's managers write to it: it says so, and writes nothing.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { virtualClock } from '../../../sim/time/clock.ts';
import { seededRandom } from '../../../sim/time/random.ts';
import { kubeMicroTime, minutes, seconds } from '../../base/clock.ts';
import { silentLog } from '../../base/log.ts';
import { noMetrics } from '../../base/metrics.ts';
import { Metal3DataTemplate } from '../../kinds/generated/metal3-data-template.generated.ts';
import { client } from '../../kube/client.ts';
import { Lease } from '../../kube/core/node.ts';
import { CustomResourceDefinition, Event, Namespace, ValidatingWebhookConfiguration } from '../../kube/core/other.ts';
import { Pod } from '../../kube/core/pod.ts';
import { Election } from '../../kube/leader.ts';
import { inProcessApi } from '../api.ts';
import { definitionsOf } from '../definitions.ts';
import { metalWebhooks } from '../metal-webhooks.ts';
import { ControllerStates } from '../served/controller-states.ts';
import { openWorld } from '../world.ts';
import { UpstreamSight, whileOurs } from './while-ours.ts';

const KEY = { namespace: 'metal', name: 'data' };
const LEASE = { namespace: 'capm3-system', name: 'controller-leader-election-capm3' };
const NAME = 'metal3datatemplates.infrastructure.cluster.x-k8s.io';

async function aHalf() {
  const clock = virtualClock(Date.UTC(2030, 0, 1));
  const random = seededRandom(1);
  const served = await inProcessApi({ clock, random, webhooks: metalWebhooks, definitions: 'trusted' });
  const api = client(served.transport, { clock });
  for (const each of definitionsOf(['metal'])) await api.create(CustomResourceDefinition, each);
  for (const name of ['metal', 'capm3-system']) {
    await api.create(Namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  }
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
    /** For half a minute, unless `at once`. */
    start: (how?: 'at once'): Promise<void> => {
      running = whileOurs(program, { half: 'metal', world, sight, states })(stop.signal);
      return pass(how === undefined ? seconds(30) : 0);
    },
    /** Under a lease of ours. */
    startLed: (how?: 'at once'): Promise<void> => {
      const name = 'controller-leader-election-capm3';
      const options = { ...seams, transport: served.transport, namespace: 'metal', name, identity: 'ours' };
      const elected = new Election(options);
      const led = whileOurs(program, { half: 'metal', world, sight, states, lease: elected });
      running = elected.lead(led, stop.signal);
      return pass(how === undefined ? seconds(30) : 0);
    },
    /** As upstream's lease, in its own namespace, is taken: by a host whose clock is so far behind. */
    upstreamLeads: (behindMs = 0): Promise<unknown> =>
      api.create(Lease, {
        apiVersion: 'coordination.k8s.io/v1',
        kind: Lease.kind,
        metadata: LEASE,
        spec: {
          holderIdentity: 'capm3-0_x',
          leaseDurationSeconds: 15,
          renewTime: kubeMicroTime(clock.now() - behindMs),
        },
      }),
    /** Every 2 s for so long; the same clock. */
    upstreamRenews: async (behindMs: number, forMs: number): Promise<void> => {
      for (let leftMs = forMs; leftMs > 0; leftMs -= seconds(2)) {
        await pass(seconds(2));
        await api.patch(Lease, LEASE, { spec: { renewTime: kubeMicroTime(clock.now() - behindMs) } });
      }
    },
    upstreamRuns: (): Promise<unknown> =>
      api.create(Pod, {
        apiVersion: 'v1',
        kind: Pod.kind,
        metadata: {
          namespace: 'capm3-system',
          name: 'capm3-0',
          labels: { 'cluster.x-k8s.io/provider': 'infrastructure-metal3' },
        },
        spec: { containers: [{ name: 'manager', image: 'manager' }] },
      }),
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

test('writes of people, of Cluster API, of ours and of a controller with a name like any halt nothing', async () => {
  const half = await aHalf();
  await half.start();

  for (const fieldManager of ['kubectl-edit', 'cluster-api-controller-manager', 'pippin-manager', 'manager']) {
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
  // Left behind; by the time that the half has moved over it has been watched for long.
  await half.upstreamLeads(minutes(60));
  await half.start();
  const first = half.states.page();
  await to({ namespace: 'pippin-system', name: 'pippin-metal' });
  await half.pass(minutes(1));
  const second = half.states.page();
  const waiting = [...half.ran];
  await half.api.delete(ValidatingWebhookConfiguration, { name: 'capm3-validating-webhook-configuration' });
  await half.pass(seconds(10));

  assert.match(first, /converted by capm3-system\/capm3-webhook-service, not by pippin-system\/pippin-metal/);
  assert.match(second, /capm3-validating-webhook-configuration of upstream still judges its kinds/);
  assert.deepEqual(waiting, []);
  assert.deepEqual(half.ran, ['on']);
  await half.close();
});

test('beside a lease that upstream renews nothing starts, and within seconds nothing runs any longer', async () => {
  const half = await aHalf();
  await half.upstreamLeads();
  await half.start();
  const before = { ran: [...half.ran], page: half.states.page() };
  await half.pass(minutes(2));
  const silent = [...half.ran];

  await half.api.delete(Lease, LEASE);
  await half.upstreamLeads();
  await half.pass(seconds(16));

  assert.deepEqual(before.ran, []);
  assert.match(before.page, /Lease capm3-system\/controller-leader-election-capm3 is held by capm3-0_x/);
  assert.deepEqual(silent, ['on'], 'nobody renews it any more');
  assert.deepEqual(half.ran, ['on', 'off']);
  await half.close();
});

test('a lease counts by its change, whatever the clock of its holder says', async () => {
  const half = await aHalf();
  const BEHIND_MS = minutes(5);
  await half.upstreamLeads(BEHIND_MS);
  await half.start('at once');
  await half.upstreamRenews(BEHIND_MS, minutes(1));
  const before = { ran: [...half.ran], page: half.states.page() };
  await half.pass(seconds(31));
  const silent = [...half.ran];

  await half.upstreamRenews(BEHIND_MS, seconds(16));
  const again = [...half.ran];
  await half.upstreamRenews(BEHIND_MS, minutes(5));

  assert.deepEqual(before.ran, []);
  assert.match(before.page, /Lease capm3-system\/controller-leader-election-capm3 is held by capm3-0_x/);
  assert.deepEqual(silent, ['on'], 'nobody renews it any more');
  assert.deepEqual(again, ['on', 'off']);
  assert.deepEqual(half.ran, again, 'for as long as it is renewed');
  await half.close();
});

test('a lease that its holder left behind is watched for as long as it is good for, and is no alarm', async () => {
  const half = await aHalf();
  await half.upstreamLeads(minutes(60));

  await half.startLed('at once');
  await half.pass(seconds(11));
  const watching = { ran: [...half.ran], page: half.states.page() };
  await half.pass(seconds(10));

  assert.deepEqual(watching.ran, []);
  assert.match(watching.page, /whether anybody renews Lease capm3-system\/controller-leader-election-capm3/);
  assert.deepEqual(half.ran, ['on']);
  assert.deepEqual((await half.api.list(Event, { namespace: 'metal' })).items, []);
  await half.close();
});

test('a Pod of upstream halts the half for as long as it has not ended', async () => {
  const half = await aHalf();
  await half.start();

  await half.upstreamRuns();
  await half.pass(seconds(16));
  const halted = { ran: [...half.ran], page: half.states.page() };
  await half.pass(minutes(30));
  const later = [...half.ran];
  await half.api.delete(Pod, { namespace: 'capm3-system', name: 'capm3-0' }, { graceSeconds: 0 });
  await half.pass(seconds(20));

  assert.deepEqual(halted.ran, ['on', 'off']);
  assert.match(halted.page, /^metal: stands still: .*Pod capm3-system\/capm3-0 \(infrastructure-metal3\) is Pending/);
  assert.deepEqual(later, halted.ran);
  assert.deepEqual(half.ran, ['on', 'off', 'on']);
  await half.close();
});

test('a status that a program of the name manager wrote halts the half', async () => {
  const half = await aHalf();
  await half.start();

  const status = { lastUpdated: '2026-01-01T00:00:00Z' };
  await half.api.patch(Metal3DataTemplate, KEY, { status }, { fieldManager: 'manager', subresource: 'status' });
  await half.pass(seconds(1));

  assert.deepEqual(half.ran, ['on', 'off']);
  await half.close();
});

test('a halt is told on our lease as long as it lasts: by a note, and by an Event again and again', async () => {
  const half = await aHalf();
  const key = { namespace: 'metal', name: 'controller-leader-election-capm3' };
  const note = async () => (await half.api.get(Lease, key)).metadata.annotations?.['pippin.dev/stands-still'];
  await half.startLed();
  const before = { ran: [...half.ran], note: await note() };

  await half.upstreamRuns();
  await half.pass(minutes(25));
  const halted = { ran: [...half.ran], note: await note() };
  const { items } = await half.api.list(Event, { namespace: 'metal' });
  await half.api.delete(Pod, { namespace: 'capm3-system', name: 'capm3-0' }, { graceSeconds: 0 });
  await half.pass(minutes(1));

  assert.deepEqual(before, { ran: ['on'], note: undefined });
  assert.deepEqual(halted.ran, ['on', 'off']);
  assert.match(halted.note ?? '', /^upstream's manager still works: Pod capm3-system\/capm3-0 /);
  const told = items.filter(({ involvedObject }) => involvedObject?.kind === 'Lease');
  assert.equal(
    told.reduce((sum, { count = 1 }) => sum + count, 0),
    3,
  );
  assert.ok(told.every(({ reason }) => reason === 'UpstreamRuns'));
  assert.equal(await note(), undefined);
  assert.deepEqual(half.ran, ['on', 'off', 'on']);
  await half.close();
});
