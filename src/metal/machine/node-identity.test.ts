// The provider id of a machine and of its Node: which is kept, how the Node is found, and what is said when it is not.

import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { seconds } from '../../base/clock.ts';
import { Metal3Cluster } from '../../kinds/generated/metal3-cluster.generated.ts';
import { Metal3Machine } from '../../kinds/generated/metal3-machine.generated.ts';
import { Node } from '../../kube/core/node.ts';
import { at } from '../objects.testing.ts';
import { aFleet, CLUSTER, type Fleet, IMAGE, type MachineMore } from './fleet.testing.ts';

let fleet: Fleet;
beforeEach(async () => {
  fleet = await aFleet();
});
afterEach(() => fleet.stop());

const ID = 'metal3://metal/h1/m1';
/** Somebody makes bootstrap data: the Node bears the label of its host. */
const BOOTSTRAPPED: MachineMore = {
  machine: {
    bootstrap: {
      configRef: { apiGroup: 'bootstrap.cluster.x-k8s.io', kind: 'KubeadmConfig', name: 'm1' },
      dataSecretName: 'boot',
    },
  },
};

/** A machine whose host runs. */
async function running(more: MachineMore = BOOTSTRAPPED): Promise<string> {
  const { metadata } = await fleet.host('h1');
  await fleet.machine('m1', more);
  await fleet.pass(200);
  await fleet.state('h1', 'provisioned', { hardware: { hostname: 'host-1' } });
  await fleet.pass(200);
  return metadata.uid ?? '';
}

async function aNode(name: string, labels: Record<string, string>, providerID?: string): Promise<void> {
  const spec = providerID === undefined ? {} : { spec: { providerID } };
  await fleet.workload.api.create(Node, { apiVersion: 'v1', kind: 'Node', metadata: { name, labels }, ...spec });
  await fleet.pass(200);
}

const labelled = (uid: string): Record<string, string> => ({ 'metal3.io/uuid': uid });

const idOfNode = async (name: string): Promise<string | undefined> =>
  (await fleet.workload.api.get(Node, { name })).spec?.providerID;

async function idOfMachine(): Promise<[id: string | undefined, provisioned: boolean | undefined]> {
  const { spec, status } = await fleet.machineOf('m1');
  return [spec?.providerID, status?.initialization?.provisioned];
}

const nodeReady = (): Promise<string> => fleet.said('m1', 'KubernetesNodeReady');

test('the Node with the label of the host gets the machine’s id, and the machine is provisioned', async () => {
  const uid = await running();
  assert.match(await nodeReady(), new RegExp(`^False NodeNotFound: .*metal3.io/uuid=${uid}`));
  assert.deepEqual(await idOfMachine(), [undefined, undefined]);

  await aNode('n1', labelled(uid));

  assert.equal(await idOfNode('n1'), ID);
  assert.deepEqual(await idOfMachine(), [ID, true]);
  assert.match(await nodeReady(), /^True/);
});

test('an id that the Node bears already is taken over, in today’s form and in the one before', async () => {
  const uid = await running();

  await aNode('n1', labelled(uid), `metal3://${uid}`);

  assert.equal(await idOfNode('n1'), `metal3://${uid}`);
  assert.deepEqual(await idOfMachine(), [`metal3://${uid}`, true]);
});

test('the machine’s own id comes first: after a move its host has another UID (metal-7.11)', async () => {
  const before = 'metal3://uid-before-the-move';
  await running({ ...BOOTSTRAPPED, spec: { image: IMAGE, providerID: before } });

  await aNode('n1', { 'metal3.io/uuid': 'uid-before-the-move' }, before);

  assert.deepEqual(await idOfMachine(), [before, true]);
  assert.equal(await idOfNode('n1'), before);
});

test('a Node that comes late is found when it comes (metal-7.11)', async () => {
  const uid = await running();
  await fleet.pass(seconds(600));

  await aNode('n1', labelled(uid));

  assert.deepEqual(await idOfMachine(), [ID, true]);
});

test('a Node with an id that is not the machine’s is named, and given none', async () => {
  const uid = await running();

  await aNode('n1', labelled(uid), 'aws:///i-1');

  assert.match(
    await nodeReady(),
    /^False ProviderIDUnsupported: .*Node n1 to go: it has the provider id aws:\/\/\/i-1/,
  );
  assert.deepEqual(await idOfMachine(), [undefined, undefined]);
});

