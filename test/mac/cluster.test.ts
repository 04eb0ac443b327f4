// What a machine has to do with its Cluster, and what a TuistCluster does for it.

import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { Cluster } from '../../src/kinds/generated/cluster.generated.ts';
import { TuistCluster } from '../../src/kinds/generated/tuist-cluster.generated.ts';
import { MacMachine } from '../../src/mac/machine/mac-machine.ts';
import { type MacTestWorld, macTestWorld, NS } from './mac-world.ts';

let world: MacTestWorld;
afterEach(() => world.close());

const KEY = { namespace: NS, name: 'fleet' };
const INFRA = { apiGroup: 'infrastructure.cluster.x-k8s.io', kind: 'TuistCluster', name: 'fleet' };

const createCluster = (spec: Cluster['spec'] = {}): Promise<Cluster> =>
  world.api.create(Cluster, {
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind: 'Cluster',
    metadata: KEY,
    spec: { infrastructureRef: INFRA, ...spec },
  });

const createTuist = (owner?: Cluster): Promise<TuistCluster> => {
  const { name, uid = '' } = owner?.metadata ?? { name: '' };
  const ownerReferences = [{ apiVersion: 'cluster.x-k8s.io/v1beta2', kind: 'Cluster', name, uid }];
  return world.api.create(TuistCluster, {
    apiVersion: 'infrastructure.cluster.x-k8s.io/v1alpha1',
    kind: 'TuistCluster',
    metadata: owner === undefined ? KEY : { ...KEY, ownerReferences },
  });
};

const joinCluster = () =>
  world.api.patch(
    MacMachine,
    { namespace: NS, name: 'mac-0' },
    {
      metadata: { labels: { 'cluster.x-k8s.io/cluster-name': 'fleet' } },
    },
  );

test('a TuistCluster is ready, and its Cluster has a control plane without any Machine', async () => {
  world = await macTestWorld();

  await createTuist(await createCluster());
  await world.pass(5);

  assert.equal((await world.api.get(TuistCluster, KEY)).status?.ready, true);
  const cluster = await world.api.get(Cluster, KEY);
  assert.equal(cluster.status?.initialization?.controlPlaneInitialized, true);
  const condition = cluster.status?.conditions?.find(({ type }) => type === 'ControlPlaneInitialized');
  assert.equal(condition?.status, 'True');
});

test('the announcement comes as well when the owner comes later', async () => {
  world = await macTestWorld();
  await createTuist();
  await world.pass(5);

  const { name, uid = '' } = (await createCluster()).metadata;
  const ownerReferences = [{ apiVersion: 'cluster.x-k8s.io/v1beta2', kind: 'Cluster', name, uid }];
  await world.api.patch(TuistCluster, KEY, { metadata: { ownerReferences } });
  await world.pass(5);

  assert.equal((await world.api.get(Cluster, KEY)).status?.initialization?.controlPlaneInitialized, true);
});

test('a Cluster with a control plane of its own speaks for itself', async () => {
  world = await macTestWorld();
  const controlPlaneRef = { apiGroup: 'controlplane.cluster.x-k8s.io', kind: 'KubeadmControlPlane', name: 'cp' };

  await createTuist(await createCluster({ controlPlaneRef }));
  await world.pass(5);

  assert.notEqual((await world.api.get(Cluster, KEY)).status?.initialization?.controlPlaneInitialized, true);
});

test('a machine waits for its Cluster, and for the Cluster’s infrastructure', async () => {
  world = await macTestWorld({ poolPrefix: '' });
  await world.create('mac-0');
  await joinCluster();
  await world.pass(5);
  assert.equal((await world.condition('mac-0', 'ClusterReady'))?.reason, 'ClusterMissing');

  await createCluster();
  await world.pass(5);
  assert.equal((await world.condition('mac-0', 'ClusterReady'))?.reason, 'WaitingForClusterInfrastructure');

  const status = { initialization: { infrastructureProvisioned: true } };
  await world.api.patch(Cluster, KEY, { status }, { subresource: 'status' });
  await world.pass(5);
  assert.equal((await world.condition('mac-0', 'ClusterReady'))?.status, 'True');
});

test('a paused Cluster stops adoption but no deletion', async () => {
  world = await macTestWorld({ poolPrefix: '' });
  await createCluster({ paused: true });
  await world.create('mac-0');
  await joinCluster();
  await world.pass(5);
  Object.assign(world.world.settings, { poolPrefix: 'pool-' });
  world.free('one');
  const before = world.model.calls.length;
  await world.pass(600);
  assert.equal(world.model.calls.length, before);

  await world.delete('mac-0');
  await world.pass(30);
  assert.equal(await world.machine('mac-0'), undefined);
});
