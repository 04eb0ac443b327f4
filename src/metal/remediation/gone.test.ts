// A remediation whose Machine, Metal3Machine or host is gone, or which is deleted itself: it holds on to nothing (metal-7.20).

import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { BareMetalHost } from '../../kinds/generated/bare-metal-host.generated.ts';
import { Cluster } from '../../kinds/generated/cluster.generated.ts';
import { Machine } from '../../kinds/generated/machine.generated.ts';
import { Metal3Machine } from '../../kinds/generated/metal3-machine.generated.ts';
import { Metal3Remediation } from '../../kinds/generated/metal3-remediation.generated.ts';
import { METAL3_REMEDIATION_FINALIZER } from '../../kinds/metal-wire.ts';
import { conditionOf } from '../../kube/conditions.ts';
import { at, put, said } from '../objects.testing.ts';
import { aRepair, type RepairTest } from './world.testing.ts';

let repair: RepairTest;
afterEach(() => repair.metal.stop());

const KUBELETS = ['v1.36.0', 'v1.27.9'];

const isTainted = async (): Promise<boolean> =>
  (await repair.node())?.spec?.taints?.some(({ key }) => key === 'node.kubernetes.io/out-of-service') ?? false;

const keptOff = async (): Promise<readonly string[]> =>
  Object.keys((await repair.host()).metadata.annotations ?? {}).filter(key => key.startsWith('reboot.metal3.io/'));

const finalizers = async (): Promise<readonly string[]> => (await repair.read()).metadata.finalizers ?? [];

const LOST: Readonly<Record<string, () => Promise<void>>> = {
  Machine: () => repair.metal.api.delete(Machine, at('m1')),
  Metal3Machine: () => repair.metal.api.delete(Metal3Machine, at('m1')),
  BareMetalHost: () => repair.metal.api.delete(BareMetalHost, at('h1')),
};

for (const kubelet of KUBELETS) {
  for (const [kind, lose] of Object.entries(LOST)) {
    for (const second of [1, 3, 6]) {
      test(`a remediation under way (${second} s, kubelet ${kubelet}) is deletable when its ${kind} goes (metal-S26)`, async () => {
        repair = await aRepair({ kubelet });
        await repair.remediate();
        await repair.pass(second);

        await lose();
        await repair.pass(2);
        if (kind !== 'BareMetalHost') assert.deepEqual(await keptOff(), []);
        await repair.metal.api.delete(Metal3Remediation, at('m1'));
        await repair.pass(kind === 'Machine' ? 2 : 20);

        assert.equal(await repair.find(), undefined);
      });
    }
  }
}

test('everything at once, the Cluster with it, and the workload cluster dead: nothing is left (metal-S26)', async () => {
  repair = await aRepair();
  await repair.remediate();
  await repair.pass(4);
  repair.workload.trouble = 'dead';
  for (const stream of repair.workload.watches) stream.close('power is off');

  for (const kind of [Cluster, Machine, Metal3Machine, BareMetalHost, Metal3Remediation]) {
    const name = { clusters: 'c', baremetalhosts: 'h1' }[kind.plural] ?? 'm1';
    await repair.metal.api.delete(kind, at(name));
  }
  await repair.pass(2);

  assert.equal(await repair.find(), undefined);
});

test('a Machine on its way out has its host let on, so that it can be deprovisioned (metal-S26, metal-7.20)', async () => {
  repair = await aRepair();
  await repair.metal.api.patch(Machine, at('m1'), { metadata: { finalizers: ['test/holds'] } });
  await repair.remediate();
  await repair.pass(3);
  assert.equal((await keptOff()).length, 1);

  await repair.metal.api.delete(Machine, at('m1'));
  await repair.pass(2);

  assert.deepEqual(await keptOff(), []);
  assert.deepEqual(await finalizers(), []);
  assert.match(said(await repair.read(), 'Remediated'), /NothingToRepair: .*Machine m1 is being deleted/);
});

test('a Machine that has lost its host, or whose host is another’s by now, is handed to its owner (metal-S23, metal-S24)', async () => {
  for (const lose of [
    () => repair.metal.api.delete(BareMetalHost, at('h1')),
    () =>
      repair.metal.api.patch(BareMetalHost, at('h1'), {
        spec: { consumerRef: { apiVersion: 'x/v1', kind: 'Other', name: 'o', namespace: 'metal' } },
      }),
  ]) {
    repair = await aRepair();
    await lose();
    await repair.remediate();
    await repair.pass(3);

    const machine = await repair.metal.api.get(Machine, at('m1'));
    assert.equal(conditionOf(machine, 'OwnerRemediated')?.status, 'False');
    assert.equal((await repair.read()).status?.phase, 'Deleting machine');
    assert.deepEqual(await finalizers(), []);
    assert.deepEqual(repair.seen, []);
    await repair.metal.stop();
  }
  repair = await aRepair();
});

