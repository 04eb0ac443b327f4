// What a remediation does not do on what it is not sure of: a host whose power nobody tells, a Machine or Node that it has not seen.

import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { BareMetalHost } from '../../kinds/generated/bare-metal-host.generated.ts';
import { Machine } from '../../kinds/generated/machine.generated.ts';
import { Metal3Machine } from '../../kinds/generated/metal3-machine.generated.ts';
import { Metal3Remediation } from '../../kinds/generated/metal3-remediation.generated.ts';
import { METAL3_REMEDIATION_FINALIZER } from '../../kinds/metal-wire.ts';
import { conditionOf } from '../../kube/conditions.ts';
import { Node } from '../../kube/core/node.ts';
import { heldWatch } from '../../kube/held-watch.testing.ts';
import { aMachine, at, ownedBy, put, said } from '../objects.testing.ts';
import { aRepair, type RepairTest } from './world.testing.ts';

let repair: RepairTest;
afterEach(() => repair.metal.stop());

const taints = async (): Promise<readonly string[]> =>
  ((await repair.node())?.spec?.taints ?? []).map(({ key }) => key);
const keptOff = async (): Promise<readonly string[]> =>
  Object.keys((await repair.host()).metadata.annotations ?? {}).filter(key => key.startsWith('reboot.metal3.io/'));

/** From now on no change of a Node is seen, until the returned function is called. */
async function nodesUnseen(): Promise<() => void> {
  repair.metal.world.workload.of(at('c'));
  await repair.pass(1);
  const gate = Promise.withResolvers<void>();
  repair.workload.late = gate.promise;
  return () => gate.resolve();
}

/** As another boot registers it, or another host. */
async function anotherNode(): Promise<string | undefined> {
  await repair.workload.api.delete(Node, { name: 'n1' });
  const node = { apiVersion: 'v1', kind: 'Node', metadata: { name: 'n1', labels: { booted: 'anew' } } };
  return (await repair.workload.api.create<Node>(Node, node)).metadata.uid;
}

test('a host that does not say whether it has power counts as running: its Node is not touched (metal-B2)', async () => {
  repair = await aRepair();
  repair.hardware.power = 'stays as it is';
  await repair.metal.api.patch(BareMetalHost, at('h1'), { status: { poweredOn: null } }, { subresource: 'status' });
  await repair.remediate();

  await repair.pass(30);

  assert.equal((await keptOff()).length, 1);
  assert.ok(!(await taints()).includes('node.kubernetes.io/out-of-service'));
  assert.equal((await repair.read()).status?.phase, 'Running');
});

test('a host that nobody uses yet is waited for: it is not switched off, and nobody is replaced (metal-S24)', async () => {
  repair = await aRepair();
  await repair.metal.api.patch(BareMetalHost, at('h1'), { spec: { consumerRef: null } });
  await repair.remediate();

  await repair.pass(90);

  assert.deepEqual(repair.seen, []);
  assert.match(said(await repair.read(), 'Remediated'), /^False HostNotTaken: .*h1 to be taken for Metal3Machine m1/);
  assert.equal(conditionOf(await repair.metal.api.get(Machine, at('m1')), 'OwnerRemediated'), undefined);
});

test('a Metal3Machine on its way out has its host let on, so that it can be deprovisioned (metal-S26)', async () => {
  repair = await aRepair();
  await repair.metal.api.patch(Metal3Machine, at('m1'), { metadata: { finalizers: ['test/holds'] } });
  repair.hardware.power = 'stays as it is';
  await repair.remediate();
  await repair.pass(3);
  const before = await keptOff();

  await repair.metal.api.delete(Metal3Machine, at('m1'));
  await repair.pass(3);

  assert.deepEqual([before.length, await keptOff()], [1, []]);
  assert.match(said(await repair.read(), 'Remediated'), /NothingToRepair: .*Metal3Machine m1 is being deleted/);
});

test('a deletion holds on while its Machine is there and not seen yet: it does not know what it owes (safe-1)', async () => {
  const machines = heldWatch('machines');
  repair = await aRepair({ between: machines.between });
  machines.close();
  const { metal } = repair;
  const machine = await aMachine(metal.api, 'm2', 'c', { status: { nodeRef: { name: 'n1' } } });
  const metadata = { finalizers: [METAL3_REMEDIATION_FINALIZER], ownerReferences: [ownedBy(Machine, machine)] };
  const spec = { strategy: { type: 'Reboot' } } as const;
  await put(metal.api, Metal3Remediation, 'm2', { metadata, spec, status: { phase: 'Waiting' } });
  await metal.api.delete(Metal3Remediation, at('m2'));

  await repair.pass(5);
  const held = await metal.api.find(Metal3Remediation, at('m2'));
  machines.open();
  await repair.pass(60);

  assert.ok(held !== undefined);
  assert.match(said(held, 'Deleting'), /^True MachineUnseen: .*Machine m2 to be seen/);
  assert.equal(await metal.api.find(Metal3Remediation, at('m2')), undefined);
});

test('a host is kept off for a remediation that is there and was not seen yet (safe-1, metal-c)', async () => {
  const remediations = heldWatch('metal3remediations');
  repair = await aRepair({ between: remediations.between });
  repair.hardware.power = 'stays as it is';
  remediations.close();
  const { metadata } = await repair.remediate();
  const annotations = { [`reboot.metal3.io/metal3-remediation-${metadata.uid}`]: '{"mode":"hard"}' };
  await repair.metal.api.patch(BareMetalHost, at('h1'), { metadata: { annotations } });

  await repair.pass(30);
  const unseen = await keptOff();
  remediations.open();

  assert.deepEqual(unseen, Object.keys(annotations));
  assert.ok(repair.metal.told.every(each => !each.startsWith('Warning RemediationGone')));
});

test('a Node that was made anew under the name is not deleted for the one before it (safe-9)', async () => {
  repair = await aRepair({ kubelet: 'v1.27.9' });
  const see = await nodesUnseen();
  const anew = await anotherNode();
  await repair.remediate();

  await repair.pass(15);
  const { uid } = (await repair.node())?.metadata ?? {};
  see();

  assert.equal(uid, anew);
});

test('a Node that was made anew is not tainted for the one before it, and a taint that was not seen yet stays (safe-9)', async () => {
  for (const how of ['made anew', 'tainted'] as const) {
    repair = await aRepair();
    const see = await nodesUnseen();
    const mine = { spec: { taints: [{ key: 'mine', effect: 'NoSchedule' }] } };
    await (how === 'tainted' ? repair.workload.api.patch(Node, { name: 'n1' }, mine) : anotherNode());
    await repair.remediate();

    await repair.pass(15);
    const found = await taints();
    see();

    assert.ok(!found.includes('node.kubernetes.io/out-of-service'), how);
    assert.equal(found.includes('mine'), how === 'tainted');
    if (how === 'made anew') await repair.metal.stop();
  }
});
