// Whose labels are not carried over: of hosts and machines on their way out or elsewhere, and to a Node that is not the one that was seen.

import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { minutes, seconds } from '../../base/clock.ts';
import { BareMetalHost } from '../../kinds/generated/bare-metal-host.generated.ts';
import { Metal3Machine } from '../../kinds/generated/metal3-machine.generated.ts';
import { LABEL_SYNC_PREFIXES_ANNOTATION } from '../../kinds/metal-wire.ts';
import { DELETE_FOR_MOVE } from '../../kinds/wire.ts';
import { Node } from '../../kube/core/node.ts';
import type { Kind } from '../../kube/kind.ts';
import { keyController } from '../../kube/run.ts';
import { aHostInUse, aMetalCluster, HOST_KINDS } from '../host-in-use.testing.ts';
import { at } from '../objects.testing.ts';
import { aMetalTest, type MetalTest, type SimWorkload } from '../workload/world.testing.ts';
import { metal3LabelSync } from './controller.ts';

let metal: MetalTest;
let workload: SimWorkload;

beforeEach(async () => {
  metal = await aMetalTest(HOST_KINDS);
  workload = await aMetalCluster(metal, { [LABEL_SYNC_PREFIXES_ANNOTATION]: 'power' });
  metal.run(keyController(metal3LabelSync));
  await aHostInUse(metal, workload, 1, { hostLabels: { 'power/feed': 'a' } });
  await metal.pass(seconds(2));
  assert.deepEqual(await labels(), { 'power/feed': 'a' });
});
afterEach(() => metal.stop());

const labels = async (): Promise<Record<string, string>> => ({
  ...(await workload.api.get(Node, { name: 'n1' })).metadata.labels,
});

const relabel = (feed: string): Promise<unknown> =>
  metal.api.patch(BareMetalHost, at('h1'), { metadata: { labels: { 'power/feed': feed } } });

async function isOnItsWayOut(kind: Kind, name: string): Promise<void> {
  await metal.api.patch(kind, at(name), { metadata: { finalizers: ['test/holds'] } });
  await metal.api.delete(kind, at(name));
}

const isMoved = (kind: Kind, name: string): Promise<unknown> =>
  metal.api.patch(kind, at(name), { metadata: { annotations: { [DELETE_FOR_MOVE]: '' } } });

const LEFT_ALONE: readonly [string, () => Promise<unknown>][] = [
  ['a host that is being deleted', () => isOnItsWayOut(BareMetalHost, 'h1')],
  ['a host whose Metal3Machine is being deleted', () => isOnItsWayOut(Metal3Machine, 'm1')],
  ['a host that is being moved', () => isMoved(BareMetalHost, 'h1')],
  ['a host whose Metal3Machine is being moved', () => isMoved(Metal3Machine, 'm1')],
];

for (const [name, leave] of LEFT_ALONE) {
  test(`${name} has its Node left as it is (metal-7.13)`, async () => {
    await leave();

    await relabel('b');
    await metal.pass(minutes(10));

    assert.deepEqual(await labels(), { 'power/feed': 'a' });
  });
}

test('a Node that was made anew under the name gets no labels before it has been seen (safe-9)', async () => {
  const gate = Promise.withResolvers<void>();
  workload.late = gate.promise;
  await workload.api.delete(Node, { name: 'n1' });
  await workload.api.create(Node, { apiVersion: 'v1', kind: 'Node', metadata: { name: 'n1' } });

  await relabel('b');
  await metal.pass(seconds(10));
  const unseen = await labels();
  gate.resolve();
  await metal.pass(minutes(2));

  assert.deepEqual([unseen, await labels()], [{}, { 'power/feed': 'b' }]);
});
