import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Cluster } from '../../kinds/generated/cluster.generated.ts';
import { at } from '../objects.testing.ts';
import { aFleet, CLUSTER } from './fleet.testing.ts';
import { isMissing, surroundingsOf } from './surroundings.ts';

test('a pause that came after the pass had begun counts for what that pass has yet to do (metal-7.13)', async () => {
  const fleet = await aFleet();
  await fleet.machine('m1');
  await fleet.pass(200);
  const machine = await fleet.machineOf('m1');
  const before = surroundingsOf(machine, fleet.world);

  await fleet.api.patch(Cluster, at(CLUSTER), { spec: { paused: true } });
  await fleet.pass(200);
  const paused = surroundingsOf(machine, fleet.world);

  assert.equal(isMissing(before), false);
  assert.ok(isMissing(paused));
  assert.equal(paused.what, `Cluster ${CLUSTER} not to be paused`);
  await fleet.stop();
});
