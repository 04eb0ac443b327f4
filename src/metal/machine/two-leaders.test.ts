// Two processes that both hold themselves for the leader: the locks of the API decide, and no host has two machines.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { settled } from '../../../sim/time/clock.ts';
import { seededRandom } from '../../../sim/time/random.ts';
import { seconds } from '../../base/clock.ts';
import { silentLog } from '../../base/log.ts';
import { noMetrics } from '../../base/metrics.ts';
import { BareMetalHost } from '../../kinds/generated/bare-metal-host.generated.ts';
import { Cluster } from '../../kinds/generated/cluster.generated.ts';
import { Metal3Machine } from '../../kinds/generated/metal3-machine.generated.ts';
import { HOST_ANNOTATION } from '../../kinds/metal-wire.ts';
import { callerOf, client } from '../../kube/client.ts';
import { caches } from '../../kube/informer.ts';
import { controller, runControllers } from '../../kube/run.ts';
import type { Transport } from '../../kube/transport.ts';
import { at } from '../objects.testing.ts';
import { metal3Machine } from './controller.ts';
import { aFleet, CLUSTER } from './fleet.testing.ts';

const STATUS = { subresource: 'status' };
const ADMIN = { name: 'admin', groups: ['system:masters'] };

test('two leaders at once give each machine one host, and take it back once (metal-7.6)', async () => {
  let transport: Transport | undefined;
  const fleet = await aFleet(next => {
    transport = next;
    return next;
  });
  assert.ok(transport !== undefined);
  const options = { clock: fleet.clock, identity: ADMIN };
  const random = seededRandom('another leader');
  const own = caches({ caller: callerOf(transport, options), random, log: silentLog, metrics: noMetrics });
  const world = Object.assign(Object.create(fleet.world), { api: client(transport, options), caches: own, random });
  const stopping = new AbortController();
  const ended = runControllers(world, [controller(metal3Machine)], stopping.signal);
  const overwritten: string[] = [];
  own.of(BareMetalHost).onChange(({ object, previous }) => {
    const [before, after] = [previous?.spec?.consumerRef?.name, object.spec?.consumerRef?.name];
    if (before !== undefined && after !== undefined && before !== after) overwritten.push(`${before} by ${after}`);
  });
  const ready = (infrastructureProvisioned: boolean) =>
    fleet.api.patch(Cluster, at(CLUSTER), { status: { initialization: { infrastructureProvisioned } } }, STATUS);
  await ready(false);
  await Promise.all(Array.from({ length: 6 }, (_, i) => fleet.host(`h${i}`)));
  await Promise.all(Array.from({ length: 8 }, (_, i) => fleet.machine(`m${i}`)));
  await fleet.pass(100);
  // All of them at once, in both processes.
  await ready(true);

  await fleet.pass(seconds(30));

  const machines = (await fleet.api.list(Metal3Machine)).items;
  const used = (await fleet.api.list(BareMetalHost)).items.map(({ metadata, spec }) => [
    spec?.consumerRef?.name,
    `metal/${metadata.name}`,
  ]);
  const recorded = machines.flatMap(({ metadata }) => {
    const host = metadata.annotations?.[HOST_ANNOTATION];
    return host === undefined ? [] : [[metadata.name, host]];
  });
  assert.deepEqual(overwritten, []);
  assert.equal(used.length, 6);
  assert.deepEqual(new Set(used.map(String)), new Set(recorded.map(String)));

  await Promise.all(machines.map(({ metadata }) => fleet.api.delete(Metal3Machine, at(metadata.name))));
  await fleet.pass(seconds(30));
  assert.deepEqual((await fleet.api.list(Metal3Machine)).items, []);
  const left = (await fleet.api.list(BareMetalHost)).items.filter(({ spec }) => spec?.consumerRef !== undefined);
  assert.deepEqual(left, []);

  stopping.abort(new Error('over'));
  await settled();
  await fleet.stop();
  await ended;
  await own.stop();
});
