// The time of a try, what follows when it is up, and what does not count against a machine.

import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { BareMetalHost } from '../../kinds/generated/bare-metal-host.generated.ts';
import { Machine } from '../../kinds/generated/machine.generated.ts';
import { Metal3Remediation } from '../../kinds/generated/metal3-remediation.generated.ts';
import { Metal3RemediationTemplate } from '../../kinds/generated/metal3-remediation-template.generated.ts';
import { conditionOf } from '../../kube/conditions.ts';
import { Node } from '../../kube/core/node.ts';
import { kindOf } from '../../kube/kind.ts';
import type { KubeObject } from '../../kube/object.ts';
import { at, ownedBy, put, said } from '../objects.testing.ts';
import { aRepair, type RepairTest } from './world.testing.ts';

const VolumeAttachment = kindOf<KubeObject & { readonly spec: unknown }>(
  'storage.k8s.io/v1',
  'VolumeAttachment',
  'volumeattachments',
  'Cluster',
);

let repair: RepairTest;
afterEach(() => repair.metal.stop());

const phase = async (): Promise<string | undefined> => (await repair.read()).status?.phase;
const ownerAsked = async (): Promise<string | undefined> => {
  const condition = conditionOf(await repair.metal.api.get(Machine, at('m1')), 'OwnerRemediated');
  return condition === undefined ? undefined : `${condition.status} ${condition.reason}`;
};

test('a Machine that stays unhealthy is rebooted as often as the limit allows, then handed to its owner', async () => {
  repair = await aRepair();
  await repair.remediate({ retryLimit: 2, timeoutSeconds: 100 });
  await repair.pass(99);
  assert.deepEqual(repair.seen, ['off', 'on']);
  const begun = (await repair.read()).status?.lastRemediated;

  await repair.pass(60);
  assert.equal((await repair.read()).status?.retryCount, 1);
  assert.notEqual((await repair.read()).status?.lastRemediated, begun);
  assert.deepEqual(repair.seen, ['off', 'on', 'off', 'on']);
  assert.equal(await ownerAsked(), undefined);

  await repair.pass(202);
  const { status, metadata } = await repair.read();
  assert.deepEqual([status?.phase, status?.retryCount], ['Deleting machine', 2]);
  assert.deepEqual(metadata.finalizers ?? [], []);
  assert.equal(await ownerAsked(), 'False WaitingForRemediation');
  const { annotations = {} } = (await repair.host()).metadata;
  assert.deepEqual(annotations, { 'capm3.metal3.io/unhealthy': 'capm3/UnhealthyNode' });
  assert.match(said(await repair.read(), 'Remediated'), /NothingToRepair: .*Machine m1 is to be replaced by its owner/);
  const seen = repair.seen.length;
  await repair.pass(600);
  assert.equal(repair.seen.length, seen);
});

test('a host that cannot be switched off costs its tries, and is let on again', async () => {
  repair = await aRepair();
  repair.hardware.power = 'stays as it is';
  await repair.remediate({ retryLimit: 1, timeoutSeconds: 100 });
  await repair.metal.api.patch(
    BareMetalHost,
    at('h1'),
    { status: { errorMessage: 'no BMC' } },
    { subresource: 'status' },
  );
  await repair.pass(50);
  assert.match(said(await repair.read(), 'Remediated'), /to be switched off: no BMC/);

  await repair.pass(160);

  assert.equal(await phase(), 'Deleting machine');
  assert.deepEqual(Object.keys((await repair.host()).metadata.annotations ?? {}), ['capm3.metal3.io/unhealthy']);
  assert.deepEqual((await repair.read()).metadata.finalizers ?? [], []);
});

test('a Node that does not come back costs its tries', async () => {
  repair = await aRepair({ kubelet: 'v1.27.9' });
  repair.hardware.boots = 'without';
  await repair.remediate({ retryLimit: 1, timeoutSeconds: 100 });

  await repair.pass(210);

  assert.equal(await phase(), 'Deleting machine');
  assert.equal(await ownerAsked(), 'False WaitingForRemediation');
  assert.deepEqual((await repair.read()).metadata.finalizers ?? [], []);
});

