// Random sequences of what users, crashes and restarts do: no address is held twice, and everything deleted is gone.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { minutes, seconds } from '../base/clock.ts';
import { CapiIPAddress } from '../kinds/generated/capi-ip-address.generated.ts';
import { IPAddress } from '../kinds/generated/ip-address.generated.ts';
import { IPAddressClaim } from '../kinds/generated/ip-address-claim.generated.ts';
import { IPClaim } from '../kinds/generated/ip-claim.generated.ts';
import { IPPool } from '../kinds/generated/ip-pool.generated.ts';
import { PAUSED_ANNOTATION } from '../kinds/wire.ts';
import { ApiError } from '../kube/errors.ts';
import type { Kind } from '../kube/kind.ts';
import type { KubeObject } from '../kube/object.ts';
import type { Transport } from '../kube/transport.ts';
import { aCapiClaim, aClaim, aPool, at, left } from './objects.testing.ts';
import { anIpamTest, type IpamTest } from './world.testing.ts';

const RUNS = 40;
const FOREIGN = 'x.test/uses-it';

/** The next write after `crashNext` is carried out, its answer is lost, and nothing more is sent. */
class Crashes {
  state: 'none' | 'next' | 'crashed' = 'none';

  readonly between =
    (next: Transport): Transport =>
    async request => {
      if (this.state === 'crashed') throw new Error('the process is no more');
      if (this.state === 'none' || request.method === 'GET') return next(request);
      await next(request);
      this.state = 'crashed';
      throw new Error('the answer is lost');
    };
}

interface Played {
  readonly t: IpamTest;
  readonly crashes: Crashes;
}

type Act = (played: Played, number: number) => Promise<unknown>;

const patch = (kind: Kind, name: string, metadata: object) => (t: IpamTest) =>
  t.api.patch(kind, at(name), { metadata });

const addressKinds = [IPAddress, CapiIPAddress] as const;

/** What a user may do is refused when there is nothing to do it to: that is all right. */
const ACTS: Readonly<Record<string, Act>> = {
  claim: ({ t }, n) => aClaim(t.api, `c${n}`),
  'claim in use': ({ t }, n) => aClaim(t.api, `c${n}`, { finalizers: [FOREIGN] }),
  'capi claim': ({ t }, n) => aCapiClaim(t.api, `c${n}`),
  'asking claim': ({ t }, n) => aClaim(t.api, `c${n}`, { annotations: { ipAddress: `10.0.0.${n}` } }),
  'delete claim': ({ t }, n) => t.api.delete(IPClaim, at(`c${n}`)),
  'delete capi claim': ({ t }, n) => t.api.delete(IPAddressClaim, at(`c${n}`)),
  'use ends': ({ t }, n) => patch(IPClaim, `c${n}`, { finalizers: ['ipclaim.ipam.metal3.io'] })(t),
  'force claim': ({ t }, n) => patch(IPClaim, `c${n}`, { finalizers: [] })(t),
  'delete address': ({ t }, n) => t.api.delete(addressKinds[n % 2] ?? IPAddress, at(`ip-10-0-0-${n}`)),
  'force address': ({ t }, n) => patch(IPAddress, `ip-10-0-0-${n}`, { finalizers: [] })(t),
  pool: ({ t }, n) => aPool(t.api, poolSpec(n)),
  'delete pool': ({ t }) => t.api.delete(IPPool, at('pool')),
  'resize pool': ({ t }, n) => t.api.patch(IPPool, at('pool'), { spec: poolSpec(n) }),
  pause: ({ t }) => patch(IPPool, 'pool', { annotations: { [PAUSED_ANNOTATION]: '' } })(t),
  resume: ({ t }) => patch(IPPool, 'pool', { annotations: { [PAUSED_ANNOTATION]: null } })(t),
  'crash soon': async ({ crashes }) => {
    crashes.state = 'next';
  },
  restart: played => restart(played),
  'time passes': ({ t }, n) => t.pass(seconds(n * n)),
};

const poolSpec = (n: number) => ({
  pools: [{ start: '10.0.0.1', end: `10.0.0.${2 + n}` }],
  preAllocations: { c5: '10.0.0.2' },
});

async function restart({ t, crashes }: Played): Promise<void> {
  crashes.state = 'none';
  await t.restart();
}

async function act(played: Played, name: string, number: number): Promise<void> {
  await unlessRefused(ACTS[name]?.(played, number));
  await played.t.pass(0);
  if (played.crashes.state === 'crashed') await restart(played);
  await assertNothingTwice(played.t);
}

async function unlessRefused(act: Promise<unknown> | undefined): Promise<void> {
  try {
    await act;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
  }
}

async function assertNothingTwice({ api }: IpamTest): Promise<void> {
  const metal3 = (await api.list(IPAddress)).items.map(({ spec }) => spec?.address);
  const capi = (await api.list(CapiIPAddress)).items.map(({ spec }) => spec?.address);
  const all = [...metal3, ...capi];
  assert.equal(new Set(all).size, all.length, `an address is held twice: ${all.join(', ')}`);
}

/** Every user lets go of everything. */
async function endAll(played: Played): Promise<void> {
  const { t } = played;
  await restart(played);
  await act(played, 'resume', 0);
  for (const kind of [IPClaim, IPAddressClaim, IPAddress, CapiIPAddress, IPPool] as readonly Kind<KubeObject>[]) {
    for (const object of (await t.api.list(kind)).items) {
      const finalizers = (object.metadata.finalizers ?? []).filter(each => each !== FOREIGN);
      await unlessRefused(t.api.patch(kind, at(object.metadata.name), { metadata: { finalizers } }));
      await unlessRefused(t.api.delete(kind, at(object.metadata.name)));
    }
  }
  await t.pass(minutes(5));
}

test('whatever users do and whenever it crashes, no address is held twice, and all that is deleted is gone', async () => {
  const step = fc.tuple(fc.constantFrom(...Object.keys(ACTS)), fc.integer({ min: 1, max: 5 }));

  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 40 }), async steps => {
      const crashes = new Crashes();
      const t = await anIpamTest({ between: crashes.between });
      const played = { t, crashes };
      await act(played, 'pool', 3);
      for (const [name, number] of steps) await act(played, name, number);

      await endAll(played);

      assert.deepEqual(await left(t.api), {});
      await t.stop();
    }),
    { numRuns: RUNS, seed: 7 },
  );
});
