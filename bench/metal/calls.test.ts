import assert from 'node:assert/strict';
import { test } from 'node:test';
import { virtualClock } from '../../sim/time/clock.ts';
import { seededRandom } from '../../sim/time/random.ts';
import { minutes, seconds } from '../../src/base/clock.ts';
import { silentLog } from '../../src/base/log.ts';
import { inProcessApi } from '../../src/fleet/api.ts';
import { definitionsOf } from '../../src/fleet/definitions.ts';
import { ipamManager, metalManager } from '../../src/fleet/metal.ts';
import { openWorld } from '../../src/fleet/world.ts';
import { Metal3Data } from '../../src/kinds/generated/metal3-data.generated.ts';
import { Metal3DataClaim } from '../../src/kinds/generated/metal3-data-claim.generated.ts';
import { client } from '../../src/kube/client.ts';
import { CustomResourceDefinition } from '../../src/kube/core/other.ts';
import type { OwnerReference } from '../../src/kube/object.ts';
import { USUAL_METAL_SETTINGS } from '../../src/metal/world.ts';
import { between, CallCount, type Calls, liveReadsIn, relistsIn, writesIn } from './calls.ts';
import { at, claimOf, makeGround, makeMachine, nameOf } from './objects.ts';
import { PassCount, type Passes, passesText } from './passes.ts';

const CLAIMS = 40;
const NAMESPACE = 'bench';

/** The managers beside parked machines, in virtual time; `act` does something for each, and what that cost is answered. */
async function aFleet() {
  const clock = virtualClock();
  const random = seededRandom('calls');
  const { transport } = await inProcessApi({ clock, random, definitions: 'trusted' });
  const api = client(transport, { clock });
  for (const each of definitionsOf(['mac', 'metal', 'stand-ins for metal'])) {
    await api.create(CustomResourceDefinition, each);
  }
  await makeGround(api, NAMESPACE);
  const owners: OwnerReference[] = [];
  for (let n = 0; n < CLAIMS; n++) owners.push(await makeMachine(api, NAMESPACE, n));
  const calls = new CallCount();
  const count = new PassCount();
  const world = (component: string) => {
    const seams = { clock, random, log: silentLog, metrics: count.metrics };
    return openWorld({ ...seams, transport: calls.over(transport), component });
  };
  const worlds = [world('metal'), world('ipam')] as const;
  const stopping = new AbortController();
  const dial = () => () => Promise.reject(new Error('there is no workload cluster'));
  const ended = Promise.all([
    metalManager({ world: worlds[0], settings: USUAL_METAL_SETTINGS, dial })(stopping.signal),
    ipamManager({ world: worlds[1] })(stopping.signal),
  ]);
  await clock.advance(seconds(20));
  return {
    api,
    owners,
    async costOf(act: () => Promise<unknown>): Promise<{ readonly calls: Calls; readonly passes: Passes }> {
      const before = { calls: calls.soFar(), passes: count.soFar() };
      await act();
      await clock.advance(seconds(20));
      return { calls: between(before.calls, calls.soFar()), passes: between(before.passes, count.soFar()) };
    },
    async stop() {
      stopping.abort(new Error('stopped'));
      await clock.advance(minutes(1));
      await ended;
      await Promise.all(worlds.map(each => each.close()));
    },
  };
}

test('a claim costs nine writes and six looks from zero to ready, ten of each to be gone, and no live read', async () => {
  const fleet = await aFleet();

  const create = await fleet.costOf(() =>
    Promise.all(fleet.owners.map((owner, n) => fleet.api.create(Metal3DataClaim, claimOf(NAMESPACE, n, owner)))),
  );
  const { items } = await fleet.api.list(Metal3Data);
  const remove = await fleet.costOf(() =>
    Promise.all(fleet.owners.map((_, n) => fleet.api.delete(Metal3DataClaim, at(NAMESPACE, nameOf(n))))),
  );
  const left = await fleet.api.list(Metal3Data);
  await fleet.stop();

  assert.equal(items.filter(({ status }) => status?.ready === true).length, CLAIMS);
  assert.equal(left.items.length, 0);
  assert.deepEqual(costs(create.calls), { writes: 9, liveReads: 0, relists: 0 });
  assert.deepEqual(costs(remove.calls), { writes: 10, liveReads: 0, relists: 0 });
  assert.ok(looksIn(create.passes) < 6.5, passesText(create.passes, CLAIMS));
  assert.ok(looksIn(remove.passes) < 10.5, passesText(remove.passes, CLAIMS));
  // These machines are left alone: nothing that happens around them is theirs.
  for (const { passes } of [create, remove]) assert.equal(passes.get('metal3-machine') ?? 0, 0);
});

/** Of all controllers, for each claim. */
const looksIn = (passes: Passes): number => [...passes.values()].reduce((total, count) => total + count, 0) / CLAIMS;

const costs = (calls: Calls): object => ({
  writes: writesIn(calls) / CLAIMS,
  liveReads: liveReadsIn(calls),
  relists: relistsIn(calls),
});
