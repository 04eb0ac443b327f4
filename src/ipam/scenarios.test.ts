// Deletions in every order, with one write refused, its answer lost, or a crash behind it, at each write in turn.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { minutes, seconds } from '../base/clock.ts';
import { CapiIPAddress } from '../kinds/generated/capi-ip-address.generated.ts';
import { IPAddress } from '../kinds/generated/ip-address.generated.ts';
import { IPAddressClaim } from '../kinds/generated/ip-address-claim.generated.ts';
import { IPClaim } from '../kinds/generated/ip-claim.generated.ts';
import { IPPool } from '../kinds/generated/ip-pool.generated.ts';
import { isNotFound } from '../kube/errors.ts';
import type { Kind } from '../kube/kind.ts';
import type { Transport } from '../kube/transport.ts';
import { aCapiClaim, aClaim, addresses, aPool, at, capiAddresses, left } from './objects.testing.ts';
import { anIpamTest, type IpamTest } from './world.testing.ts';

type Fault = 'refused' | 'lost' | 'crash';

/** Meets the write of one number with a fault, once. */
class Faults {
  writes = 0;
  hasCrashed = false;
  private readonly fault: Fault | undefined;
  private readonly atWrite: number;

  constructor(fault: Fault | undefined, atWrite: number) {
    this.fault = fault;
    this.atWrite = atWrite;
  }

  readonly between =
    (next: Transport): Transport =>
    async request => {
      if (this.hasCrashed) throw new Error('the process is no more');
      if (request.method === 'GET' || ++this.writes !== this.atWrite || this.fault === undefined) return next(request);
      if (this.fault === 'refused') {
        return { status: 500, headers: {}, body: Buffer.from('{"kind":"Status","reason":"InternalError"}') };
      }
      await next(request);
      this.hasCrashed = this.fault === 'crash';
      throw new Error('the answer is lost');
    };
}

interface Scenario {
  readonly name: string;
  /** Does to the objects what a user would. */
  act(t: IpamTest): Promise<void>;
}

const gone = (kind: Kind, name: string) => async (t: IpamTest) => {
  await t.api.delete(kind, at(name)).catch((error: unknown) => {
    if (!isNotFound(error)) throw error;
  });
};

/** One after the other, `ms` apart. */
const inTurn =
  (ms: number, ...steps: readonly ((t: IpamTest) => Promise<void>)[]) =>
  async (t: IpamTest): Promise<void> => {
    for (const step of steps) {
      await step(t);
      await t.pass(ms);
    }
  };

const CLAIMS = [gone(IPClaim, 'a'), gone(IPClaim, 'b'), gone(IPAddressClaim, 'c')];
const ADDRESSES = [gone(IPAddress, 'ip-10-0-0-1'), gone(CapiIPAddress, 'ip-10-0-0-2')];

/** As whoever uses the claims lets go of them. */
const freed = async (t: IpamTest): Promise<void> => {
  const finalizers = ['ipclaim.ipam.metal3.io'];
  await t.api.patch(IPClaim, at('a'), { metadata: { finalizers } }).catch(() => undefined);
};

const SCENARIOS: readonly Scenario[] = [
  { name: 'S12: the pool first', act: inTurn(seconds(2), gone(IPPool, 'pool'), freed, ...CLAIMS) },
  { name: 'S6: everything at once', act: inTurn(0, freed, ...CLAIMS, ...ADDRESSES, gone(IPPool, 'pool')) },
  {
    name: 'S13: the pool is gone before its addresses are let go of',
    act: inTurn(
      seconds(1),
      gone(IPPool, 'pool'),
      async t => {
        await t.api.patch(IPPool, at('pool'), { metadata: { finalizers: [] } }).catch(() => undefined);
      },
      freed,
      ...CLAIMS,
    ),
  },
  {
    name: 'S14: nobody looks after addresses for a while',
    act: async t => {
      await t.halt();
      await inTurn(0, freed, ...CLAIMS, ...ADDRESSES, gone(IPPool, 'pool'))(t);
      await t.restart();
    },
  },
  { name: 'S15: claims in use are deleted', act: inTurn(seconds(1), ...CLAIMS, freed, gone(IPPool, 'pool')) },
  {
    name: 'S16: addresses are deleted first',
    act: inTurn(seconds(1), ...ADDRESSES, freed, ...CLAIMS, gone(IPPool, 'pool')),
  },
  { name: 'the pool last', act: inTurn(seconds(1), freed, ...CLAIMS, gone(IPPool, 'pool')) },
];

/** Two claims of one kind and one of the other on three addresses, and one claim too many. */
async function fill(t: IpamTest): Promise<void> {
  await aPool(t.api, { pools: [{ start: '10.0.0.1', end: '10.0.0.2' }] });
  await aClaim(t.api, 'a', { finalizers: ['metal3data.infrastructure.cluster.x-k8s.io', 'ipclaim.ipam.metal3.io'] });
  await t.pass(seconds(1));
  await aCapiClaim(t.api, 'c');
  await t.pass(seconds(1));
  await aClaim(t.api, 'b');
  await t.pass(seconds(1));
}

interface Played {
  readonly filledAfter: number;
  readonly writes: number;
}

/** Plays a scenario; answers how many writes it took to fill the pool, and in all. */
async function play(scenario: Scenario, fault: Fault | undefined, atWrite: number): Promise<Played> {
  const faults = new Faults(fault, atWrite);
  const t = await anIpamTest({ between: faults.between });
  const recover = async (): Promise<void> => {
    if (!faults.hasCrashed) return;
    faults.hasCrashed = false;
    await t.restart();
  };
  await fill(t);
  await recover();
  const filledAfter = faults.writes;
  const given = [...(await addresses(t.api)), ...(await capiAddresses(t.api))].map(each => each.split(' ')[1]);
  assert.equal(new Set(given).size, given.length, `${given} of ${fault} at write ${atWrite}`);
  await scenario.act(t);
  await recover();
  await t.pass(minutes(5));
  await recover();
  await t.pass(minutes(5));

  assert.deepEqual(await left(t.api), {}, `${scenario.name}, ${fault} at write ${atWrite}`);
  await t.stop();
  return { filledAfter, writes: faults.writes };
}

for (const [index, scenario] of SCENARIOS.entries()) {
  test(`metal-${scenario.name}: nothing is left, whatever happens to one write`, async () => {
    const { filledAfter, writes } = await play(scenario, undefined, 0);
    // The pool is filled in the same way each time: what can happen there is seen once.
    const first = index === 0 ? 1 : filledAfter + 1;
    for (const fault of ['refused', 'lost', 'crash'] as const) {
      for (let atWrite = first; atWrite <= writes; atWrite++) await play(scenario, fault, atWrite);
    }
  });
}
