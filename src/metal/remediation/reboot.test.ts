// A reboot, whole: off, the Node fenced, on again, the Node as it was; and what each phase waits for.

import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { BareMetalHost } from '../../kinds/generated/bare-metal-host.generated.ts';
import { Machine } from '../../kinds/generated/machine.generated.ts';
import { Metal3Remediation } from '../../kinds/generated/metal3-remediation.generated.ts';
import { METAL3_REMEDIATION_FINALIZER } from '../../kinds/metal-wire.ts';
import { Node } from '../../kube/core/node.ts';
import { CustomResourceDefinition } from '../../kube/core/other.ts';
import { Pod } from '../../kube/core/pod.ts';
import { at, ownedBy, put, said } from '../objects.testing.ts';
import { aRepair, type RepairTest } from './world.testing.ts';

let repair: RepairTest;
afterEach(() => repair.metal.stop());

/** Without those that the API puts on a Node that is not ready. */
const taints = async (): Promise<readonly string[]> =>
  ((await repair.node())?.spec?.taints ?? [])
    .filter(({ key }) => key !== 'node.kubernetes.io/not-ready')
    .map(({ key, value = '', effect }) => `${key}=${value}:${effect}`);

const OUT_OF_SERVICE = 'node.kubernetes.io/out-of-service=nodeshutdown:NoExecute';

test('a host is switched off by an annotation of its own, and the finalizer is there before', async () => {
  repair = await aRepair();
  repair.hardware.power = 'stays as it is';
  const { metadata } = await repair.remediate();
  await repair.pass(2);

  const { status, metadata: now } = await repair.read();
  assert.deepEqual(now.finalizers, [METAL3_REMEDIATION_FINALIZER]);
  assert.equal(status?.phase, 'Running');
  assert.match(status?.lastRemediated ?? '', /^2026-01-01T00:00:0/);
  assert.equal(status?.retryCount, undefined);
  const annotation = (await repair.host()).metadata.annotations?.[
    `reboot.metal3.io/metal3-remediation-${metadata.uid}`
  ];
  assert.equal(annotation, '{"mode":"hard"}');
  assert.match(said(await repair.read(), 'Remediated'), /^False SwitchingOff: .*BareMetalHost h1 to be switched off/);
  const [first] = repair.metal.writes;
  assert.match(first ?? '', /PATCH .*metal3remediations\/m1$/);
});

test('a Node is tainted out of service while its host is off, and has no taint of ours in the end', async () => {
  repair = await aRepair();
  await repair.workload.api.patch(Node, { name: 'n1' }, { spec: { taints: [{ key: 'mine', effect: 'NoSchedule' }] } });
  const { metadata } = await repair.remediate();
  await repair.pass(4);
  assert.deepEqual(await taints(), ['mine=:NoSchedule', OUT_OF_SERVICE]);
  assert.deepEqual(repair.seen, ['off']);

  await repair.pass(20);

  assert.deepEqual(repair.seen, ['off', 'on']);
  assert.deepEqual(await taints(), ['mine=:NoSchedule']);
  assert.equal(
    (await repair.host()).metadata.annotations?.[`reboot.metal3.io/metal3-remediation-${metadata.uid}`],
    undefined,
  );
  const { status, metadata: now } = await repair.read();
  assert.equal(status?.phase, 'Waiting');
  assert.deepEqual(now.finalizers ?? [], []);
  assert.deepEqual(now.annotations ?? {}, {});
});

test('a host stays off while Pods or volumes are still leaving its Node', async () => {
  repair = await aRepair();
  const spec = { nodeName: 'n1', containers: [{ name: 'web', image: 'web' }] };
  const pod = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { namespace: 'default', name: 'web', finalizers: ['a/b'] },
    spec,
  };
  await repair.workload.api.create(Pod, pod);
  await repair.workload.api.delete(Pod, { namespace: 'default', name: 'web' }, { graceSeconds: 0 });
  await repair.remediate();
  await repair.pass(60);
  assert.deepEqual(repair.seen, ['off']);
  assert.match(said(await repair.read(), 'Remediated'), /^False FencingNode: .*Pod default\/web to be gone/);

  await repair.workload.api.patch(Pod, { namespace: 'default', name: 'web' }, { metadata: { finalizers: null } });
  await repair.pass(20);

  assert.deepEqual(repair.seen, ['off', 'on']);
});

