// Leader election: one at a time, whatever clocks and networks do; and what a successor may rely on.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { settled, type VirtualClock, virtualClock } from '../../sim/time/clock.ts';
import { seededRandom } from '../../sim/time/random.ts';
import { type Skew, skewed } from '../../sim/time/skew.ts';
import { silentLog } from '../base/log.ts';
import { noMetrics } from '../base/metrics.ts';
import { client } from './client.ts';
import { Lease } from './core/node.ts';
import { ConfigMap } from './core/other.ts';
import { isUnavailable, Unavailable } from './errors.ts';
import { Election } from './leader.ts';
import { holderOf } from './lease.ts';
import { TinyApi } from './tiny-api.testing.ts';
import type { ApiRequest, ApiResponse, Transport } from './transport.ts';

const KEY = { namespace: 'pippin', name: 'manager' };

/** What a network does to one request: late there, late back, or the answer lost after it was carried out. */
interface Weather {
  readonly thereMs: number;
  readonly backMs: number;
  readonly answerLost: boolean;
  readonly requestLost: boolean;
}

const CALM: Weather = { thereMs: 1, backMs: 1, answerLost: false, requestLost: false };

function over(server: TinyApi, time: VirtualClock, weather: (request: ApiRequest) => Weather): Transport {
  return async request => {
    const { thereMs, backMs, answerLost, requestLost } = weather(request);
    await time.sleep(thereMs);
    if (requestLost) throw new Unavailable('test', 'request lost');
    const answer: ApiResponse = await server.transport(request);
    await time.sleep(backMs);
    if (answerLost) throw new Unavailable('test', 'answer lost');
    return answer;
  };
}

interface Candidate {
  readonly name: string;
  readonly election: Election;
  readonly stop: () => void;
  readonly ended: Promise<void>;
}

interface Setup {
  readonly name: string;
  readonly server: TinyApi;
  readonly time: VirtualClock;
  readonly skew?: Skew;
  readonly weather?: () => Weather;
  /** Called at the start of each write. */
  readonly wrote?: (name: string) => void;
}

/** A program that, while it leads, tries to write every 700 ms. */
function candidate({
  name,
  server,
  time,
  skew = { rate: 1, aheadMs: 0 },
  weather = () => CALM,
  wrote,
}: Setup): Candidate {
  const clock = skewed(time, skew);
  const network = over(server, time, weather);
  const random = seededRandom(name);
  const election = new Election({
    ...KEY,
    transport: network,
    clock,
    random,
    log: silentLog,
    metrics: noMetrics,
    identity: name,
  });
  const guarded = election.gate.guard(request => {
    wrote?.(name);
    return network(request);
  });
  const api = client(guarded, { clock });
  const stopping = new AbortController();
  const work = async (signal: AbortSignal): Promise<void> => {
    while (!signal.aborted) {
      await api.patch(ConfigMap, { namespace: 'pippin', name: 'books' }, { data: { by: name } }).catch(() => undefined);
      await clock.sleep(700, signal).catch(() => undefined);
    }
  };
  return { name, election, stop: () => stopping.abort(), ended: election.lead(work, stopping.signal) };
}

function aServer(): { server: TinyApi; time: VirtualClock; holder: () => string | undefined } {
  const server = new TinyApi();
  const lease = (): Lease | undefined => [...server.stored('apis/coordination.k8s.io/v1/leases').values()][0];
  const holder = (): string | undefined => {
    const found = lease();
    return found === undefined ? undefined : holderOf(found);
  };
  return { server, time: virtualClock(), holder };
}

async function stopAll(time: VirtualClock, ...candidates: readonly Candidate[]): Promise<void> {
  for (const each of candidates) each.stop();
  await time.advance(120_000);
  await Promise.all(candidates.map(each => each.ended));
}

test('one of several leads, and renews what it holds', async () => {
  const { server, time, holder } = aServer();
  const a = candidate({ name: 'a', server, time });
  await time.advance(1000);
  const b = candidate({ name: 'b', server, time });

  await time.advance(300_000);

  assert.equal(holder(), 'a');
  assert.deepEqual([a.election.gate.holds(), b.election.gate.holds()], [true, false]);
  await stopAll(time, a, b);
});

test('who stops in order lets the lease go, and the next one leads within seconds', async () => {
  const { server, time, holder } = aServer();
  const a = candidate({ name: 'a', server, time });
  await time.advance(1000);
  const b = candidate({ name: 'b', server, time });
  await time.advance(5000);

  a.stop();
  await time.advance(4000);

  assert.equal(holder(), 'b');
  await stopAll(time, a, b);
});

test('who is cut off stops writing before another one may begin', async () => {
  const { server, time, holder } = aServer();
  let cut = false;
  const weather = (): Weather => ({ ...CALM, requestLost: cut });
  const a = candidate({ name: 'a', server, time, weather });
  await time.advance(1000);
  const b = candidate({ name: 'b', server, time });
  await time.advance(5000);

  cut = true;
  await time.advance(10_100);
  assert.deepEqual([a.election.gate.holds(), b.election.gate.holds()], [false, false]);
  await time.advance(10_000);

  assert.deepEqual([holder(), b.election.gate.holds()], ['b', true]);
  await stopAll(time, a, b);
});

