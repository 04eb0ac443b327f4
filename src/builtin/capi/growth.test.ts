// Fleets that come into being and change, on the embedded API: from a deployment to Machines with Nodes.

import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { seconds } from '../../base/clock.ts';
import { Cluster } from '../../kinds/generated/cluster.generated.ts';
import { Machine } from '../../kinds/generated/machine.generated.ts';
import { MachineDeployment } from '../../kinds/generated/machine-deployment.generated.ts';
import { Node } from '../../kube/core/node.ts';
import {
  aDeployment,
  aFleet,
  condition,
  type Fleet,
  GROUP,
  machineSpec,
  objectOf,
  onlyWorker,
  sets,
  workers,
} from './fleet.testing.ts';
import { Box, Config, ConfigTemplate, Mac } from './provider.testing.ts';

let fleet: Fleet;

beforeEach(async () => {
  fleet = await aFleet();
});

afterEach(() => fleet.stop());

const deployment = () => fleet.world.api.get(MachineDeployment, { namespace: 'default', name: 'md' });

const change = async (spec: object): Promise<void> => {
  await fleet.world.api.patch(MachineDeployment, { namespace: 'default', name: 'md' }, { spec });
  await fleet.world.pass(seconds(60));
};

test('a deployment becomes Machines with hosts and Nodes, and counts them', async () => {
  await aDeployment(fleet.world, 'md', { replicas: 3 });
  await fleet.world.pass(seconds(30));

  const machines = await workers(fleet.world);
  assert.equal(machines.length, 3);
  for (const machine of machines) {
    const mac = await fleet.world.api.get(Mac, { namespace: 'default', name: machine.metadata.name });
    assert.equal(machine.spec.providerID, `test://${mac.metadata.uid}`);
    assert.equal(machine.status?.nodeRef?.name, machine.metadata.name);
    assert.equal(machine.status?.phase, 'Running');
    assert.match(condition(machine, 'Available'), /^True/);
  }
  const { status } = await deployment();
  assert.deepEqual(
    [status?.replicas, status?.readyReplicas, status?.availableReplicas, status?.upToDateReplicas, status?.phase],
    [3, 3, 3, 3, 'Running'],
  );
  assert.equal(status?.selector, 'cluster.x-k8s.io/cluster-name=fleet,cluster.x-k8s.io/deployment-name=md');
});

test('a host is a copy of its template, owned by its Machine, and says where it came from', async () => {
  await aDeployment(fleet.world, 'md');
  await fleet.world.pass(seconds(30));

  const machine = await onlyWorker(fleet.world);
  const mac = await fleet.world.api.get(Mac, { namespace: 'default', name: machine.metadata.name });
  assert.deepEqual(
    mac.metadata.ownerReferences?.map(({ kind, uid, controller }) => [kind, uid, controller]),
    [['Machine', machine.metadata.uid, true]],
  );
  assert.equal(mac.metadata.labels?.['cluster.x-k8s.io/cluster-name'], 'fleet');
  assert.equal(mac.metadata.labels?.size, 'M2');
  assert.equal(mac.metadata.annotations?.['cluster.x-k8s.io/cloned-from-name'], 'm2');
  assert.equal(mac.metadata.annotations?.['cluster.x-k8s.io/cloned-from-groupkind'], `MacTemplate.${GROUP}`);
  assert.equal((mac.spec as { type?: string }).type, 'M2');
});

test('a provider of contract v1beta2 is understood too', async () => {
  const template = {
    spec: machineSpec('m2', { infrastructureRef: { apiGroup: GROUP, kind: 'BoxTemplate', name: 'm2' } }),
  };
  await aDeployment(fleet.world, 'md', { template });
  await fleet.world.pass(seconds(30));

  const machine = await onlyWorker(fleet.world);
  assert.equal(machine.status?.phase, 'Running');
  assert.notEqual(await fleet.world.api.find(Box, { namespace: 'default', name: machine.metadata.name }), undefined);
});