test('two Nodes with one host are named, and neither is chosen until one is gone', async () => {
  const uid = await running();
  await aNode('n1', {}, ID);
  await aNode('n2', {}, `metal3://${uid}`);
  assert.deepEqual(await idOfMachine(), [ID, true]);
  assert.match(await nodeReady(), /^False ProviderIDNotUnique: .*n1, n2/);

  await fleet.workload.api.delete(Node, { name: 'n2' });
  await fleet.pass(200);

  assert.match(await nodeReady(), /^True/);
});

test('two Nodes with the label of one host, or with an id of it, are an error from the start', async () => {
  const uid = await running();
  await aNode('n1', labelled(uid), 'metal3://metal/h1/other');
  await aNode('n2', {}, 'metal3://metal/h1/another');
  assert.match(await nodeReady(), /^False ProviderIDNotUnique: .*their provider ids are all of BareMetalHost h1/);

  await fleet.workload.api.delete(Node, { name: 'n1' });
  await fleet.workload.api.delete(Node, { name: 'n2' });
  await aNode('n3', { ...labelled(uid), late: 'a' });
  const own = await idOfNode('n3');
  await aNode('n4', labelled(uid));

  assert.equal(own, ID);
  assert.equal(await idOfNode('n4'), undefined);
});

test('without bootstrap provider the machine gets its id at once, and its Node by the host’s name', async () => {
  await running({});
  assert.deepEqual(await idOfMachine(), [ID, true]);
  assert.match(await nodeReady(), /^False NodeNotFound: .*a Node named host-1/);

  await aNode('n1', { 'kubernetes.io/hostname': 'host-1' });

  assert.equal(await idOfNode('n1'), ID);
  assert.match(await nodeReady(), /^True/);
});

test('two Nodes of the host’s name are named, and neither gets the id', async () => {
  await running({});
  fleet.workload.trouble = 'dead';
  for (const stream of fleet.workload.watches) stream.close('gone');
  await fleet.workload.api.create(Node, named('n1'));
  await fleet.workload.api.create(Node, named('n2'));
  fleet.workload.trouble = undefined;
  await fleet.pass(seconds(120));

  assert.match(await nodeReady(), /^False ProviderIDNotUnique: .*n1, n2.*all have the host name host-1/);
  assert.deepEqual([await idOfNode('n1'), await idOfNode('n2')], [undefined, undefined]);
});

const named = (name: string): Node => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name, labels: { 'kubernetes.io/hostname': 'host-1' } },
});

test('with a cloud provider nothing is written to Nodes: its ids are waited for', async () => {
  await fleet.api.patch(Metal3Cluster, at(CLUSTER), { spec: { cloudProviderEnabled: true } });
  const uid = await running();
  await aNode('n1', labelled(uid));
  assert.equal(await idOfNode('n1'), undefined);
  assert.match(await nodeReady(), /^False WaitingForCloudProvider/);

  await fleet.workload.api.patch(Node, { name: 'n1' }, { spec: { providerID: `metal3://${uid}` } });
  await fleet.pass(200);

  assert.deepEqual(await idOfMachine(), [`metal3://${uid}`, true]);
});

test('a dead workload API delays the id, says so, and holds no deletion', async () => {
  fleet.workload.trouble = 'dead';
  const uid = await running();
  assert.match(await nodeReady(), /^False Unreachable: Waiting for the workload cluster c1 to be known: /);

  fleet.workload.trouble = undefined;
  await aNode('n1', labelled(uid));
  await fleet.pass(seconds(120));
  assert.deepEqual(await idOfMachine(), [ID, true]);

  fleet.workload.trouble = 'dead';
  for (const stream of fleet.workload.watches) stream.close('gone');
  await fleet.pass(seconds(60));
  assert.match(await nodeReady(), /^True/);
  await fleet.api.delete(Metal3Machine, at('m1'));
  await fleet.pass(200);
  await fleet.state('h1', 'available');
  await fleet.pass(200);
  assert.equal(await fleet.api.find(Metal3Machine, at('m1')), undefined);
});

test('a Node that was removed and comes back without an id gets it again', async () => {
  const uid = await running();
  await aNode('n1', labelled(uid));
  await fleet.workload.api.delete(Node, { name: 'n1' });
  await fleet.pass(200);

  await aNode('n1', labelled(uid));

  assert.equal(await idOfNode('n1'), ID);
});

test('a manager that starts writes nothing of connections that have only begun, and tells of one that takes long', async () => {
  await running();
  fleet.writes.length = 0;
  const before = await nodeReady();

  await fleet.restart();
  await fleet.pass(seconds(2));
  assert.deepEqual(fleet.writesTo('/metal3machines/'), []);
  assert.equal(await nodeReady(), before);

  fleet.workload.trouble = 'dead';
  await fleet.restart();
  await fleet.pass(seconds(40));
  assert.match(await nodeReady(), /^False Unreachable: /);
});