test('a wall clock that went back, or a machine that slept, proves nothing (safe-21)', async () => {
  const { server, time } = aServer();
  const skew = { rate: 1, aheadMs: 0 };
  const a = candidate({ name: 'a', server, time, skew });
  await time.advance(1000);
  assert.equal(a.election.gate.holds(), true);

  skew.aheadMs = -5000;
  assert.equal(a.election.gate.holds(), false);
  skew.aheadMs = 60_000;
  assert.equal(a.election.gate.holds(), false);
  await time.advance(5000);

  assert.equal(a.election.gate.holds(), true, 'the next renewal proves it again');
  await stopAll(time, a);
});

test('a lease that somebody deleted is not taken before its holder has noticed', async () => {
  const { server, time } = aServer();
  let cut = false;
  const a = candidate({ name: 'a', server, time, weather: () => ({ ...CALM, requestLost: cut }) });
  await time.advance(1000);
  const b = candidate({ name: 'b', server, time });
  await time.advance(3000);

  cut = true;
  await client(server.transport, { clock: time }).delete(Lease, KEY);
  for (let second = 0; second < 30; second++) {
    await time.advance(1000);
    assert.ok(!(a.election.gate.holds() && b.election.gate.holds()), `two at second ${second}`);
  }

  assert.equal(b.election.gate.holds(), true);
  await stopAll(time, a, b);
});

test('a write that was under way when the lead went over ends in a conflict', async () => {
  const { server, time } = aServer();
  const api = client(server.transport, { clock: time });
  await api.create(ConfigMap, {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { namespace: 'pippin', name: 'books' },
    data: { by: 'nobody' },
  });
  let cut = false;
  const a = candidate({ name: 'a', server, time, weather: () => ({ ...CALM, requestLost: cut }) });
  await time.advance(1000);
  const read = await api.get(ConfigMap, { namespace: 'pippin', name: 'books' });
  const answers: number[] = [];
  const paused = a.election.gate.guard(async request => {
    await time.sleep(60_000);
    const answer = await server.transport(request);
    answers.push(answer.status);
    return answer;
  });
  const given = client(paused, { clock: time })
    .update(ConfigMap, { ...read, data: { by: 'the paused one' } })
    .catch((error: unknown) => error);
  cut = true;
  const b = candidate({ name: 'b', server, time });

  await time.advance(100_000);

  assert.ok(isUnavailable(await given), String(await given));
  assert.deepEqual(answers, [409]);
  assert.deepEqual((await api.get(ConfigMap, { namespace: 'pippin', name: 'books' })).data, { by: 'b' });
  await stopAll(time, a, b);
});

test('a write that is not allowed to begin never reaches the network', async () => {
  const { server, time } = aServer();
  let reached = 0;
  const a = candidate({ name: 'a', server, time, wrote: () => reached++ });
  const guarded = client(a.election.gate.guard(server.transport), { clock: time });

  await assert.rejects(guarded.delete(ConfigMap, { namespace: 'x', name: 'y' }), { code: 'PIPPIN_E_NOT_LEADING' });

  assert.equal(reached, 0);
  await stopAll(time, a);
});

/** The weather of a moment: the spells follow each other for ever. */
function weatherAt(spells: readonly { readonly ms: number; readonly weather: Weather }[], atMs: number): Weather {
  let leftMs = atMs % spells.reduce((sum, { ms }) => sum + ms, 0);
  for (const { ms, weather } of spells) {
    if (leftMs < ms) return weather;
    leftMs -= ms;
  }
  return CALM;
}

test('no two programs begin a write in overlapping terms, under skewed clocks and lost or late answers', async () => {
  const late = (thereMs: number, backMs: number): Weather => ({ ...CALM, thereMs, backMs });
  const weathers: readonly Weather[] = [
    CALM,
    late(50, 3500),
    late(3500, 50),
    late(9000, 9000),
    { ...CALM, requestLost: true },
    { ...CALM, answerLost: true },
    { ...late(2000, 1), answerLost: true },
  ];
  const spell = fc.record({
    ms: fc.constantFrom(3000, 8000, 14_000, 30_000),
    weather: fc.constantFrom(CALM, ...weathers),
  });
  const machine = fc.record({
    rate: fc.constantFrom(0.92, 0.97, 1, 1.03, 1.08),
    aheadMs: fc.constantFrom(-3_600_000, -5000, 0, 5000, 3_600_000),
    spells: fc.array(spell, { minLength: 1, maxLength: 20 }),
  });
  let writes = 0;
  let changes = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(machine, { minLength: 2, maxLength: 3 }), async machines => {
      const { server, time, holder } = aServer();
      let last: string | undefined;
      const broken: string[] = [];
      const candidates = machines.map(({ rate, aheadMs, spells }, at) => {
        return candidate({
          name: `m${at}`,
          server,
          time,
          skew: { rate, aheadMs },
          weather: () => weatherAt(spells, time.monotonic()),
          wrote: name => {
            writes++;
            if (last !== name) changes++;
            last = name;
            if (holder() !== name) broken.push(`${name} began a write while ${holder()} held the lease`);
          },
        });
      });

      await time.advance(240_000);
      await stopAll(time, ...candidates);

      assert.deepEqual(broken, []);
    }),
    { numRuns: 40, seed: 4711 },
  );
  assert.ok(writes > 1000 && changes > 40, `${writes} writes, ${changes} changes of leader: too few to show anything`);
});

test('while nobody disturbs it, a stopped election leaves nothing running', async () => {
  const { server, time, holder } = aServer();
  const a = candidate({ name: 'a', server, time });
  await time.advance(5000);

  await stopAll(time, a);
  await settled();

  assert.equal(holder(), undefined);
  assert.deepEqual(time.pending(), []);
});
