import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seconds } from '../../base/clock.ts';
import { Machine } from '../../kinds/generated/machine.generated.ts';
import { at } from '../objects.testing.ts';
import { aFleet, CLUSTER } from './fleet.testing.ts';

test('a Machine of other infrastructure wakes no Metal3Machine that has the name of what it runs on', async () => {
  const fleet = await aFleet();
  await fleet.machine('m1');
  const infrastructureRef = { apiGroup: 'infrastructure.cluster.x-k8s.io', kind: 'OtherMachine', name: 'm1' };
  const spec = { clusterName: CLUSTER, bootstrap: { dataSecretName: 'boot' }, infrastructureRef };
  const other = { apiVersion: 'cluster.x-k8s.io/v1beta2', kind: 'Machine', metadata: { ...at('other') }, spec };
  await fleet.pass(seconds(3));
  const before = fleet.passes.get('metal3-machine');

  await fleet.api.create(Machine, other);
  await fleet.pass(200);
  const after = fleet.passes.get('metal3-machine');
  await fleet.api.patch(Machine, at('m1'), { metadata: { labels: { a: 'b' } } });
  await fleet.pass(200);

  assert.equal(after, before);
  assert.notEqual(fleet.passes.get('metal3-machine'), before);
  await fleet.stop();
});
