// Objects in which something is missing that upstream's workers ended over.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { minutes } from '../../base/clock.ts';
import { Metal3Data } from '../../kinds/generated/metal3-data.generated.ts';
import { Metal3DataClaim } from '../../kinds/generated/metal3-data-claim.generated.ts';
import { Metal3Machine } from '../../kinds/generated/metal3-machine.generated.ts';
import { dataClaimController } from '../claim/controller.ts';
import { aCluster, at, ownedBy, put, said } from '../objects.testing.ts';
import { dataTemplateController } from '../template/controller.ts';
import { dataController } from './controller.ts';
import { aDataTest, aMetal3Machine, aServedClaim, aTemplate, LABELS, renderedBy } from './data-world.testing.ts';

test('metal-7.18: Claims and Datas without what they need say what it is, and those beside them are served', async () => {
  const t = await aDataTest();
  await aCluster(t.api, 'c');
  await aTemplate(t, 'abc', { metaData: { strings: [{ key: 'a', value: 'b' }] } });
  const template = { name: 'abc' };
  await put(t.api, Metal3Data, 'bare', { metadata: { labels: LABELS } });
  await put(t.api, Metal3Data, 'no-claim', { spec: { index: 7, template } });
  await put(t.api, Metal3Data, 'no-template', { spec: { index: 8, claim: { name: 'other' } } });
  const machine = ownedBy(Metal3Machine, await aMetal3Machine(t, 'm9'));
  await put(t.api, Metal3DataClaim, 'no-owner', { spec: { template } });
  await put(t.api, Metal3DataClaim, 'bare', { metadata: { ownerReferences: [machine] } });

  t.run(dataTemplateController(), dataClaimController(), dataController());
  await t.pass(minutes(1));
  await aServedClaim(t, 'm0');
  await t.pass(minutes(1));

  const words = async (kind: typeof Metal3Data | typeof Metal3DataClaim, name: string): Promise<string> =>
    said(await t.api.get<Metal3Data | Metal3DataClaim>(kind, at(name)), 'Ready');
  assert.match(await words(Metal3Data, 'bare'), /^False NoTemplate: .*spec\.template to name a Template/);
  assert.match(await words(Metal3Data, 'no-template'), /^False NoTemplate: /);
  assert.match(await words(Metal3Data, 'no-claim'), /^False .*claim/);
  assert.match(await words(Metal3DataClaim, 'no-owner'), /^False NoMetal3Machine: .*among its owners/);
  assert.match(await words(Metal3DataClaim, 'bare'), /^False NoTemplate: /);
  const name = (await renderedBy(t, 'm0')) ?? '';
  assert.equal((await t.api.get(Metal3Data, at(name))).status?.ready, true);
  await t.stop();
});