test('a dead workload cluster replaces nobody: the host is on again after its time, the Node is waited for', async () => {
  repair = await aRepair();
  repair.workload.trouble = 'dead';
  for (const stream of repair.workload.watches) stream.close('power is off');
  await repair.remediate({ retryLimit: 1, timeoutSeconds: 100 });
  await repair.pass(90);
  assert.deepEqual(repair.seen, ['off']);
  assert.match(said(await repair.read(), 'Remediated'), /^False Unreachable: Waiting for Cluster c to be known/);

  await repair.pass(900);
  assert.deepEqual(repair.seen, ['off', 'on']);
  assert.equal(await phase(), 'Waiting');
  assert.equal(await ownerAsked(), undefined);

  repair.workload.trouble = undefined;
  await repair.pass(60);
  assert.deepEqual((await repair.read()).metadata.finalizers ?? [], []);
});

test('a kubeconfig that may not touch Nodes is no reason not to reboot', async () => {
  repair = await aRepair();
  repair.workload.trouble = 403;
  for (const stream of repair.workload.watches) stream.close('over');
  await repair.pass(40);
  await repair.remediate();
  await repair.pass(30);

  assert.deepEqual(repair.seen, ['off', 'on']);
  assert.deepEqual((await repair.read()).metadata.finalizers ?? [], []);
});

test('Pods that do not leave hold a host off for the time of one try, and no longer', async () => {
  repair = await aRepair();
  await repair.workload.api.create(VolumeAttachment, {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'VolumeAttachment',
    metadata: { name: 'disk' },
    spec: { nodeName: 'n1', attacher: 'csi', source: { persistentVolumeName: 'v' } },
  });
  await repair.remediate({ timeoutSeconds: 100 });
  await repair.pass(80);
  assert.deepEqual(repair.seen, ['off']);
  assert.match(said(await repair.read(), 'Remediated'), /VolumeAttachment disk to be gone/);

  await repair.pass(40);

  assert.deepEqual(repair.seen, ['off', 'on']);
  assert.ok(repair.metal.told.some(each => each.startsWith('Warning NodeNotFenced')));
});

test('a template shows how the latest remediation that was made from it stands', async () => {
  repair = await aRepair();
  const template = { spec: { strategy: { type: 'Reboot', retryLimit: 1, timeoutSeconds: 300 } } } as const;
  await put(repair.metal.api, Metal3RemediationTemplate, 't', { spec: { template } });
  await repair.remediate();
  const annotations = {
    'cluster.x-k8s.io/cloned-from-name': 't',
    'cluster.x-k8s.io/cloned-from-groupkind': 'Metal3RemediationTemplate.infrastructure.cluster.x-k8s.io',
  };
  await repair.metal.api.patch(Metal3Remediation, at('m1'), { metadata: { annotations } });
  await repair.pass(30);

  const { status } = await repair.metal.api.get(Metal3RemediationTemplate, at('t'));
  const { lastRemediated } = (await repair.read()).status ?? {};
  assert.deepEqual(status?.status, { phase: 'Waiting', lastRemediated });
  assert.ok(lastRemediated !== undefined);
});

test('a host keeps to one reboot at a time for each remediation, and other annotations of reboots stay', async () => {
  repair = await aRepair();
  const annotations = { 'reboot.metal3.io/of-another': '' };
  await repair.metal.api.patch(BareMetalHost, at('h1'), { metadata: { annotations } });
  await repair.remediate();
  await repair.pass(60);

  assert.deepEqual((await repair.host()).metadata.annotations, annotations);
});

test('a Machine without a Node is rebooted all the same', async () => {
  repair = await aRepair();
  await repair.metal.api.patch(Machine, at('m1'), { status: { nodeRef: null } }, { subresource: 'status' });
  await repair.workload.api.delete(Node, { name: 'n1' });
  repair.hardware.boots = 'without';
  await repair.remediate({ timeoutSeconds: 100 });
  await repair.pass(20);

  assert.deepEqual(repair.seen, ['Node gone', 'off', 'on']);
});

test('remediations of one Machine that another already owns by name only are not mistaken for its own', async () => {
  repair = await aRepair();
  const stranger = { ...repair.machine, metadata: { ...repair.machine.metadata, uid: 'of-an-earlier-machine' } };
  await put(repair.metal.api, Metal3Remediation, 'm1', {
    metadata: { ownerReferences: [ownedBy(Machine, stranger)] },
    spec: { strategy: { type: 'Reboot' } },
  });
  await repair.pass(30);

  assert.deepEqual(repair.seen, []);
  assert.match(said(await repair.read(), 'Remediated'), /NothingToRepair: .*Machine m1 is gone/);
});
