import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seconds } from '../../base/clock.ts';
import { noMetrics } from '../../base/metrics.ts';
import { ConfigMap } from '../../kube/core/other.ts';
import { keyController } from '../../kube/run.ts';
import { contentOf } from '../served/content.ts';
import { aWorld } from '../world.testing.ts';
import { namespaceDeletion } from './controller.ts';

test('objects that go from a namespace that stays cost no look at it', async () => {
  let passes = 0;
  const histogram = ({ name }: { readonly name: string }) => ({
    observe: () => {
      if (name === 'pippin_pass_seconds') passes += 1;
    },
  });
  const world = await aWorld({ metrics: { ...noMetrics, histogram } });
  const { discovery } = world;
  const content = contentOf(world.caches, discovery);
  await content.refresh();
  world.run([keyController(namespaceDeletion({ discovery, content: () => content, recheckMs: seconds(5) }))]);
  await world.pass(seconds(5));
  const before = passes;

  for (let n = 0; n < 10; n++) {
    const metadata = { name: `m${n}`, namespace: 'default' };
    await world.api.create(ConfigMap, { apiVersion: 'v1', kind: 'ConfigMap', metadata });
    await world.api.delete(ConfigMap, metadata);
    await world.pass(seconds(1));
  }

  assert.ok(before > 0, 'passes are counted');
  assert.equal(passes - before, 0);
  await world.stop();
});