test('manifests of v1beta1 work as they are', async () => {
  const infrastructureRef = { apiVersion: `${GROUP}/v1alpha7`, kind: 'MacTemplate', name: 'm2' };
  await aDeployment(fleet.world, 'md', {
    template: { spec: machineSpec('m2', { infrastructureRef }) },
    strategy: { type: 'OnDelete' },
  });
  await fleet.world.pass(seconds(30));

  assert.equal((await onlyWorker(fleet.world)).status?.phase, 'Running');
});

test('bootstrap data is waited for, and its Secret then named on the Machine', async () => {
  await fleet.world.api.create(ConfigTemplate, objectOf(ConfigTemplate, 'boot', { spec: { template: { spec: {} } } }));
  const configRef = { apiGroup: GROUP, kind: 'ConfigTemplate', name: 'boot' };
  await aDeployment(fleet.world, 'md', { template: { spec: machineSpec('m2', { bootstrap: { configRef } }) } });
  await fleet.world.pass(seconds(30));
  const before = await onlyWorker(fleet.world);

  const key = { namespace: 'default', name: before.metadata.name };
  const status = { ready: true, dataSecretName: 'boot-data' };
  await fleet.world.api.patch(Config, key, { status }, { subresource: 'status' });
  await fleet.world.pass(seconds(5));

  const after = await onlyWorker(fleet.world);
  assert.match(condition(before, 'BootstrapConfigReady'), /^False NotReady: Waiting for Config .* to make the data$/);
  assert.match(condition(after, 'BootstrapConfigReady'), /^True/);
  assert.equal(after.spec.bootstrap.dataSecretName, 'boot-data');
});

test('a Machine says what it waits for', async () => {
  await aDeployment(fleet.world, 'md', {
    template: { spec: machineSpec('none-such') },
  });
  await fleet.world.pass(seconds(30));

  const machine = await onlyWorker(fleet.world);
  assert.match(condition(machine, 'InfrastructureReady'), /^False DoesNotExist: Waiting for Mac md-.* to exist$/);
  assert.match(condition(machine, 'NodeHealthy'), /^Unknown NotReached/);
  const [set] = await sets(fleet.world);
  assert.ok(set !== undefined);
  assert.match(condition(set, 'MachinesCreated'), /^False CloningFailed: Waiting for MacTemplate none-such to exist$/);
});

test('a smaller deployment lets the marked Machine go first', async () => {
  await aDeployment(fleet.world, 'md', { replicas: 3 });
  await fleet.world.pass(seconds(30));
  const [, second] = await workers(fleet.world);
  const name = second?.metadata.name ?? '';
  const annotations = { 'cluster.x-k8s.io/delete-machine': 'yes' };
  await fleet.world.api.patch(Machine, { namespace: 'default', name }, { metadata: { annotations } });

  await change({ replicas: 2 });

  const left = (await workers(fleet.world)).map(machine => machine.metadata.name);
  assert.equal(left.length, 2);
  assert.ok(!left.includes(name));
});

test('a new template rolls the machines, never below what must be available', async () => {
  await aDeployment(fleet.world, 'md', { replicas: 2 });
  await fleet.world.pass(seconds(30));
  const before = (await workers(fleet.world)).map(machine => machine.metadata.name);

  await change({ template: { spec: { infrastructureRef: { name: 'm4' } } } });

  const after = await workers(fleet.world);
  assert.equal(after.length, 2);
  assert.ok(after.every(machine => !before.includes(machine.metadata.name)));
  const hosts = await fleet.world.api.list(Mac, { namespace: 'default' });
  assert.deepEqual(
    hosts.items.map(mac => mac.metadata.labels?.size),
    ['M4', 'M4'],
  );
  assert.equal((await sets(fleet.world)).length, 1);
});

test('OnDelete leaves machines alone until somebody deletes one, and replaces that one only', async () => {
  await aDeployment(fleet.world, 'md', { replicas: 2, rollout: { strategy: { type: 'OnDelete' } } });
  await fleet.world.pass(seconds(30));
  const before = (await workers(fleet.world)).map(machine => machine.metadata.name).sort();
  await change({ template: { spec: { infrastructureRef: { name: 'm4' } } } });
  const untouched = (await workers(fleet.world)).map(machine => machine.metadata.name).sort();

  await fleet.world.api.delete(Machine, { namespace: 'default', name: before[0] ?? '' });
  await fleet.world.pass(seconds(60));

  assert.deepEqual(untouched, before);
  const hosts = await fleet.world.api.list(Mac, { namespace: 'default' });
  assert.deepEqual(hosts.items.map(mac => mac.metadata.labels?.size).sort(), ['M2', 'M4']);
});

