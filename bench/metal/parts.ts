// The parts of the bench: claims made and deleted on each API, and everything torn down at once.

import { IPPool } from '../../src/kinds/generated/ip-pool.generated.ts';
import { Metal3Data } from '../../src/kinds/generated/metal3-data.generated.ts';
import { Metal3DataClaim } from '../../src/kinds/generated/metal3-data-claim.generated.ts';
import { Metal3DataTemplate } from '../../src/kinds/generated/metal3-data-template.generated.ts';
import { metal3DataName } from '../../src/kinds/metal-wire.ts';
import { isNotFound } from '../../src/kube/errors.ts';
import type { Kind } from '../../src/kube/kind.ts';
import { between, writesIn } from './calls.ts';
import { inFlight } from './in-flight.ts';
import { at, makeTemplateAndPool, nameOf, POOL, TEMPLATE } from './objects.ts';
import { passesText } from './passes.ts';
import { type Place, type PlaceName, startPlace } from './place.ts';
import { growthRows, type Row, rowsOf, teardownRow } from './rows.ts';
import { created, measured, NAMESPACE, type Run, type Stage, stageFor, startedManagers } from './run.ts';
import { MADE_KINDS } from './sight.ts';

export interface Options {
  /** Numbers of claims, growing. */
  readonly sizes: readonly number[];
  readonly teardowns: readonly Teardown[];
  /** Where the managers' CPU profiles go. */
  readonly profileTo?: string;
  readonly say: (line: string) => void;
}

interface Teardown {
  readonly machines: number;
  readonly times: number;
  readonly mostSeconds: number;
}

export interface Part {
  readonly title: string;
  run(options: Options): Promise<readonly Row[]>;
}

/** Each size on servers of its own. */
const claimsOn =
  (name: PlaceName): Part['run'] =>
  async options => {
    const runs: Run[] = [];
    const rows: Row[] = [];
    for (const claims of options.sizes) {
      const run = await onPlace(name, options, place => measured(place, claims));
      for (const phase of ['create', 'delete'] as const) {
        const { floor, ours } = run;
        options.say(`  ${claims} claims, ${phase}: floor ${floor[phase].seconds.toFixed(1)} s (${floor[phase].steps})`);
        options.say(`  ${claims} claims, ${phase}: pippin ${ours[phase].seconds.toFixed(1)} s (${ours[phase].steps})`);
      }
      runs.push(run);
      rows.push(...rowsOf(name, run));
    }
    return [...rows, ...growthRows(name, runs)];
  };

async function onPlace<R>(name: PlaceName, { profileTo }: Options, work: (place: Place) => Promise<R>): Promise<R> {
  const place = await startPlace(name, profileTo);
  try {
    return await work(place);
  } finally {
    await place.stop();
  }
}

async function teardowns(options: Options): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (const { machines, times, mostSeconds } of options.teardowns) {
    const seconds = await onPlace('real', options, async place => {
      const stage = await stageFor(place, machines);
      await startedManagers(place);
      const taken: number[] = [];
      for (let n = 0; n < times; n++) {
        await created(stage);
        const before = await place.figures();
        taken.push(await tornDown(stage));
        const after = await place.figures();
        const writes = writesIn(between(before.calls, after.calls)) / machines;
        const passes = passesText(between(before.passes, after.passes), machines);
        const cpuMs = (after.cpuMs - before.cpuMs) / machines;
        options.say(
          `  ${machines} machines: ${taken.at(-1)?.toFixed(2)} s; per machine ${writes.toFixed(2)} writes, ${cpuMs.toFixed(1)} ms of the managers' CPU; passes: ${passes}`,
        );
        await makeTemplateAndPool(place.api, NAMESPACE);
      }
      await stage.sight.close();
      return taken;
    });
    rows.push(teardownRow(machines, seconds, mostSeconds));
  }
  return rows;
}

/** Claims, Data, the Template and the pool are deleted in the same instant; seconds until nothing is left of anything. */
async function tornDown({ place: { api }, sight, owners }: Stage): Promise<number> {
  const doomed: readonly (readonly [Kind, string])[] = [
    [Metal3DataTemplate, TEMPLATE],
    [IPPool, POOL],
    ...owners.map((_, n) => [Metal3DataClaim, nameOf(n)] as const),
    ...owners.map((_, n) => [Metal3Data, metal3DataName(TEMPLATE, n)] as const),
  ];
  const startMs = performance.now();
  await inFlight(doomed.length, async n => {
    const [kind, name] = doomed[n] ?? [];
    if (kind !== undefined) await api.delete(kind, at(NAMESPACE, name ?? '')).catch(unlessGone);
  });
  const all = [...MADE_KINDS, Metal3DataTemplate, IPPool];
  const goneMs = await sight.since(startMs, count => all.every(({ kind }) => count(kind) === 0));
  return goneMs / 1000;
}

/** What went before its turn came needs no deletion. */
function unlessGone(error: unknown): void {
  if (!isNotFound(error)) throw error;
}

export const PARTS: Readonly<Record<string, Part>> = {
  real: { title: 'Claims on kube-apiserver with etcd and kube-controller-manager', run: claimsOn('real') },
  embedded: { title: 'Claims on the embedded API, all in one process', run: claimsOn('embedded') },
  teardown: { title: 'Everything at once, on kube-apiserver', run: teardowns },
};