test('a Node of a Kubernetes that does not know the taint is deleted, and gets its labels and annotations back', async () => {
  repair = await aRepair({ kubelet: 'v1.27.9' });
  repair.hardware.boots = 'without';
  await repair.remediate();
  await repair.pass(10);
  const { annotations = {} } = (await repair.read()).metadata;
  assert.equal(annotations['remediation.metal3.io/node-labels-backup'], '{"role":"worker"}');
  assert.equal(annotations['remediation.metal3.io/node-annotations-backup'], '{"by":"hand"}');
  assert.deepEqual(repair.seen, ['off', 'Node gone', 'on']);
  assert.match(said(await repair.read(), 'Remediated'), /NodeNotBack: .*Node n1 to come back/);

  const metadata = { name: 'n1', labels: { role: 'other', booted: 'anew' } };
  await repair.workload.api.create(Node, { apiVersion: 'v1', kind: 'Node', metadata });
  await repair.pass(3);

  const node = await repair.node();
  assert.deepEqual(node?.metadata.labels, { role: 'other', booted: 'anew' });
  assert.deepEqual(node?.metadata.annotations, { by: 'hand' });
  const { metadata: now } = await repair.read();
  assert.deepEqual(now.finalizers ?? [], []);
  assert.deepEqual(now.annotations ?? {}, {});
});

test('a backup that somebody has spoilt gives nothing back, and holds nothing up', async () => {
  repair = await aRepair({ kubelet: 'v1.27.9' });
  repair.hardware.boots = 'without';
  await repair.remediate();
  await repair.pass(10);
  const annotations = { 'remediation.metal3.io/node-labels-backup': 'no json' };
  await repair.metal.api.patch(Metal3Remediation, at('m1'), { metadata: { annotations } });

  await repair.workload.api.create(Node, { apiVersion: 'v1', kind: 'Node', metadata: { name: 'n1' } });
  await repair.pass(3);

  assert.deepEqual((await repair.read()).metadata.finalizers ?? [], []);
});

test('a Node of another host under that name is neither tainted nor deleted (safe-9)', async () => {
  repair = await aRepair({ kubelet: 'v1.27.9' });
  await repair.workload.api.patch(Node, { name: 'n1' }, { spec: { providerID: 'metal3://metal/other/x' } });
  await repair.metal.api.patch((await import('../../kinds/generated/machine.generated.ts')).Machine, at('m1'), {
    spec: { providerID: 'metal3://metal/h1/m1' },
  });
  await repair.remediate();
  await repair.pass(30);

  assert.ok(!repair.seen.includes('Node gone'));
  assert.ok(repair.seen.includes('on'));
});

test('a host that is to be off is not remediated', async () => {
  repair = await aRepair();
  await repair.metal.api.patch(BareMetalHost, at('h1'), { spec: { online: false } });
  await repair.remediate();
  await repair.pass(5);

  assert.equal((await repair.read()).status?.phase, 'Failed');
  assert.deepEqual((await repair.read()).metadata.finalizers ?? [], []);
  assert.match(said(await repair.read(), 'Remediated'), /NothingToRepair: .*spec.online/);
});

test('a host that its owner switches off in the middle is let go of, with its Node as it was', async () => {
  repair = await aRepair();
  await repair.remediate();
  await repair.pass(4);
  assert.deepEqual(await taints(), [OUT_OF_SERVICE]);

  await repair.metal.api.patch(BareMetalHost, at('h1'), { spec: { online: false } });
  await repair.pass(5);

  assert.equal((await repair.read()).status?.phase, 'Failed');
  assert.deepEqual(await taints(), []);
  assert.deepEqual((await repair.host()).metadata.annotations ?? {}, {});
  assert.deepEqual((await repair.read()).metadata.finalizers ?? [], []);
});

test('without a strategy nothing is switched off, and the object says which there is', async () => {
  repair = await aRepair();
  const crd = { name: 'metal3remediations.infrastructure.cluster.x-k8s.io' };
  const rules = [{ op: 'remove', path: '/spec/versions/0/schema/openAPIV3Schema/x-kubernetes-validations' }];
  await repair.metal.api.patch(CustomResourceDefinition, crd, rules, { type: 'json' });
  await put(repair.metal.api, Metal3Remediation, 'm1', {
    metadata: { ownerReferences: [ownedBy(Machine, repair.machine)] },
  });
  await repair.pass(5);
  assert.match(said(await repair.read(), 'Remediated'), /^False StrategyUnknown/);
  assert.deepEqual(repair.seen, []);

  await repair.metal.api.patch(Metal3Remediation, at('m1'), { spec: { strategy: { type: 'Reboot' } } });
  await repair.pass(20);

  assert.deepEqual(repair.seen, ['off', 'on']);
});
