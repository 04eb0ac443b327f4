import assert from 'node:assert/strict';
import { test } from 'node:test';
import { virtualClock } from '../../sim/time/clock.ts';
import { seededRandom } from '../../sim/time/random.ts';
import { minutes, seconds } from '../base/clock.ts';
import { silentLog } from '../base/log.ts';
import { noMetrics } from '../base/metrics.ts';
import { client } from '../kube/client.ts';
import { CustomResourceDefinition } from '../kube/core/other.ts';
import type { WorkloadClusters } from '../metal/workload/port.ts';
import { inProcessApi } from './api.ts';
import { type Half, withClusterApi } from './cluster-api-beside.ts';
import { definitionsOf } from './definitions.ts';
import { openWorld } from './world.ts';

test('a half and Cluster API core beside it follow the Nodes of a workload cluster through one client', async () => {
  const clock = virtualClock();
  const random = seededRandom('beside');
  const { transport } = await inProcessApi({ clock, random, definitions: 'trusted' });
  const api = client(transport, { clock });
  for (const each of definitionsOf(['mac', 'metal', 'stand-ins for metal'])) {
    await api.create(CustomResourceDefinition, each);
  }
  const world = openWorld({ clock, random, log: silentLog, metrics: noMetrics, transport, component: 'manager' });
  const given: (WorkloadClusters | undefined)[] = [];
  let listeners = 0;
  const half: Half = {
    lease: 'a-lease',
    programs: (_world, _gate, reach) => {
      given.push(reach?.workload);
      const { workload } = reach ?? {};
      if (workload !== undefined) Object.defineProperty(workload, 'onChange', { value: () => void listeners++ });
      return [];
    },
  };
  const stopping = new AbortController();
  const [program] = withClusterApi(half, ['metal']).programs(world);
  const ended = program?.(stopping.signal);
  await clock.advance(seconds(5));
  stopping.abort(new Error('stopped'));
  await clock.advance(minutes(1));
  await ended;
  await world.close();

  assert.equal(given.length, 1);
  assert.notEqual(given[0], undefined);
  assert.ok(listeners > 0, 'Cluster API core listens to the very same');
});
