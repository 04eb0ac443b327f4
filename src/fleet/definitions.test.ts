// Definitions on a cluster: ours come and are renewed; the thin ones of other people's kinds never take the place of the originals.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { virtualClock } from '../../sim/time/clock.ts';
import { seededRandom } from '../../sim/time/random.ts';
import standIns from '../kinds/generated/metal-stand-ins.generated.json' with { type: 'json' };
import { client } from '../kube/client.ts';
import { CustomResourceDefinition } from '../kube/core/other.ts';
import { inProcessApi } from './api.ts';
import { definitionsOf, installDefinitions } from './definitions.ts';

async function aCluster() {
  const clock = virtualClock();
  const served = await inProcessApi({ clock, random: seededRandom(1), definitions: 'trusted' });
  return { clock, served, api: client(served.transport, { clock }) };
}

for (const { metadata } of standIns) {
  test(`${metadata.name} of another stays as it is, and ours is refused by name`, async () => {
    const { clock, served, api } = await aCluster();
    const original = standIns.find(each => each.metadata.name === metadata.name);
    assert.ok(original !== undefined);
    const theirs = client(served.transport, { clock, userAgent: 'clusterctl' });
    const before = await theirs.create<CustomResourceDefinition>(CustomResourceDefinition, original);

    await assert.rejects(
      installDefinitions({ api, clock }, ['stand-ins for metal']),
      new RegExp(`${metadata.name} is somebody else's definition`),
    );

    const after = await api.get(CustomResourceDefinition, { name: metadata.name });
    assert.equal(after.metadata.generation, before.metadata.generation);
    await served.close();
  });
}

test('our own are installed again without a word', async () => {
  const { clock, served, api } = await aCluster();

  await installDefinitions({ api, clock }, ['stand-ins for metal']);
  await installDefinitions({ api, clock }, ['stand-ins for metal']);

  assert.equal((await api.list(CustomResourceDefinition)).items.length, standIns.length);
  await served.close();
});

test('clusterctl moves every kind that we define: a kind without its label would stay behind', () => {
  const passedBy = definitionsOf(['mac', 'metal', 'stand-ins for metal']).filter(
    ({ metadata }) => metadata.labels?.['clusterctl.cluster.x-k8s.io'] === undefined,
  );

  assert.deepEqual(
    passedBy.map(({ metadata }) => metadata.name),
    [],
  );
});
