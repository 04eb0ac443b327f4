// Machines and Clusters that are taken apart, on the embedded API: in the contract's order, saying what they wait for.

import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { minutes, seconds } from '../../base/clock.ts';
import { Cluster, type ClusterSpec } from '../../kinds/generated/cluster.generated.ts';
import { Machine } from '../../kinds/generated/machine.generated.ts';
import { MachineDeployment } from '../../kinds/generated/machine-deployment.generated.ts';
import { Node } from '../../kube/core/node.ts';
import { CustomResourceDefinition } from '../../kube/core/other.ts';
import { Pod } from '../../kube/core/pod.ts';
import type { Transport } from '../../kube/transport.ts';
import { podIn, podNamed } from '../objects.testing.ts';
import {
  aControlPlane,
  aDeployment,
  aFleet,
  condition,
  type Fleet,
  machineSpec,
  onlyWorker,
  workers,
} from './fleet.testing.ts';
import { Mac, Site, setReady } from './provider.testing.ts';

let fleet: Fleet;
let name: string;
let refuse: (call: string) => boolean;

afterEach(() => fleet.stop());

/** A fleet with one worker that runs; with a control plane its Node may be drained and deleted. */
async function aWorker(
  more: { readonly controlPlane?: 'none'; spec?: Partial<ClusterSpec>; machine?: object } = {},
): Promise<void> {
  refuse = () => false;
  const between =
    (next: Transport): Transport =>
    async request =>
      refuse(`${request.method} ${request.path}`)
        ? { status: 403, headers: {}, body: new TextEncoder().encode('{"kind":"Status","reason":"Forbidden"}') }
        : next(request);
  fleet = await aFleet({ between, ...(more.spec === undefined ? {} : { spec: more.spec }) });
  if (more.controlPlane !== 'none') await aControlPlane(fleet.world);
  await aDeployment(fleet.world, 'md', { template: { spec: machineSpec('m2', more.machine) } });
  await fleet.world.pass(seconds(30));
  name = (await onlyWorker(fleet.world)).metadata.name;
}

const machine = (): Promise<Machine | undefined> => fleet.world.api.find(Machine, { namespace: 'default', name });
const node = (): Promise<Node | undefined> => fleet.world.api.find(Node, { name });
const mac = () => fleet.world.api.find(Mac, { namespace: 'default', name });

const deleteMachine = async (afterMs = seconds(10)): Promise<void> => {
  await fleet.world.api.patch(MachineDeployment, { namespace: 'default', name: 'md' }, { spec: { replicas: 0 } });
  await fleet.world.pass(afterMs);
};

const deleting = async (): Promise<string> => {
  const found = await machine();
  return found === undefined ? 'gone' : condition(found, 'Deleting');
};

const annotate = (annotations: Record<string, string | null>) =>
  fleet.world.api.patch(Machine, { namespace: 'default', name }, { metadata: { annotations } });

test('a Machine goes with its host and its Node, and nothing is left', async () => {
  await aWorker();

  await deleteMachine();

  assert.deepEqual([await machine(), await mac(), await node()], [undefined, undefined, undefined]);
});

