// One run: the floor of its size first, then the same through Pippin, from zero to ready and back to nothing.

import { Metal3DataClaim } from '../../src/kinds/generated/metal3-data-claim.generated.ts';
import type { OwnerReference } from '../../src/kube/object.ts';
import { residentMib } from '../api/resources.ts';
import { asideIn, between, liveReadsIn, relistsIn, writesIn } from './calls.ts';
import { type Chain, createChain, deleteChain, poolReference } from './floor.ts';
import { inFlight } from './in-flight.ts';
import { at, claimOf, makeGround, makeMachine, nameOf } from './objects.ts';
import { passesText } from './passes.ts';
import type { Figures, Place } from './place.ts';
import { MADE_KINDS, type Sight } from './sight.ts';
import { sameWatches } from './watches.ts';

export const NAMESPACE = 'bench';

export type PhaseName = 'create' | 'delete';

/** One way, of the floor or of Pippin. Seconds from its first request. */
export interface Phase {
  readonly seconds: number;
  /** `rendered 1.2, bound 1.4`: when each was reached. */
  readonly steps: string;
  /** What it cost; absent of the floor. */
  readonly cost?: Cost;
}

/** Per claim, unless it says otherwise. */
export interface Cost {
  readonly writes: number;
  /** In all. */
  readonly liveReads: number;
  readonly relists: number;
  /** Events and coalesced status, in all. */
  readonly aside: number;
  readonly passes: number;
  readonly cpuMs: number;
  readonly residentMib: number;
}

export interface Run {
  readonly claims: number;
  readonly floor: Readonly<Record<PhaseName, Phase>>;
  readonly ours: Readonly<Record<PhaseName, Phase>>;
}

/** A fleet whose claims are yet to come. */
export interface Stage {
  readonly place: Place;
  readonly sight: Sight;
  readonly owners: readonly OwnerReference[];
}

export async function measured(place: Place, claims: number): Promise<Run> {
  const stage = await stageFor(place, claims);
  try {
    const watches = await sameWatches(place.target);
    const floor = await floorOf(stage).finally(() => watches.close());
    await startedManagers(place);
    return { claims, floor, ours: { create: await created(stage), delete: await deleted(stage) } };
  } finally {
    await stage.sight.close();
  }
}

export async function stageFor(place: Place, claims: number): Promise<Stage> {
  const { api } = place;
  await makeGround(api, NAMESPACE);
  const owners: OwnerReference[] = [];
  await inFlight(claims, async n => {
    owners[n] = await makeMachine(api, NAMESPACE, n);
  });
  const sight = place.sight(NAMESPACE);
  await sight.open();
  return { place, sight, owners };
}

async function floorOf({ place, sight, owners }: Stage): Promise<Run['floor']> {
  const { api } = place;
  const around = { api, namespace: NAMESPACE, owners, pool: await poolReference(api, NAMESPACE) };
  const chains: Chain[] = [];
  const create = await timed(sight, owners.length, () =>
    inFlight(owners.length, async n => {
      chains[n] = await createChain(around, n);
    }),
  );
  const remove = await timedToNothing(sight, () =>
    inFlight(chains.length, async n => {
      const chain = chains[n];
      if (chain !== undefined) await deleteChain(around, chain);
    }),
  );
  return { create, delete: remove };
}

/** Resolves once they have looked at everything that is there already. */
export async function startedManagers(place: Place): Promise<void> {
  await place.startManagers();
  await quiet(place);
}

export async function created(stage: Stage): Promise<Phase> {
  const { place, sight, owners } = stage;
  return costed(place, owners.length, () =>
    timed(sight, owners.length, () =>
      inFlight(owners.length, async n => {
        const owner = owners[n];
        if (owner !== undefined) await place.api.create(Metal3DataClaim, claimOf(NAMESPACE, n, owner));
      }),
    ),
  );
}

async function deleted({ place, sight, owners }: Stage): Promise<Phase> {
  return costed(place, owners.length, () =>
    timedToNothing(sight, () =>
      inFlight(owners.length, n => place.api.delete(Metal3DataClaim, at(NAMESPACE, nameOf(n)))),
    ),
  );
}

async function timed(sight: Sight, claims: number, work: () => Promise<void>): Promise<Phase> {
  const startMs = performance.now();
  const reached = Promise.all(
    ['rendered', 'bound', 'ready'].map(what => sight.since(startMs, count => count(what) >= claims)),
  );
  await work();
  const postedMs = performance.now() - startMs;
  const [rendered = 0, bound = 0, ready = 0] = await reached;
  const steps = `posted ${inSeconds(postedMs)}, rendered ${inSeconds(rendered)}, bound ${inSeconds(bound)}`;
  return { seconds: Math.max(rendered, bound, ready) / 1000, steps };
}

async function timedToNothing(sight: Sight, work: () => Promise<void>): Promise<Phase> {
  const startMs = performance.now();
  await work();
  const postedMs = performance.now() - startMs;
  const gone = await Promise.all(MADE_KINDS.map(({ kind }) => sight.since(startMs, count => count(kind) === 0)));
  const steps = MADE_KINDS.map(({ kind }, n) => `${kind} ${inSeconds(gone[n] ?? 0)}`).join(', ');
  return { seconds: Math.max(...gone) / 1000, steps: `asked ${inSeconds(postedMs)}, ${steps}` };
}

const inSeconds = (ms: number): string => (ms / 1000).toFixed(1);

async function costed(place: Place, claims: number, work: () => Promise<Phase>): Promise<Phase> {
  const before = await place.figures();
  const phase = await work();
  const after = await quiet(place);
  const calls = between(before.calls, after.calls);
  const passes = between(before.passes, after.passes);
  return {
    ...phase,
    steps: `${phase.steps}; passes per claim: ${passesText(passes, claims)}`,
    cost: {
      writes: writesIn(calls) / claims,
      liveReads: liveReadsIn(calls),
      relists: relistsIn(calls),
      aside: asideIn(calls),
      passes: [...passes.values()].reduce((total, count) => total + count, 0) / claims,
      cpuMs: (after.cpuMs - before.cpuMs) / claims,
      residentMib: residentMib([place.programPid]),
    },
  };
}

const LOOK_MS = 1_500;

/** The figures once nothing is asked of the API any more. */
async function quiet(place: Place): Promise<Figures> {
  let before = await place.figures();
  for (;;) {
    await new Promise(resolve => setTimeout(resolve, LOOK_MS));
    const after = await place.figures();
    if (between(before.calls, after.calls).size === 0) return after;
    before = after;
  }
}
