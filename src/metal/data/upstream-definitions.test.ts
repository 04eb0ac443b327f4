// Beside upstream's definitions, which drop conditions: the words go to Events, and no status is written over and over.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { minutes } from '../../base/clock.ts';
import { Metal3Data } from '../../kinds/generated/metal3-data.generated.ts';
import type { CustomResourceDefinition } from '../../kube/core/other.ts';
import { at } from '../objects.testing.ts';
import { aMetalTest } from '../workload/world.testing.ts';
import { dataController } from './controller.ts';
import { aData, aTemplate, DATA_KINDS, dataNamed } from './data-world.testing.ts';

/** As upstream has it: `status` without conditions. */
const asUpstream = (definition: CustomResourceDefinition): CustomResourceDefinition =>
  JSON.parse(JSON.stringify(definition), (key, value) =>
    key === 'conditions' && 'items' in value ? undefined : value,
  );

test('what holds a Data up is told in one Event for each change, and its status is left alone', async () => {
  const t = await aMetalTest(DATA_KINDS, undefined, asUpstream);
  t.run(dataController());
  await aData(t, 'abc-0', { index: 0, claim: 'm0' });
  await t.pass(minutes(10));
  const early = [...t.told];
  await aTemplate(t);

  await t.pass(minutes(10));

  assert.equal((await dataNamed(t, 'abc-0'))?.status?.conditions, undefined);
  assert.deepEqual(early, ['Warning TemplateMissing: Waiting for Metal3DataTemplate abc']);
  assert.deepEqual(t.told.slice(1), ['Warning ClaimMissing: Waiting for Metal3DataClaim m0']);
  assert.equal(
    t.writes.filter(write => write.endsWith('/status')).length,
    1,
    'one try taught what the definition drops',
  );
  assert.equal((await t.api.get(Metal3Data, at('abc-0'))).metadata.deletionTimestamp, undefined);
  await t.stop();
});
