// Hosts whose machine was removed by force: which are freed, when, and what the others say.

import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { minutes, seconds } from '../../base/clock.ts';
import { BareMetalHost } from '../../kinds/generated/bare-metal-host.generated.ts';
import { Machine } from '../../kinds/generated/machine.generated.ts';
import { Metal3Machine } from '../../kinds/generated/metal3-machine.generated.ts';
import { PAUSED_ANNOTATION } from '../../kinds/wire.ts';
import { apiVersionOf } from '../../kube/kind.ts';
import { at } from '../objects.testing.ts';
import { aFleet, CLUSTER, type Fleet, provisionedFleet } from './fleet.testing.ts';

let fleet: Fleet;
beforeEach(async () => {
  fleet = await aFleet();
  await provisionedFleet(fleet);
});
afterEach(() => fleet.stop());

async function removedByForce(): Promise<void> {
  await fleet.halt();
  await fleet.api.delete(Machine, at('m1'));
  await fleet.api.delete(Metal3Machine, at('m1'));
  await fleet.api.patch(Metal3Machine, at('m1'), { metadata: { finalizers: [] } });
  await fleet.restart();
  await fleet.pass(200);
}

const toldOf = (reason: string): readonly string[] => fleet.told.filter(told => told.includes(` ${reason}: `));

test('a host that was emptied for a machine which was removed by force is free after a minute, and says so (metal-h5)', async () => {
  await fleet.api.delete(Metal3Machine, at('m1'));
  await fleet.pass(200);
  await removedByForce();
  await fleet.state('h1', 'available');
  await fleet.pass(seconds(50));
  const early = await fleet.consumer('h1');

  await fleet.pass(seconds(20));

  const { spec, metadata } = await fleet.hostOf('h1');
  assert.equal(early, 'Metal3Machine m1');
  assert.deepEqual([spec?.consumerRef, metadata.labels, metadata.annotations], [undefined, undefined, undefined]);
  assert.match(toldOf('Freed').join(), /Metal3Machine m1, for which it was reserved, was removed by force/);
});

test('one that still runs is not touched, and says again and again what to do; emptied, it is freed (metal-h5, metal-h1)', async () => {
  await removedByForce();
  await fleet.pass(minutes(15));
  const { spec } = await fleet.hostOf('h1');
  const often = toldOf('ConsumerGone');
  await fleet.api.patch(BareMetalHost, at('h1'), { spec: { image: null, online: false } });
  await fleet.state('h1', 'available');
  await fleet.pass(minutes(1));

  assert.notEqual(spec?.image, undefined);
  assert.ok(often.length >= 2, `${often.length}`);
  assert.match(often[0] ?? '', /BareMetalHost h1 to be emptied: Metal3Machine m1, which used it, was removed by force/);
  assert.equal(await fleet.consumer('h1'), undefined);
});

test('a host that a person has reserved for a machine to come stays reserved, and says so (metal-h5)', async () => {
  const consumerRef = {
    apiVersion: apiVersionOf(Metal3Machine),
    kind: 'Metal3Machine',
    namespace: 'metal',
    name: 'm9',
  };
  await fleet.host('h9', { spec: { consumerRef } });

  await fleet.pass(minutes(10));

  assert.equal(await fleet.consumer('h9'), 'Metal3Machine m9');
  assert.match(
    toldOf('ConsumerGone').join(),
    /reserved for Metal3Machine m9, which is not there: take spec.consumerRef off/,
  );
});

test('a machine that came in time and was removed later begins a minute of its own (metal-h5)', async () => {
  const apiVersion = apiVersionOf(Metal3Machine);
  const consumerRef = { apiVersion, kind: 'Metal3Machine', namespace: 'metal', name: 'm9' };
  const labels = { 'cluster.x-k8s.io/cluster-name': CLUSTER };
  await fleet.host('h9', { metadata: { labels }, spec: { consumerRef } });
  await fleet.pass(seconds(50));
  await fleet.machine('m9');
  await fleet.pass(seconds(50));

  // Left alone, so that its controller does not give the host back in order.
  await fleet.api.patch(Metal3Machine, at('m9'), { metadata: { annotations: { [PAUSED_ANNOTATION]: '' } } });
  await fleet.pass(200);
  await fleet.api.delete(Metal3Machine, at('m9'));
  await fleet.api.patch(Metal3Machine, at('m9'), { metadata: { finalizers: [] } });
  await fleet.api.patch(BareMetalHost, at('h9'), { spec: { image: null, online: false } });
  await fleet.state('h9', 'available');
  await fleet.pass(seconds(50));
  const early = await fleet.consumer('h9');
  await fleet.pass(seconds(20));

  assert.equal(early, 'Metal3Machine m9');
  assert.equal(await fleet.consumer('h9'), undefined);
});

test('a frozen host, one of a paused Cluster and one that is moved are left alone (metal-h5, metal-7.13)', async () => {
  await removedByForce();
  await fleet.api.patch(BareMetalHost, at('h1'), { spec: { image: null, online: false } });
  await fleet.state('h1', 'available');
  for (const annotation of ['baremetalhost.metal3.io/paused', 'clusterctl.cluster.x-k8s.io/delete-for-move']) {
    await fleet.api.patch(BareMetalHost, at('h1'), { metadata: { annotations: { [annotation]: '' } } });
    await fleet.pass(minutes(10));
    assert.equal(await fleet.consumer('h1'), 'Metal3Machine m1', annotation);
    await fleet.api.patch(BareMetalHost, at('h1'), { metadata: { annotations: { [annotation]: null } } });
  }

  await fleet.pass(minutes(10));

  assert.equal(await fleet.consumer('h1'), undefined);
});
