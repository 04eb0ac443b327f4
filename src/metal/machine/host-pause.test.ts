// Hosts of a paused Cluster: frozen with their status, no longer blocking a move, thawed by whoever froze them.

import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { minutes, seconds } from '../../base/clock.ts';
import { BareMetalHost } from '../../kinds/generated/bare-metal-host.generated.ts';
import { Cluster } from '../../kinds/generated/cluster.generated.ts';
import { Metal3Machine } from '../../kinds/generated/metal3-machine.generated.ts';
import { Unavailable } from '../../kube/errors.ts';
import { at } from '../objects.testing.ts';
import { aFleet, CLUSTER, type Fleet } from './fleet.testing.ts';

const PAUSED = 'baremetalhost.metal3.io/paused';
const STATUS = 'baremetalhost.metal3.io/status';
const BLOCK_MOVE = 'clusterctl.cluster.x-k8s.io/block-move';

let fleet: Fleet;
let isCut = false;
beforeEach(async () => {
  isCut = false;
  fleet = await aFleet(next => async request => {
    if (isCut && request.method === 'PATCH' && request.path.includes('baremetalhosts')) {
      throw new Unavailable(request.path, 'cut');
    }
    return next(request);
  });
  await fleet.host('h1');
  await fleet.machine('m1');
  await fleet.pass(200);
  await fleet.state('h1', 'provisioned', { hardware: { hostname: 'host-1' }, operationalStatus: 'OK' });
  await fleet.pass(200);
});
afterEach(() => fleet.stop());

const pause = async (paused: boolean): Promise<void> => {
  await fleet.api.patch(Cluster, at(CLUSTER), { spec: { paused } });
  await fleet.pass(200);
};

const annotations = async (): Promise<Readonly<Record<string, string>>> =>
  (await fleet.hostOf('h1')).metadata.annotations ?? {};

test('a reserved host blocks a move until it is frozen, for clusterctl looks before it pauses (metal-h4)', async () => {
  assert.equal((await annotations())[BLOCK_MOVE], 'true');

  await pause(true);

  assert.equal((await annotations())[BLOCK_MOVE], undefined);
  assert.equal((await annotations())[PAUSED], 'metal3.io/capm3');
});

test('a frozen host carries its status, without the hardware (metal-7.12)', async () => {
  await pause(true);

  const carried = JSON.parse((await annotations())[STATUS] ?? '');
  assert.deepEqual(carried, { operationalStatus: 'OK', poweredOn: true, provisioning: { state: 'provisioned' } });
});

test('freezing is one write, and so is thawing; between them nothing is written', async () => {
  fleet.writes.length = 0;
  await pause(true);
  await fleet.pass(seconds(120));
  assert.deepEqual(fleet.writesTo('baremetalhosts').length, 1);
  assert.match(await fleet.said('m1', 'Paused'), /^True Paused: .*Cluster c1 has spec\.paused/);

  await pause(false);

  assert.deepEqual(fleet.writesTo('baremetalhosts').length, 2);
  assert.equal((await annotations())[PAUSED], undefined);
  assert.equal((await annotations())[BLOCK_MOVE], 'true');
  assert.match(await fleet.said('m1', 'Paused'), /^False NotPaused/);
});

test('somebody else’s pause stays, with its value, and the status is carried all the same', async () => {
  await fleet.api.patch(BareMetalHost, at('h1'), { metadata: { annotations: { [PAUSED]: 'mine' } } });
  await pause(true);
  assert.equal((await annotations())[PAUSED], 'mine');
  assert.notEqual((await annotations())[STATUS], undefined);

  await pause(false);

  assert.equal((await annotations())[PAUSED], 'mine');
});

test('a host that was moved here keeps the status that it brought', async () => {
  const brought = { [STATUS]: '{"brought":true}', [PAUSED]: 'metal3.io/capm3', [BLOCK_MOVE]: null };
  await pause(true);
  await fleet.api.patch(BareMetalHost, at('h1'), { status: null }, { subresource: 'status' });
  await fleet.api.patch(BareMetalHost, at('h1'), { metadata: { annotations: brought } });

  await fleet.pass(seconds(60));

  assert.equal((await annotations())[STATUS], '{"brought":true}');
});

test('a freeze that fails is told on the machine and tried again (metal-7.21)', async () => {
  isCut = true;
  await pause(true);
  assert.ok(fleet.told.some(told => /^Warning BareMetalHostPauseAnnotationSetFailed: BareMetalHost h1/.test(told)));

  isCut = false;
  await fleet.pass(seconds(5));

  assert.equal((await annotations())[PAUSED], 'metal3.io/capm3');
});

test('a machine paused by itself has its host left as it is, and one that is moved too', async () => {
  for (const annotation of ['cluster.x-k8s.io/paused', 'clusterctl.cluster.x-k8s.io/delete-for-move']) {
    await fleet.api.patch(Metal3Machine, at('m1'), { metadata: { annotations: { [annotation]: 'true' } } });
    await fleet.api.patch(BareMetalHost, at('h1'), { metadata: { annotations: { [PAUSED]: 'metal3.io/capm3' } } });
    fleet.writes.length = 0;

    await fleet.pass(seconds(60));

    assert.deepEqual(fleet.writesTo('baremetalhosts'), [], annotation);
    await fleet.api.patch(Metal3Machine, at('m1'), { metadata: { annotations: { [annotation]: null } } });
    await fleet.pass(200);
  }
});

test('a host kept for a Cluster that is gone is free again, once it is no newcomer (metal-7.10)', async () => {
  const consumerRef = { apiVersion: 'cluster.x-k8s.io/v1beta2', kind: 'Cluster', name: 'c2', namespace: 'metal' };
  const labels = { 'infrastructure.cluster.x-k8s.io/node-reuse': 'md-a' };
  await fleet.host('h2', { spec: { consumerRef }, metadata: { labels } });
  await fleet.pass(seconds(30));
  assert.equal(await fleet.consumer('h2'), 'Cluster c2');

  await fleet.pass(minutes(2));

  assert.equal(await fleet.consumer('h2'), undefined);
  assert.equal((await fleet.hostOf('h2')).metadata.labels, undefined);
});

test('a host that only names the machine, which has another on record, is neither frozen nor thawed (metal-G14)', async () => {
  const { consumerRef } = (await fleet.hostOf('h1')).spec ?? {};
  assert.ok(consumerRef !== undefined);
  await fleet.host('h2', { spec: { consumerRef } });
  fleet.writes.length = 0;

  await pause(true);
  await pause(false);

  assert.deepEqual(fleet.writesTo('baremetalhosts/h2'), []);
  assert.notDeepEqual(fleet.writesTo('baremetalhosts/h1'), []);
});
