// Which host a machine gets, how it is reserved, and what a machine says that gets none.

import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { seconds } from '../../base/clock.ts';
import { BareMetalHost } from '../../kinds/generated/bare-metal-host.generated.ts';
import { Machine } from '../../kinds/generated/machine.generated.ts';
import { Metal3Machine } from '../../kinds/generated/metal3-machine.generated.ts';
import { HOST_ANNOTATION } from '../../kinds/metal-wire.ts';
import { Secret } from '../../kube/core/other.ts';
import { Unavailable } from '../../kube/errors.ts';
import type { Transport } from '../../kube/transport.ts';
import { at } from '../objects.testing.ts';
import { aFleet, CLUSTER, type Fleet, IMAGE } from './fleet.testing.ts';

const FOREIGN = { apiVersion: 'v1', kind: 'ConfigMap', name: 'somebody', namespace: 'metal' };

let fleet: Fleet;
/** What happens to the next request of a controller that it answers true for; then it is over. */
let intercept: ((request: Parameters<Transport>[0]) => Promise<boolean>) | undefined;

beforeEach(async () => {
  intercept = undefined;
  fleet = await aFleet(next => async request => {
    if (await intercept?.(request)) throw new Unavailable(request.path, 'cut');
    return next(request);
  });
});
afterEach(() => fleet.stop());

test('a machine records a free host, reserves it for its Cluster, and says so', async () => {
  await fleet.host('h1', { status: { ...AVAILABLE_WITH_HARDWARE } });
  await fleet.machine('m1');

  await fleet.pass(100);

  assert.equal(await fleet.recorded('m1'), 'metal/h1');
  const { metadata, spec } = await fleet.hostOf('h1');
  assert.equal(metadata.labels?.['cluster.x-k8s.io/cluster-name'], CLUSTER);
  assert.deepEqual(spec?.consumerRef, {
    apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta2',
    kind: 'Metal3Machine',
    name: 'm1',
    namespace: 'metal',
  });
  assert.equal(await fleet.said('m1', 'AssociateBareMetalHost'), 'True AssociateBareMetalHostSuccess: ');
  assert.deepEqual((await fleet.machineOf('m1')).status?.addresses, [
    { type: 'InternalIP', address: '192.0.2.7' },
    { type: 'Hostname', address: 'host-1' },
    { type: 'InternalDNS', address: 'host-1' },
  ]);
});

const AVAILABLE_WITH_HARDWARE = {
  provisioning: { state: 'available' },
  hardware: { hostname: 'host-1', nics: [{ name: 'eth0', ip: '192.0.2.7' }, { name: 'eth1' }] },
};

test('the Secret of the board is labelled only after the host is reserved (metal-7.7)', async () => {
  await fleet.host('h1');
  await fleet.machine('m1');

  await fleet.pass(100);

  const secret = await fleet.api.get(Secret, at('h1-bmc'));
  assert.equal(secret.metadata.labels?.['cluster.x-k8s.io/cluster-name'], CLUSTER);
  const order = fleet.writes.filter(write => /baremetalhosts|secrets/.test(write));
  assert.match(order[0] ?? '', /baremetalhosts\/h1/);
  assert.equal(fleet.writesTo('secrets').length, 1);
});

test('after a crash between record and reservation the recorded host is reserved, and no other (metal-7.6)', async () => {
  await Promise.all(['h1', 'h2', 'h3'].map(name => fleet.host(name)));
  let cuts = 3;
  intercept = async ({ method, path }) => method === 'PATCH' && path.includes('baremetalhosts') && cuts-- > 0;
  await fleet.machine('m1');
  await fleet.pass(100);
  const recorded = await fleet.recorded('m1');

  await fleet.restart();
  await fleet.pass(seconds(10));

  assert.equal(await fleet.recorded('m1'), recorded);
  const consumers = await Promise.all(['h1', 'h2', 'h3'].map(async name => [name, await fleet.consumer(name)]));
  assert.deepEqual(
    consumers.filter(([, consumer]) => consumer !== undefined),
    [[recorded?.split('/')[1], 'Metal3Machine m1']],
  );
});

