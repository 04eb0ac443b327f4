// A host that clusterctl takes away amid a repair: nothing is written to it, whatever the pass had read before.

import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { BareMetalHost } from '../../kinds/generated/bare-metal-host.generated.ts';
import { Metal3Remediation } from '../../kinds/generated/metal3-remediation.generated.ts';
import { DELETE_FOR_MOVE } from '../../kinds/wire.ts';
import { at } from '../objects.testing.ts';
import { markUnhealthy } from './hand-over.ts';
import { askOff } from './power.ts';
import { aRepair, type RepairTest } from './world.testing.ts';

let repair: RepairTest;
beforeEach(async () => {
  repair = await aRepair();
});
afterEach(() => repair.metal.stop());

test('a host that is being moved is neither switched off nor marked unhealthy (metal-7.13)', async () => {
  const { metal } = repair;
  const metadata = { annotations: { [DELETE_FOR_MOVE]: '' } };
  const host = await metal.api.patch(BareMetalHost, at('h1'), { metadata });
  await repair.remediate();
  const remediation = await metal.api.get(Metal3Remediation, at('m1'));

  await askOff(remediation, host, metal.world);
  await markUnhealthy(host, metal.world);

  const now = await metal.api.get(BareMetalHost, at('h1'));
  assert.deepEqual(Object.keys(now.metadata.annotations ?? {}), [DELETE_FOR_MOVE]);
});