test('a host of another consumer is never switched off, and one that was is let on (metal-S24)', async () => {
  repair = await aRepair();
  await repair.remediate();
  await repair.pass(2);
  assert.equal((await keptOff()).length, 1);

  const consumerRef = { apiVersion: 'x/v1', kind: 'Other', name: 'o', namespace: 'metal' };
  await repair.metal.api.patch(BareMetalHost, at('h1'), { spec: { consumerRef } });
  await repair.pass(2);

  assert.deepEqual(await keptOff(), []);
});

for (const second of [1, 2, 3, 5, 8]) {
  test(`one that is deleted after ${second} s gives back the power and the Node`, async () => {
    for (const kubelet of KUBELETS) {
      repair = await aRepair({ kubelet });
      await repair.remediate();
      await repair.pass(second);

      await repair.metal.api.delete(Metal3Remediation, at('m1'));
      await repair.pass(15);

      assert.equal(await repair.find(), undefined, kubelet);
      assert.deepEqual(await keptOff(), []);
      assert.equal(await isTainted(), false);
      assert.equal((await repair.node())?.metadata.labels?.role, 'worker', kubelet);
      await repair.metal.stop();
    }
    repair = await aRepair();
  });
}

test('a deletion before the Node was touched asks nothing of a dead workload cluster', async () => {
  repair = await aRepair();
  repair.hardware.power = 'stays as it is';
  await repair.remediate();
  await repair.pass(2);
  repair.workload.trouble = 'dead';
  for (const stream of repair.workload.watches) stream.close('power is off');
  await repair.pass(40);

  await repair.metal.api.delete(Metal3Remediation, at('m1'));
  await repair.pass(1);

  assert.equal(await repair.find(), undefined);
});

test('a tainted Node in a dead workload cluster is waited for as long as a try may take, and the object says so', async () => {
  repair = await aRepair();
  await repair.remediate({ timeoutSeconds: 100 });
  await repair.pass(4);
  assert.ok(await isTainted());
  repair.workload.trouble = 'dead';
  for (const stream of repair.workload.watches) stream.close('power is off');
  await repair.pass(40);
  await repair.metal.api.delete(Metal3Remediation, at('m1'));
  await repair.pass(10);
  assert.match(said(await repair.read(), 'Deleting'), /^True Unreachable: Waiting for Cluster c to be known/);
  assert.deepEqual(await keptOff(), []);

  await repair.pass(100);

  assert.equal(await repair.find(), undefined);
  assert.ok(repair.metal.told.some(each => each.startsWith('Warning NodeNotRestored')));
});

test('one that never had a Machine says so while it lives, and is deleted at once (metal-7.20)', async () => {
  repair = await aRepair();
  const metadata = { finalizers: [METAL3_REMEDIATION_FINALIZER] };
  await put(repair.metal.api, Metal3Remediation, 'm1', { metadata, spec: { strategy: { type: 'Reboot' } } });
  await repair.pass(2);
  assert.match(said(await repair.read(), 'Remediated'), /^False NoMachine: Waiting for a Machine to own this object/);

  await repair.metal.api.delete(Metal3Remediation, at('m1'));
  await repair.pass(1);

  assert.equal(await repair.find(), undefined);
});

test('a host is let on when its remediation was robbed of its finalizer (metal-c)', async () => {
  repair = await aRepair();
  await repair.remediate();
  await repair.pass(3);
  await repair.metal.api.patch(Cluster, at('c'), { spec: { paused: true } });
  await repair.metal.api.delete(Metal3Remediation, at('m1'));
  await repair.metal.api.patch(Metal3Remediation, at('m1'), { metadata: { finalizers: null } });
  await repair.pass(5);
  assert.equal(await repair.find(), undefined);
  assert.equal((await keptOff()).length, 1, 'its Cluster is paused');

  await repair.metal.api.patch(Cluster, at('c'), { spec: { paused: false } });
  await repair.pass(2);

  assert.deepEqual(await keptOff(), []);
});

test('a Machine that has other infrastructure is not repaired, and nothing is switched off (metal-7.20)', async () => {
  repair = await aRepair();
  const { metal, machine } = repair;
  const infrastructureRef = { ...machine.spec.infrastructureRef, kind: 'OtherMachine' };
  await metal.api.patch(Machine, at('m1'), { spec: { infrastructureRef } });
  await repair.remediate();

  await repair.pass(90);

  assert.deepEqual(repair.seen, []);
  assert.match(said(await repair.read(), 'Remediated'), /^False NoMetal3Machine: .*not OtherMachine/);
});
