// The order of two caches: that a claim is gone may show before the deletion of its data does.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seconds } from '../../base/clock.ts';
import { Metal3Data } from '../../kinds/generated/metal3-data.generated.ts';
import { Metal3DataClaim } from '../../kinds/generated/metal3-data-claim.generated.ts';
import { Metal3DataTemplate } from '../../kinds/generated/metal3-data-template.generated.ts';
import type { EventStream, Transport } from '../../kube/transport.ts';
import { dataClaimController } from '../claim/controller.ts';
import { aCluster, at } from '../objects.testing.ts';
import { dataTemplateController } from '../template/controller.ts';
import { dataController } from './controller.ts';
import { aDataTest, aServedClaim, assertNoneOf, aTemplate } from './data-world.testing.ts';

/** The watch of Datas, held back while `gate` is shut. */
function heldBack(gate: { shut: Promise<void> | undefined }): (transport: Transport) => Transport {
  return transport => async request => {
    const answer = await transport(request);
    const { stream } = answer;
    if (stream === undefined || !request.path.endsWith('/metal3datas')) return answer;
    const late: EventStream = {
      next: async () => {
        const frame = await stream.next();
        await gate.shut;
        return frame;
      },
      close: reason => stream.close(reason),
    };
    return { ...answer, stream: late };
  };
}

test('a Data whose claim is seen to be gone before its own deletion is left to go: nothing is written on what is old', async () => {
  const gate: { shut: Promise<void> | undefined } = { shut: undefined };
  const t = await aDataTest(heldBack(gate));
  await aCluster(t.api, 'c');
  await aTemplate(t, 'abc', { metaData: { indexes: [{ key: 'index' }] } });
  t.run(dataTemplateController(), dataClaimController(), dataController());
  await aServedClaim(t, 'm0');
  await t.pass(seconds(2));
  t.writes.length = 0;

  let open = (): void => undefined;
  gate.shut = new Promise(resolve => {
    open = resolve;
  });
  await t.api.delete(Metal3DataClaim, at('m0'));
  await t.pass(seconds(1));
  const onDatas = t.writes.filter(write => write.includes('/metal3datas/'));
  assert.equal((await t.api.find(Metal3DataClaim, at('m0')))?.metadata.name, undefined);
  gate.shut = undefined;
  open();
  await t.api.delete(Metal3DataTemplate, at('abc'));
  await t.pass(seconds(3));

  assert.deepEqual(onDatas, [
    'DELETE /apis/infrastructure.cluster.x-k8s.io/v1beta2/namespaces/metal/metal3datas/abc-0',
  ]);
  await assertNoneOf(t, [Metal3Data, Metal3DataTemplate]);
  await t.stop();
});
