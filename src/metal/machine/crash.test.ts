// A machine's way there and back with each write cut in turn, before it is carried out or after, and a restart at once.

import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { seconds } from '../../base/clock.ts';
import { BareMetalHost } from '../../kinds/generated/bare-metal-host.generated.ts';
import { Metal3DataClaim } from '../../kinds/generated/metal3-data-claim.generated.ts';
import { Metal3Machine } from '../../kinds/generated/metal3-machine.generated.ts';
import { METAL3_DATA_CLAIM_FINALIZER } from '../../kinds/metal-wire.ts';
import { Node } from '../../kube/core/node.ts';
import { Unavailable } from '../../kube/errors.ts';
import { at } from '../objects.testing.ts';
import { aFleet, type Fleet, IMAGE, provisionedFleet } from './fleet.testing.ts';

type How = 'before' | 'after';

let fleet: Fleet;
/** How many writes still pass; the one after them is cut. Undefined: none is. */
let left: number | undefined;
let how: How = 'before';
let isCut = false;
beforeEach(async () => {
  left = undefined;
  fleet = await aFleet(next => async request => {
    if (request.method === 'GET' || left === undefined || left-- > 0) return next(request);
    isCut = true;
    if (how === 'after') await next(request);
    throw new Unavailable(request.path, 'the process died');
  });
});
afterEach(() => fleet.stop());

/** Cuts the nth write of what follows, restarts, and lets all end. False: there was no nth write. */
async function cutAt(nth: number, begin: () => Promise<void>, end: () => Promise<void>): Promise<boolean> {
  [left, isCut] = [nth, false];
  await begin();
  await fleet.pass(200);
  await fleet.restart();
  left = undefined;
  await fleet.pass(seconds(2));
  await end();
  await fleet.pass(seconds(10));
  return isCut;
}

for (const each of ['before', 'after'] as const) {
  test(`a machine gets one host and one claim, whatever write is cut ${each} it is carried out (metal-7.6)`, async () => {
    how = each;
    let nth = 0;
    for (let goesOn = true; goesOn; nth++) {
      const [name, host] = [`m${nth}`, `h${nth}`];
      await fleet.host(host);
      await fleet.host(`${host}-spare`);
      const { metadata } = await fleet.hostOf(host);
      goesOn = await cutAt(
        nth,
        async () => {
          await fleet.machine(name, { spec: { image: IMAGE, dataTemplate: { name: 't' } } });
          await fleet.pass(200);
        },
        async () => {
          await fleet.rendered(name, `t-${nth}`);
          await fleet.pass(seconds(2));
        },
      );

      const { items } = await fleet.api.list(BareMetalHost);
      const ours = items.filter(({ spec }) => spec?.consumerRef?.name === name);
      assert.equal(ours.length, 1, `cut ${each} write ${nth}`);
      assert.equal(await fleet.recorded(name), `metal/${ours[0]?.metadata.name}`);
      assert.deepEqual([ours[0]?.spec?.image?.url, ours[0]?.spec?.metaData?.name], [IMAGE.url, `${name}-metadata`]);
      assert.equal((await fleet.claimOf(name))?.metadata.finalizers?.length, 2);
      assert.notEqual(metadata.uid, undefined);
      await Promise.all(items.map(({ metadata: { name: used } }) => fleet.api.delete(BareMetalHost, at(used))));
    }
    assert.ok(nth > 5, `${nth} writes`);
  });

  test(`a release ends the same, whatever write is cut ${each} it is carried out`, async () => {
    how = each;
    let nth = 0;
    for (let goesOn = true; goesOn; nth++) {
      const [name, host] = [`m${nth}`, `h${nth}`];
      await provisionedFleet(fleet, `${nth}`);
      goesOn = await cutAt(
        nth,
        async () => {
          await fleet.api.delete(Metal3Machine, at(name));
          await fleet.pass(200);
          await fleet.state(host, 'available');
        },
        async () => undefined,
      );

      assert.equal(await fleet.api.find(Metal3Machine, at(name)), undefined, `cut ${each} write ${nth}`);
      const { spec, metadata } = await fleet.hostOf(host);
      assert.deepEqual(
        [spec?.consumerRef, spec?.image, spec?.metaData, metadata.labels],
        [undefined, undefined, undefined, undefined],
      );
      const claim = await fleet.api.get(Metal3DataClaim, at(name));
      assert.deepEqual(claim.metadata.finalizers, [METAL3_DATA_CLAIM_FINALIZER]);
      assert.notEqual(claim.metadata.deletionTimestamp, undefined);
      await fleet.api.delete(BareMetalHost, at(host));
    }
    assert.ok(nth > 5, `${nth} writes`);
  });
}

test('a provider id is given once, though the answer to it was lost', async () => {
  const { metadata } = await fleet.host('h1');
  await fleet.machine('m1', { spec: { image: IMAGE } });
  await fleet.pass(200);
  const node: Node = {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name: 'n1', labels: { 'metal3.io/uuid': metadata.uid ?? '' } },
  };
  await fleet.workload.api.create(Node, node);
  [left, how] = [0, 'after'];
  await fleet.state('h1', 'provisioned');
  await fleet.pass(seconds(1));
  await fleet.restart();
  left = undefined;
  await fleet.pass(seconds(10));

  assert.equal((await fleet.workload.api.get(Node, { name: 'n1' })).spec?.providerID, 'metal3://metal/h1/m1');
  assert.equal((await fleet.machineOf('m1')).spec?.providerID, 'metal3://metal/h1/m1');
});
