import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inProcess } from '../../../sim/scaleway/in-process.ts';
import { ScalewayModel } from '../../../sim/scaleway/model.ts';
import { virtualClock } from '../../../sim/time/clock.ts';
import { seededRandom } from '../../../sim/time/random.ts';
import type { MacCloud } from '../cloud.ts';
import { cloudUnavailable } from '../cloud.ts';
import { claimHost, PENDING_PREFIX } from './claim.ts';

const WANTED = { claimName: 'mac-0', zone: 'fr-par-1', poolPrefix: 'pool-', type: 'M2-L', os: 'Tahoe' };

function pool(...names: string[]) {
  const random = seededRandom('claim');
  const model = new ScalewayModel({ clock: virtualClock(), random });
  const servers = names.map(name => model.order({ name }));
  const cloud = inProcess(model);
  return { model, servers, cloud, world: { cloud, random } };
}

/** A cloud in which something happens right after the nth rename. */
function after(cloud: MacCloud, nth: number, happens: () => void): MacCloud {
  let renames = 0;
  return {
    ...cloud,
    async rename(ref, name) {
      await cloud.rename(ref, name);
      renames += 1;
      if (renames === nth) happens();
    },
  };
}

test('a host that was left with a pending name is as free as one of the pool', async () => {
  const { world, servers } = pool(`${PENDING_PREFIX}1`);

  const claimed = await claimHost(WANTED, world);

  assert.equal(claimed?.id, servers[0]?.id);
});

test('a host that has the claim name already is found, whatever state it is in', async () => {
  const { world, servers, model } = pool('pool-1', 'mac-0');
  const own = servers[1];
  assert.ok(own !== undefined);
  model.reinstallServer(own.zone, own.id, undefined);

  const claimed = await claimHost(WANTED, world);

  assert.equal(claimed?.id, own.id);
});

test('a host that somebody else renames in the middle is left to them', async () => {
  for (const nth of [1, 2]) {
    const { world, servers, cloud } = pool('pool-1', 'pool-2');
    const [first, second] = servers;
    const racing = after(cloud, nth, () => {
      if (first !== undefined) first.name = 'mac-other';
    });

    const claimed = await claimHost(WANTED, { ...world, cloud: racing });

    assert.equal(claimed?.id, second?.id, `after rename ${nth}`);
    assert.equal(first?.name, 'mac-other');
  }
});

test('a host that vanishes before it bears our name is passed over', async () => {
  const { world, servers, cloud, model } = pool('pool-1', 'pool-2');
  const racing = after(cloud, 1, () => model.discard(servers[0]?.id ?? ''));

  const claimed = await claimHost(WANTED, { ...world, cloud: racing });

  assert.equal(claimed?.id, servers[1]?.id);
});

test('a host that is not shown after it got our name may still be ours: no second one is taken before the next look', async () => {
  const { world, servers, cloud, model } = pool('pool-1', 'pool-2');
  const hiding = after(cloud, 2, () => model.faults.next('getServer', 404));

  await assert.rejects(claimHost(WANTED, { ...world, cloud: hiding }), cloudUnavailable.is);
  const claimed = await claimHost(WANTED, world);

  assert.equal(claimed?.id, servers[0]?.id);
  assert.equal(servers[1]?.name, 'pool-2');
});

test('an error is never "no host free"', async () => {
  for (const call of ['listServers', 'getServer', 'updateServer'] as const) {
    for (const fault of [403, 429, 500, 'timeout'] as const) {
      const { world, model } = pool('pool-1');
      model.faults.next(call, fault);

      await assert.rejects(claimHost(WANTED, world), `${call}: ${fault}`);
    }
  }
});

test('hosts of another pool, type, system or state are never touched', async () => {
  const { world, model } = pool('somebody', 'poolless');
  model.order({ name: 'pool-type', type: 'M4-S' });
  model.order({ name: 'pool-os', imageId: model.state.images[0]?.id ?? '' });
  model.order({ name: 'pool-locked', status: 'locked' });
  model.order({ name: 'pool-starting', status: 'starting' });

  const claimed = await claimHost(WANTED, world);

  assert.equal(claimed, undefined);
  assert.ok(model.calls.every(({ name }) => name === 'listServers'));
});
