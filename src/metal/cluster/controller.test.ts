// A Metal3Cluster, from its endpoint to its end.

import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { minutes, seconds } from '../../base/clock.ts';
import { Cluster } from '../../kinds/generated/cluster.generated.ts';
import { Machine } from '../../kinds/generated/machine.generated.ts';
import { Metal3Cluster } from '../../kinds/generated/metal3-cluster.generated.ts';
import { METAL3_CLUSTER_FINALIZER } from '../../kinds/metal-wire.ts';
import type { ObjectMeta } from '../../kube/object.ts';
import { controller } from '../../kube/run.ts';
import { aCluster, aMachine, at, ownedBy, put, said } from '../objects.testing.ts';
import { aMetalTest, type MetalTest, NS } from '../workload/world.testing.ts';
import { metal3Cluster } from './controller.ts';

let metal: MetalTest;

beforeEach(async () => {
  metal = await aMetalTest([Cluster, Machine, Metal3Cluster]);
  metal.run(controller(metal3Cluster));
  await metal.pass(0);
});
afterEach(() => metal.stop());

const ENDPOINT = { host: '192.168.0.1' };

async function owned(spec: Metal3Cluster['spec'] = { controlPlaneEndpoint: ENDPOINT }, more: Partial<ObjectMeta> = {}) {
  const cluster = await aCluster(metal.api, 'c');
  const metadata = { ownerReferences: [ownedBy(Cluster, cluster)], ...more };
  await put(metal.api, Metal3Cluster, 'c', { metadata, spec });
  await metal.pass(seconds(1));
}

const read = (): Promise<Metal3Cluster> => metal.api.get(Metal3Cluster, at('c'));

async function isGone(): Promise<boolean> {
  return (await metal.api.find(Metal3Cluster, at('c'))) === undefined;
}

test('a cluster with an endpoint is provisioned, with the port and the failure domains it asks for', async () => {
  const failureDomains = [{ name: 'rack-1', controlPlane: true }];

  await owned({ controlPlaneEndpoint: ENDPOINT, failureDomains });

  const { spec, status, metadata } = await read();
  assert.deepEqual(spec?.controlPlaneEndpoint, { host: '192.168.0.1', port: 6443 });
  assert.equal(status?.initialization?.provisioned, true);
  assert.deepEqual(status?.failureDomains, failureDomains);
  assert.deepEqual(metadata.finalizers, [METAL3_CLUSTER_FINALIZER]);
  assert.match(said(await read(), 'Ready'), /^True/);
  assert.match(said(await read(), 'BaremetalInfrastructureReady'), /^True/);
  assert.match(said(await read(), 'Paused'), /^False NotPaused/);
});

test('a cluster that stays as it is, is not written again', async () => {
  await owned();
  const before = await read();
  metal.writes.length = 0;

  await metal.api.patch(Cluster, at('c'), { metadata: { labels: { touched: 'yes' } } });
  await metal.pass(minutes(30));

  assert.deepEqual(metal.writes, []);
  assert.deepEqual(await read(), before);
});

test('failure domains that are taken away leave the status too', async () => {
  await owned({ controlPlaneEndpoint: ENDPOINT, failureDomains: [{ name: 'rack-1' }] });

  await metal.api.patch(Metal3Cluster, at('c'), { spec: { failureDomains: null } });
  await metal.pass(seconds(1));

  assert.equal((await read()).status?.failureDomains, undefined);
});

test('a cluster waits for its owner, and begins as soon as it comes', async () => {
  await put(metal.api, Metal3Cluster, 'c', { spec: { controlPlaneEndpoint: ENDPOINT } });
  await metal.pass(seconds(1));
  assert.equal(
    said(await read(), 'Ready'),
    'False WaitingForClusterOwnerRef: Waiting for the Cluster that owns this object',
  );

  const cluster = await aCluster(metal.api, 'c');
  await metal.api.patch(Metal3Cluster, at('c'), { metadata: { ownerReferences: [ownedBy(Cluster, cluster)] } });
  await metal.pass(seconds(1));

  assert.equal((await read()).status?.initialization?.provisioned, true);
});