test('of many machines and hosts no two share one, and those left over say what they wait for (metal-7.6)', async () => {
  await Promise.all(Array.from({ length: 8 }, (_, i) => fleet.host(`h${i}`)));
  await Promise.all(Array.from({ length: 10 }, (_, i) => fleet.machine(`m${i}`)));

  await fleet.pass(seconds(20));

  const { items } = await fleet.api.list(BareMetalHost);
  assert.equal(new Set(items.map(({ spec }) => spec?.consumerRef?.name)).size, 8);
  const without = (await fleet.api.list(Metal3Machine)).items.filter(
    ({ metadata }) => metadata.annotations?.[HOST_ANNOTATION] === undefined,
  );
  assert.equal(without.length, 2);
  for (const { metadata } of without) {
    assert.match(
      await fleet.said(metadata.name, 'AssociateBareMetalHost'),
      /^False AssociateBareMetalHostFailed: Waiting for an available BareMetalHost/,
    );
  }
});

test('a host that another takes in the last moment stays that one’s, and the machine takes another (metal-h3)', async () => {
  await fleet.host('h1');
  let taken: string | undefined;
  intercept = async ({ method, path }) => {
    if (method !== 'PATCH' || !path.includes('baremetalhosts') || taken !== undefined) return false;
    taken = path.split('/').at(-1) ?? '';
    await fleet.api.patch(BareMetalHost, at(taken), { spec: { consumerRef: FOREIGN } });
    return false;
  };
  await fleet.machine('m1');
  await fleet.pass(100);
  assert.equal(await fleet.consumer('h1'), 'ConfigMap somebody');

  await fleet.host('h2');
  await fleet.pass(seconds(2));

  assert.equal(await fleet.consumer('h1'), 'ConfigMap somebody');
  assert.equal(await fleet.consumer('h2'), 'Metal3Machine m1');
});

test('a host that changes in the last moment is read again and reserved: a Conflict is not final (metal-7.8)', async () => {
  await fleet.host('h1');
  let changes = 3;
  intercept = async ({ method, path }) => {
    if (method !== 'PATCH' || !path.includes('baremetalhosts') || changes-- <= 0) return false;
    await fleet.api.patch(BareMetalHost, at('h1'), { metadata: { labels: { change: `${changes}` } } });
    return false;
  };
  await fleet.machine('m1');

  await fleet.pass(seconds(5));

  assert.equal(await fleet.consumer('h1'), 'Metal3Machine m1');
  assert.match(await fleet.said('m1', 'AssociateBareMetalHost'), /^True/);
});

test('a recorded host that is another’s is never overwritten (metal-h3)', async () => {
  await fleet.host('h1', { spec: { consumerRef: FOREIGN } });
  await fleet.host('h2');
  await fleet.machine('m1', { metadata: { annotations: { [HOST_ANNOTATION]: 'metal/h1' } } });

  await fleet.pass(seconds(2));

  assert.equal(await fleet.consumer('h1'), 'ConfigMap somebody');
  assert.equal(await fleet.recorded('m1'), 'metal/h2');
});

test('a machine without a host takes the one that becomes available, by the watch alone', async () => {
  await fleet.host('h1', { status: { provisioning: { state: 'inspecting' } } });
  await fleet.machine('m1');
  await fleet.pass(100);
  assert.equal(await fleet.recorded('m1'), undefined);

  await fleet.state('h1', 'available');
  await fleet.pass(100);

  assert.equal(await fleet.consumer('h1'), 'Metal3Machine m1');
});

test('a selector that is none names its field, and the machine goes on when it is mended', async () => {
  await fleet.host('h1', { metadata: { labels: { rack: 'a' } } });
  const hostSelector = { matchExpressions: [{ key: 'rack', operator: 'Near', values: ['a'] }] };
  await fleet.machine('m1', { spec: { image: IMAGE, hostSelector } });
  await fleet.pass(100);
  assert.match(
    await fleet.said('m1', 'AssociateBareMetalHost'),
    /spec\.hostSelector\.matchExpressions\[0\]: "Near" of label rack is no operator/,
  );

  const mended = { matchExpressions: [{ key: 'rack', operator: 'In', values: ['a'] }] };
  await fleet.api.patch(Metal3Machine, at('m1'), { spec: { hostSelector: mended } });
  await fleet.pass(100);

  assert.equal(await fleet.recorded('m1'), 'metal/h1');
});