test('time limits and labels follow without new machines', async () => {
  await aDeployment(fleet.world, 'md');
  await fleet.world.pass(seconds(30));
  const { uid } = (await onlyWorker(fleet.world)).metadata;

  await change({
    template: { metadata: { labels: { team: 'ios' } }, spec: { deletion: { nodeDrainTimeoutSeconds: 60 } } },
  });

  const machine = await onlyWorker(fleet.world);
  assert.equal(machine.metadata.uid, uid);
  assert.equal(machine.metadata.labels?.team, 'ios');
  assert.equal(machine.spec.deletion?.nodeDrainTimeoutSeconds, 60);
});

test('a paused Cluster gets nothing new', async () => {
  await fleet.world.api.patch(Cluster, { namespace: 'default', name: 'fleet' }, { spec: { paused: true } });
  await aDeployment(fleet.world, 'md');
  await fleet.world.pass(seconds(60));
  const whilePaused = await workers(fleet.world);

  await fleet.world.api.patch(Cluster, { namespace: 'default', name: 'fleet' }, { spec: { paused: false } });
  await fleet.world.pass(seconds(60));

  assert.deepEqual(whilePaused, []);
  assert.equal((await workers(fleet.world)).length, 1);
});

test('a Node of the right name but of another host is not taken for the Machine\u2019s', async () => {
  await aDeployment(fleet.world, 'md');
  await fleet.world.pass(seconds(30));
  const { name } = (await onlyWorker(fleet.world)).metadata;

  await fleet.world.api.delete(Node, { name });
  const node: Node = { apiVersion: 'v1', kind: 'Node', metadata: { name }, spec: { providerID: 'test://other' } };
  await fleet.world.api.create(Node, node);
  await fleet.world.pass(seconds(30));

  assert.match(condition(await onlyWorker(fleet.world), 'NodeHealthy'), /^False NodeDeleted/);
});

test('a Cluster takes over readiness from its infrastructure, and the word of whoever knows the control plane', async () => {
  const key = { namespace: 'default', name: 'fleet' };
  const before = await fleet.world.api.get(Cluster, key);
  const conditions = [...(before.status?.conditions ?? []).filter(({ type }) => type !== 'ControlPlaneInitialized')];
  const known = { type: 'ControlPlaneInitialized', status: 'True', lastTransitionTime: '2026-01-01T00:00:00Z' };
  await fleet.world.api.patch(
    Cluster,
    key,
    { status: { conditions: [...conditions, known] } },
    { subresource: 'status' },
  );
  await fleet.world.pass(seconds(120));

  const after = await fleet.world.api.get(Cluster, key);
  assert.equal(before.status?.initialization?.infrastructureProvisioned, true);
  assert.equal(before.status?.phase, 'Provisioned');
  assert.match(condition(before, 'ControlPlaneInitialized'), /^False/);
  assert.match(condition(after, 'ControlPlaneInitialized'), /^True/);
  assert.equal(after.status?.initialization?.controlPlaneInitialized, true);
});

test('a Machine shows what its Node says of itself in texts, and is not held up by more', async () => {
  await aDeployment(fleet.world, 'md');
  await fleet.world.pass(seconds(30));
  const { name } = (await onlyWorker(fleet.world)).metadata;
  const nodeInfo = { architecture: 'arm64', swap: { capacity: 1 } };

  await fleet.world.api.patch(Node, { name }, { status: { nodeInfo } }, { subresource: 'status' });
  await fleet.world.pass(seconds(5));

  const machine = await onlyWorker(fleet.world);
  assert.equal(machine.status?.nodeInfo?.architecture, 'arm64');
  assert.match(condition(machine, 'NodeHealthy'), /^True/);
});