test('a missing host is said in a condition and never as final, and ends when the host is given (metal-6)', async () => {
  await owned();
  await metal.api.patch(Metal3Cluster, at('c'), { spec: { controlPlaneEndpoint: null } });
  await metal.api.patch(
    Metal3Cluster,
    at('c'),
    { status: { deprecated: { v1beta1: { failureReason: 'InvalidConfiguration', failureMessage: 'old words' } } } },
    { subresource: 'status' },
  );
  await metal.pass(seconds(1));
  const ready = said(await read(), 'Ready');
  assert.match(ready, /^False ControlPlaneEndpointFailed: Waiting for spec.controlPlaneEndpoint.host/);
  assert.equal((await read()).status?.initialization?.provisioned, false);

  await metal.api.patch(Metal3Cluster, at('c'), { spec: { controlPlaneEndpoint: ENDPOINT } });
  await metal.pass(seconds(1));

  const { status } = await read();
  assert.equal(status?.initialization?.provisioned, true);
  assert.deepEqual(status?.deprecated?.v1beta1 ?? {}, {});
});

test('deletion waits for every Machine of the cluster, deleting ones too, and goes on with the last (metal-e)', async () => {
  await owned();
  await aMachine(metal.api, 'm1', 'c', { metadata: { finalizers: ['test/holds'] } });
  await aMachine(metal.api, 'm2', 'c');
  await aMachine(metal.api, 'foreign', 'other');
  await metal.pass(seconds(1));

  await metal.api.delete(Metal3Cluster, at('c'));
  await metal.api.delete(Machine, at('m1'));
  await metal.pass(seconds(1));
  const deleting = said(await read(), 'Deleting');
  assert.equal(deleting, 'True MachinesLeft: Waiting for Machine m1 and 1 more of Cluster c to be gone');

  await metal.api.delete(Machine, at('m2'));
  await metal.pass(minutes(10));
  assert.match(said(await read(), 'Deleting'), /Machine m1 of Cluster c/);

  await metal.api.patch(Machine, at('m1'), { metadata: { finalizers: null } });
  await metal.pass(100);
  assert.ok(await isGone());
});

test('deletion does without its Cluster, though that went first (metal-S17, metal-i)', async () => {
  await owned();
  await aMachine(metal.api, 'm1', 'c');
  await metal.api.delete(Cluster, at('c'));
  await metal.api.delete(Metal3Cluster, at('c'));
  await metal.pass(seconds(1));
  assert.ok(!(await isGone()), 'its Machine is still there');

  await metal.api.delete(Machine, at('m1'));
  await metal.pass(100);

  assert.ok(await isGone());
});

test('one that never had an owner is deleted at once', async () => {
  await put(metal.api, Metal3Cluster, 'c', { spec: { controlPlaneEndpoint: ENDPOINT } });
  await put(metal.api, Machine, 'of-nobody', {
    spec: {
      clusterName: 'x',
      bootstrap: {},
      infrastructureRef: { apiGroup: 'x', kind: 'X', name: 'x' },
    },
  });
  await metal.pass(seconds(1));

  await metal.api.delete(Metal3Cluster, at('c'));
  await metal.pass(100);

  assert.ok(await isGone());
});

test('a paused cluster only says so, deletion included, and goes on when it is resumed', async () => {
  await owned();
  await metal.api.patch(Cluster, at('c'), { spec: { paused: true } });
  await metal.pass(seconds(1));
  assert.match(said(await read(), 'Paused'), /^True Paused: .*its Cluster c has spec.paused/);

  await metal.api.delete(Metal3Cluster, at('c'));
  await metal.api.patch(Metal3Cluster, at('c'), { spec: { failureDomains: [{ name: 'rack-1' }] } });
  metal.writes.length = 0;
  await metal.pass(minutes(30));
  assert.deepEqual(metal.writes, []);

  await metal.api.patch(Cluster, at('c'), { spec: { paused: false } });
  await metal.pass(seconds(1));
  assert.ok(await isGone());
});

test('the source copy of a move is left alone: no finalizer, no status', async () => {
  await owned(undefined, { annotations: { 'clusterctl.cluster.x-k8s.io/delete-for-move': '' } });
  await metal.pass(minutes(30));

  assert.deepEqual(
    metal.writes.filter(write => write.includes(NS)),
    [],
  );
});

test('a cluster that somebody else manages is left to them, but our finalizer does not hold it', async () => {
  await owned(undefined, { annotations: { 'cluster.x-k8s.io/managed-by': 'a person' } });
  await metal.pass(minutes(5));
  assert.deepEqual(metal.writes, []);

  await metal.api.patch(Metal3Cluster, at('c'), { metadata: { finalizers: [METAL3_CLUSTER_FINALIZER] } });
  await metal.api.delete(Metal3Cluster, at('c'));
  await metal.pass(seconds(1));

  assert.ok(await isGone());
});
