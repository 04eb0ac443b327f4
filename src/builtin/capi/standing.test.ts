// A whole life of a fleet with watches alone, and with timers alone: both come to the same end.

import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { minutes, seconds } from '../../base/clock.ts';
import { Cluster } from '../../kinds/generated/cluster.generated.ts';
import { MachineDeployment } from '../../kinds/generated/machine-deployment.generated.ts';
import { withoutEvents } from '../../kube/without-events.testing.ts';
import { aDeployment, aFleet, type Fleet, sets, workers } from './fleet.testing.ts';
import { Mac } from './provider.testing.ts';

let fleet: Fleet;

afterEach(() => fleet.stop());

/** Grows, rolls, shrinks and ends; after each step `enough` lets time pass. */
async function life(enough: () => Promise<void>): Promise<void> {
  const { world } = fleet;
  const key = { namespace: 'default', name: 'md' };
  await aDeployment(world, 'md', { replicas: 2 });
  await enough();
  assert.deepEqual(
    (await workers(world)).map(machine => machine.status?.phase),
    ['Running', 'Running'],
  );

  await world.api.patch(MachineDeployment, key, {
    spec: { template: { spec: { infrastructureRef: { name: 'm4' } } } },
  });
  await enough();
  const sizes = (await world.api.list(Mac)).items.map(mac => mac.metadata.labels?.size);
  assert.deepEqual([sizes, (await sets(world)).length], [['M4', 'M4'], 1]);

  await world.api.patch(MachineDeployment, key, { spec: { replicas: 0 } });
  await enough();
  assert.deepEqual([await workers(world), (await world.api.list(Mac)).items], [[], []]);

  await world.api.delete(Cluster, { namespace: 'default', name: 'fleet' });
  await enough();
  assert.equal(await world.api.find(Cluster, { namespace: 'default', name: 'fleet' }), undefined);
  assert.equal(await world.api.find(MachineDeployment, key), undefined);
}

test('with watches alone: no recheck of a wait fires', async () => {
  fleet = await aFleet({ recheckMs: minutes(60 * 24) });

  await life(() => fleet.world.pass(minutes(1)));
});

test('with timers alone: no watch event arrives', async () => {
  fleet = await aFleet({ between: withoutEvents, recheckMs: seconds(30) });

  await life(() => fleet.world.pass(minutes(120)));
});
