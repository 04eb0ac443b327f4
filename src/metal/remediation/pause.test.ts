// A remediation that is paused or moved: nothing is written for it, deletion included.

import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { BareMetalHost } from '../../kinds/generated/bare-metal-host.generated.ts';
import { Cluster } from '../../kinds/generated/cluster.generated.ts';
import { Machine } from '../../kinds/generated/machine.generated.ts';
import { Metal3Machine } from '../../kinds/generated/metal3-machine.generated.ts';
import { Metal3Remediation } from '../../kinds/generated/metal3-remediation.generated.ts';
import type { Kind } from '../../kube/kind.ts';
import { at, said } from '../objects.testing.ts';
import { aRepair, type RepairTest } from './world.testing.ts';

let repair: RepairTest;
afterEach(() => repair.metal.stop());

const PAUSED = 'cluster.x-k8s.io/paused';
const MOVED = 'clusterctl.cluster.x-k8s.io/delete-for-move';

type Value = string | null;

const annotate = (kind: Kind, name: string, key: string) => (value: Value) =>
  repair.metal.api.patch(kind, at(name), { metadata: { annotations: { [key]: value } } });

const PAUSES: readonly [string, (value: Value) => Promise<unknown>][] = [
  ['its Cluster', value => repair.metal.api.patch(Cluster, at('c'), { spec: { paused: value !== null } })],
  ['itself', value => annotate(Metal3Remediation, 'm1', PAUSED)(value)],
  ['its Machine', value => annotate(Machine, 'm1', PAUSED)(value)],
  ['its Metal3Machine', value => annotate(Metal3Machine, 'm1', PAUSED)(value)],
  ['its host, being moved', value => annotate(BareMetalHost, 'h1', MOVED)(value)],
];

for (const [name, pause] of PAUSES) {
  test(`nothing is written while ${name} is paused, in a reboot and in a deletion; then it goes on`, async () => {
    repair = await aRepair();
    await repair.remediate();
    await repair.pass(3);

    await pause('');
    await repair.pass(5);
    assert.match(said(await repair.read(), 'Paused'), /^True Paused/);
    repair.metal.writes.length = 0;
    const asked = repair.workload.requests.filter(request => !request.startsWith('GET')).length;
    await repair.pass(400);
    await repair.metal.api.delete(Metal3Remediation, at('m1'));
    await repair.pass(400);
    assert.deepEqual(repair.metal.writes, []);
    assert.equal(repair.workload.requests.filter(request => !request.startsWith('GET')).length, asked);

    await pause(null);
    await repair.pass(10);
    assert.equal(await repair.find(), undefined);
  });
}

test('the source copy of a move is not touched, nor anything for its sake', async () => {
  repair = await aRepair();
  await repair.remediate();
  await repair.pass(3);
  await repair.metal.api.patch(Metal3Remediation, at('m1'), { metadata: { annotations: { [MOVED]: '' } } });
  await repair.pass(2);
  repair.metal.writes.length = 0;

  await repair.metal.api.delete(Metal3Remediation, at('m1'));
  await repair.pass(900);

  assert.deepEqual(repair.metal.writes, []);
});