test('the steps come in order: hook, drain, hook, host, Node', async () => {
  await aWorker();
  await annotate({
    'pre-drain.delete.hook.machine.cluster.x-k8s.io/log': 'x',
    'pre-terminate.delete.hook.machine.cluster.x-k8s.io/log': 'x',
  });
  await fleet.world.api.create(Pod, podNamed('vm', { nodeName: name }, { finalizers: ['x.test/vm'] }));
  fleet.provider.slow.add(name);

  await deleteMachine();
  const first = [await deleting(), (await node())?.spec?.unschedulable];
  await annotate({ 'pre-drain.delete.hook.machine.cluster.x-k8s.io/log': null });
  await fleet.world.pass(seconds(5));
  const second = [
    await deleting(),
    (await node())?.spec?.unschedulable,
    (await podIn(fleet.world, 'vm'))?.metadata.deletionTimestamp !== undefined,
  ];
  await fleet.world.api.patch(Pod, { namespace: 'default', name: 'vm' }, { metadata: { finalizers: null } });
  await fleet.world.api.delete(Pod, { namespace: 'default', name: 'vm' }, { graceSeconds: 0 });
  await fleet.world.pass(seconds(5));
  const third = [await deleting(), (await mac())?.metadata.deletionTimestamp];
  await annotate({ 'pre-terminate.delete.hook.machine.cluster.x-k8s.io/log': null });
  await fleet.world.pass(seconds(5));
  const fourth = [
    await deleting(),
    (await mac())?.metadata.deletionTimestamp !== undefined,
    (await node()) !== undefined,
  ];
  fleet.provider.slow.clear();
  await fleet.world.pass(seconds(40));

  assert.deepEqual(first, [
    'True WaitingForPreDrainHook: Waiting for whoever set them to remove the annotations pre-drain.delete.hook.machine.cluster.x-k8s.io/log',
    undefined,
  ]);
  assert.deepEqual(second, [`True DrainingNode: Waiting for the Pods on Node ${name} to go: default/vm`, true, true]);
  assert.match(String(third[0]), /^True WaitingForPreTerminateHook/);
  assert.equal(third[1], undefined);
  assert.deepEqual(fourth, [`True WaitingForInfrastructureDeletion: Waiting for Mac ${name} to be gone`, true, true]);
  assert.deepEqual([await machine(), await mac(), await node()], [undefined, undefined, undefined]);
});

test('without a control plane the Node is neither drained nor deleted', async () => {
  await aWorker({ controlPlane: 'none' });
  await fleet.world.api.create(Pod, podNamed('vm', { nodeName: name }));

  await deleteMachine();

  assert.equal(await machine(), undefined);
  assert.equal((await node())?.spec?.unschedulable, undefined);
  assert.equal((await podIn(fleet.world, 'vm'))?.metadata.deletionTimestamp, undefined);
});

test('a drain that never ends is given up at its limit', async () => {
  await aWorker({ machine: { deletion: { nodeDrainTimeoutSeconds: 60 } } });
  await fleet.world.api.create(Pod, podNamed('vm', { nodeName: name }, { finalizers: ['x.test/vm'] }));

  await deleteMachine();
  await fleet.world.pass(seconds(45));
  const before = await deleting();
  await fleet.world.pass(seconds(30));

  assert.match(before, /^True DrainingNode/);
  assert.equal(await machine(), undefined);
});

test('a drain can be left out by annotation', async () => {
  await aWorker();
  await annotate({ 'machine.cluster.x-k8s.io/exclude-node-draining': '' });
  await fleet.world.api.create(Pod, podNamed('vm', { nodeName: name }, { finalizers: ['x.test/vm'] }));

  await deleteMachine();

  assert.equal(await machine(), undefined);
});

test('on a Node that does not answer Pods that were told to go are not waited for', async () => {
  await aWorker();
  await fleet.world.api.create(Pod, podNamed('vm', { nodeName: name }, { finalizers: ['x.test/vm'] }));
  await setReady(fleet.world, name, 'Unknown');

  await deleteMachine();
  await fleet.world.pass(seconds(45));

  assert.equal(await machine(), undefined);
});

test('a host that cannot be asked about is waited for: an error is no absence', async () => {
  await aWorker();
  fleet.provider.slow.add(name);
  await deleteMachine();
  await fleet.world.api.patch(Mac, { namespace: 'default', name }, { metadata: { finalizers: null } });
  refuse = call => call.startsWith('GET') && call.endsWith(`/macs/${name}`);
  await fleet.world.pass(minutes(10));
  const whileForbidden = await machine();

  refuse = () => false;
  await fleet.world.pass(minutes(5));

  assert.notEqual(whileForbidden, undefined);
  assert.equal(await machine(), undefined);
});

