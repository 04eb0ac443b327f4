// A host that clusterctl takes away amid a repair: nothing is written to it, whatever the pass had read before.

import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { BareMetalHost } from '../../kinds/generated/bare-metal-host.generated.ts';
import { Metal3Remediation } from '../../kinds/generated/metal3-remediation.generated.ts';
import { DELETE_FOR_MOVE } from '../../kinds/wire.ts';
import { at } from '../objects.testing.ts';
import { markUnhealthy } from './hand-over.ts';
import { askOff, letOneOn } from './power.ts';
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

test('a host that is being moved is not let on, whoever asks for it (metal-7.13)', async () => {
  const { metal } = repair;
  await repair.remediate();
  await repair.pass(2);
  const { uid = '' } = (await repair.read()).metadata;
  const metadata = { annotations: { [DELETE_FOR_MOVE]: '' } };
  const host = await metal.api.patch(BareMetalHost, at('h1'), { metadata });

  await letOneOn(uid, host, metal.world);

  const now = await repair.host();
  assert.ok(Object.keys(now.metadata.annotations ?? {}).some(key => key.endsWith(uid)));
});

test('a host that a write does not find is kept off still: the repair that goes looks again, and holds on until then (safe-1)', async () => {
  let isHidden = false;
  const body = Buffer.from(
    JSON.stringify({ kind: 'Status', reason: 'NotFound', code: 404, details: { name: 'h1', kind: 'baremetalhosts' } }),
  );
  await repair.metal.stop();
  repair = await aRepair({
    between: next => request =>
      isHidden && request.method === 'PATCH' && request.path.includes('baremetalhosts')
        ? Promise.resolve({ status: 404, headers: {}, body })
        : next(request),
  });
  await repair.remediate();
  await repair.pass(2);
  isHidden = true;
  await repair.metal.api.delete(Metal3Remediation, at('m1'));

  await repair.pass(10);
  const held = await repair.find();
  isHidden = false;
  await repair.pass(60);

  assert.notEqual(held, undefined);
  assert.equal(await repair.find(), undefined);
  assert.deepEqual((await repair.host()).metadata.annotations ?? {}, {});
});
