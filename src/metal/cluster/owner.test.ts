// Which Cluster owns a Metal3Cluster: the one of the reference's UID and group, and no other of that name.

import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { minutes } from '../../base/clock.ts';
import { Cluster } from '../../kinds/generated/cluster.generated.ts';
import { Machine } from '../../kinds/generated/machine.generated.ts';
import { Metal3Cluster } from '../../kinds/generated/metal3-cluster.generated.ts';
import { controller } from '../../kube/run.ts';
import { aCluster, at, ownedBy, put, said } from '../objects.testing.ts';
import { aMetalTest, type MetalTest } from '../workload/world.testing.ts';
import { metal3Cluster } from './controller.ts';

let metal: MetalTest;

beforeEach(async () => {
  metal = await aMetalTest([Cluster, Machine, Metal3Cluster]);
  metal.run(controller(metal3Cluster));
  await metal.pass(0);
});
afterEach(() => metal.stop());

for (const [name, other] of [
  ['an earlier Cluster of that name', { uid: 'of-an-earlier-cluster' }],
  ['a Cluster of another group', { apiVersion: 'clusters.example.com/v1' }],
] as const) {
  test(`a Metal3Cluster of ${name} waits for its own, and is deletable (metal-f)`, async () => {
    const owner = { ...ownedBy(Cluster, await aCluster(metal.api, 'c', { paused: true })), ...other };
    const spec = { controlPlaneEndpoint: { host: '192.168.0.1' } };
    await put(metal.api, Metal3Cluster, 'c', { metadata: { ownerReferences: [owner] }, spec });

    await metal.pass(minutes(5));
    const waiting = await metal.api.get(Metal3Cluster, at('c'));
    await metal.api.delete(Metal3Cluster, at('c'));
    await metal.pass(minutes(1));

    assert.match(said(waiting, 'Ready'), /^False WaitingForClusterOwnerRef/);
    assert.match(said(waiting, 'Paused'), /^False NotPaused/);
    assert.equal(waiting.status?.initialization?.provisioned, undefined);
    assert.equal(await metal.api.find(Metal3Cluster, at('c')), undefined);
  });
}
