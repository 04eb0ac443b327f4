// Aggregated ClusterRoles, on the embedded API: they hold what the chosen roles hold, and follow them.

import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { seconds } from '../../base/clock.ts';
import { ClusterRole, type PolicyRule } from '../../kube/core/other.ts';
import { keyController } from '../../kube/run.ts';
import { aWorld, type TestWorld } from '../world.testing.ts';
import { roleAggregation } from './aggregation.ts';

let world: TestWorld;

beforeEach(async () => {
  world = await aWorld();
  world.run([keyController(roleAggregation())]);
});

afterEach(() => world.stop());

const AGGREGATE = 'cluster.x-k8s.io/aggregate-to-manager';

const role = (name: string, labels: Record<string, string>, rules: readonly PolicyRule[]): ClusterRole => ({
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'ClusterRole',
  metadata: { name, labels },
  rules,
});

const read = (resource: string): PolicyRule => ({ apiGroups: ['x.test'], resources: [resource], verbs: ['get'] });

test('a role is the sum of those that it selects, as they come, change and go', async () => {
  await world.api.create(ClusterRole, {
    ...role('manager', {}, []),
    aggregationRule: { clusterRoleSelectors: [{ matchLabels: { [AGGREGATE]: 'true' } }] },
  });
  await world.api.create(ClusterRole, role('b', { [AGGREGATE]: 'true' }, [read('bees'), read('shared')]));
  await world.api.create(ClusterRole, role('a', { [AGGREGATE]: 'true' }, [read('ants'), read('shared')]));
  await world.api.create(ClusterRole, role('stranger', {}, [read('secrets')]));
  const resources = async () =>
    (await world.api.get(ClusterRole, { name: 'manager' })).rules?.flatMap(rule => rule.resources ?? []) ?? [];
  await world.pass(seconds(1));
  const both = await resources();

  await world.api.delete(ClusterRole, { name: 'a' });
  await world.pass(seconds(1));

  assert.deepEqual(both, ['ants', 'shared', 'bees']);
  assert.deepEqual(await resources(), ['bees', 'shared']);
});