test('a host whose name now belongs to another Machine is left alone', async () => {
  await aWorker();
  const ownerReferences = [
    { apiVersion: 'cluster.x-k8s.io/v1beta2', kind: 'Machine', name: 'x', uid: 'x', controller: true },
  ];
  await fleet.world.api.patch(Mac, { namespace: 'default', name }, { metadata: { ownerReferences } });

  await deleteMachine();

  assert.equal(await machine(), undefined);
  assert.equal((await mac())?.metadata.deletionTimestamp, undefined);
});

test('a Machine ends although the kind of its host is not there any more', async () => {
  await aWorker();
  fleet.provider.slow.add(name);
  await deleteMachine();
  await fleet.world.api.patch(Mac, { namespace: 'default', name }, { metadata: { finalizers: null } });
  await fleet.world.api.patch(Mac, { namespace: 'default', name: 'cp' }, { metadata: { finalizers: null } });

  await fleet.world.api.delete(CustomResourceDefinition, { name: 'macs.infrastructure.cluster.x-k8s.io' });
  await fleet.world.pass(minutes(5));

  assert.equal(await machine(), undefined);
});

test('a Node that cannot be deleted holds its Machine for ten seconds, no longer', async () => {
  await aWorker();
  refuse = call => call === `DELETE /api/v1/nodes/${name}`;

  await deleteMachine(seconds(5));
  const before = await deleting();
  await fleet.world.pass(seconds(15));

  assert.match(before, /^True DeletingNode: Waiting for Node .* to be deleted: /);
  assert.equal(await machine(), undefined);
  assert.notEqual(await node(), undefined);
});

test('a Node of that name that is another host\u2019s is not deleted', async () => {
  await aWorker();
  await fleet.world.api.delete(Node, { name });
  const other: Node = { apiVersion: 'v1', kind: 'Node', metadata: { name }, spec: { providerID: 'test://other' } };
  await fleet.world.api.create(Node, other);

  await deleteMachine();

  assert.equal(await machine(), undefined);
  assert.notEqual(await node(), undefined);
});

test('what clusterctl moves away is not touched', async () => {
  await aWorker();
  await fleet.world.api.patch(Cluster, { namespace: 'default', name: 'fleet' }, { spec: { paused: true } });
  await fleet.world.pass(seconds(5));

  await fleet.world.api.delete(Machine, { namespace: 'default', name });
  await fleet.world.pass(minutes(5));

  assert.notEqual(await machine(), undefined);
  assert.equal((await mac())?.metadata.deletionTimestamp, undefined);
});

test('a Cluster goes after all that is in it, and says what it waits for', async () => {
  await aWorker({ controlPlane: 'none' });
  const cluster = () => fleet.world.api.find(Cluster, { namespace: 'default', name: 'fleet' });
  fleet.provider.slow.add(name);

  await fleet.world.api.delete(Cluster, { namespace: 'default', name: 'fleet' });
  await fleet.world.pass(seconds(30));
  const held = await cluster();
  fleet.provider.slow.clear();
  await fleet.world.pass(minutes(2));

  assert.equal(
    held === undefined ? '' : condition(held, 'Deleting'),
    'True WaitingForMachineDeploymentDeletion: Waiting for 1 machinedeployments to go: md',
  );
  assert.equal(await cluster(), undefined);
  assert.deepEqual(await workers(fleet.world), []);
  assert.equal(await fleet.world.api.find(Site, { namespace: 'default', name: 'site' }), undefined);
});

test('Machines end although their Cluster is gone already', async () => {
  await aWorker({ controlPlane: 'none' });
  const key = { namespace: 'default', name: 'fleet' };
  await fleet.world.api.patch(Cluster, key, { spec: { paused: true } });
  await fleet.world.pass(seconds(5));
  await fleet.world.api.delete(Cluster, key);
  await fleet.world.api.patch(Cluster, key, { metadata: { finalizers: null } });

  await deleteMachine();
  await fleet.world.pass(minutes(1));

  assert.equal(await fleet.world.api.find(Cluster, key), undefined);
  assert.deepEqual([await machine(), await mac()], [undefined, undefined]);
});