test('the failure domain is the Machine’s, and its hosts come first', async () => {
  await Promise.all(Array.from({ length: 5 }, (_, i) => fleet.host(`other-${i}`)));
  await fleet.host('near', { metadata: { labels: { 'infrastructure.cluster.x-k8s.io/failure-domain': 'fd1' } } });
  await fleet.machine('m1', { machine: { failureDomain: 'fd1' } });

  await fleet.pass(100);

  assert.equal((await fleet.machineOf('m1')).spec?.failureDomain, 'fd1');
  assert.equal(await fleet.recorded('m1'), 'metal/near');
});

test('a host that goes before anything was made for the machine is replaced (metal-7.9)', async () => {
  await fleet.host('h1');
  await fleet.machine('m1', { machine: { bootstrap: { configRef: CONFIG } } });
  await fleet.api.patch(Metal3Machine, at('m1'), { metadata: { annotations: { [HOST_ANNOTATION]: 'metal/gone' } } });
  await fleet.pass(100);
  assert.match(await fleet.said('m1', 'AssociateBareMetalHost'), /WaitingForBootstrapData/);

  const status = { initialization: { bootstrapDataSecretCreated: true } };
  await fleet.api.patch(Machine, at('m1'), { status }, { subresource: 'status' });
  await fleet.pass(seconds(2));

  assert.equal(await fleet.recorded('m1'), 'metal/h1');
});

const CONFIG = { apiGroup: 'bootstrap.cluster.x-k8s.io', kind: 'KubeadmConfig', name: 'm1' };

test('a machine whose host goes afterwards says that it is lost, and takes no other (metal-7.9)', async () => {
  await fleet.host('h1');
  await fleet.machine('m1', { spec: { image: IMAGE, providerID: 'metal3://metal/h1/m1' } });
  await fleet.pass(100);
  await fleet.host('h2');

  await fleet.api.delete(BareMetalHost, at('h1'));
  await fleet.pass(seconds(2));

  assert.match(
    await fleet.said('m1', 'AssociateBareMetalHost'),
    /^False BareMetalHostLost: .*BareMetalHost h1 was deleted/,
  );
  assert.equal(await fleet.consumer('h2'), undefined);
});

test('a clean host that names the machine is adopted', async () => {
  const consumerRef = { ...FOREIGN, apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta1', kind: 'Metal3Machine' };
  await fleet.host('h1', { spec: { consumerRef: { ...consumerRef, name: 'm1' } } });
  await fleet.host('h2');
  await fleet.machine('m1');

  await fleet.pass(100);

  assert.equal(await fleet.recorded('m1'), 'metal/h1');
  assert.equal(await fleet.consumer('h2'), undefined);
});

test('a host that still runs what an earlier machine of that name put there is neither adopted nor wiped (metal-G14)', async () => {
  const consumerRef = { ...FOREIGN, apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta2', kind: 'Metal3Machine' };
  const spec = { consumerRef: { ...consumerRef, name: 'm1' }, image: { url: 'http://old' }, online: true };
  await fleet.host('h1', { spec, status: { provisioning: { state: 'provisioned' }, poweredOn: true } });
  await fleet.machine('m1');

  await fleet.pass(seconds(60));

  assert.match(await fleet.said('m1', 'AssociateBareMetalHost'), /^False HostOfPredecessor: .*BareMetalHost h1/);
  assert.deepEqual((await fleet.hostOf('h1')).spec?.image, { url: 'http://old' });
  assert.equal(fleet.writesTo('baremetalhosts/h1').length, 0);
});

test('a reference into another namespace is refused by name (metal-7.17)', async () => {
  await fleet.host('h1');
  await fleet.machine('m1', { spec: { image: IMAGE, metaData: { name: 'x', namespace: 'kube-system' } } });

  await fleet.pass(100);

  assert.match(
    await fleet.said('m1', 'AssociateBareMetalHost'),
    /False MetalOtherNamespace: spec\.metaData\.namespace: an object of namespace kube-system/,
  );
  assert.equal(await fleet.consumer('h1'), undefined);
});

test('no host is missed where there are many (metal-7.5)', async () => {
  for (let i = 0; i < 205; i++) await fleet.host(`h${i}`, { metadata: { labels: { last: `${i === 204}` } } });
  await fleet.machine('m1', { spec: { image: IMAGE, hostSelector: { matchLabels: { last: 'true' } } } });

  await fleet.pass(100);

  assert.equal(await fleet.recorded('m1'), 'metal/h204');
});
