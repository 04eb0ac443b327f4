// Runs controllers against a world: those made of steps, those that are one function by key, and those on a timer.

import { invariant, messageOf } from '../base/errors.ts';
import { Alarm } from './alarm.ts';
import { Concluded, concludingApi } from './concluded.ts';
import type { KeyController, KubeWorld, Periodic, StepController } from './controller.ts';
import { type Keyed, kindOfRead, runKeyed, worldOf } from './keyed.ts';
import { type Kind, resourceName } from './kind.ts';
import type { KubeObject, ObjectKey } from './object.ts';
import { isOutside, type Outcome } from './outcome.ts';
import { OwnWrites } from './own-writes.ts';
import { type PassResult, recheckOf, refuseUnwatched, StepPass } from './step-pass.ts';

/** A controller of whatever make, ready to be started. */
export interface Runnable<W> {
  readonly name: string;
  /** Kinds that it follows, its own first: it works only where they are served. Left out: none that could be missing. */
  readonly kinds?: readonly Kind[];
  /** Further kinds that it follows where they are served: it is started anew when one comes or goes. */
  readonly dispensable?: readonly Kind[];
  /** Resolves once it has stopped: after `signal` aborts and its last pass has ended. */
  start(world: W, signal: AbortSignal): Promise<void>;
}

/** A controller made of steps. */
export function controller<T extends KubeObject, W extends KubeWorld>(steps: StepController<T, W>): Runnable<W> {
  const watched = watchedBy(steps);
  const pass = async (_key: ObjectKey, object: KubeObject | undefined, world: W): Promise<PassResult> =>
    object === undefined ? { outcome: 'done' } : new StepPass(steps, object as T, world, watched).run();
  return keyed({ ...shapeOf(steps), pass });
}

/** A controller that is one function. */
export function keyController<W extends KubeWorld>(one: KeyController<W>): Runnable<W> {
  const watched = watchedBy(one);
  const pass = async (key: ObjectKey, object: KubeObject | undefined, world: W): Promise<PassResult> => {
    const concluded = one.echoes === 'spared' ? new Concluded() : undefined;
    const outcome = await one.pass(key, object, concluded === undefined ? world : concluding(world, concluded));
    refuseUnwatched(outcome, one.name, watched);
    invariant(outcome.change === undefined, `${one.name} writes for itself: a change in its outcome would be lost`);
    return { ...resultOf(outcome, recheckOf(outcome, world)), ...(concluded === undefined ? {} : { concluded }) };
  };
  return keyed({ ...shapeOf(one), pass }, one.dispensable);
}

/** A loop on a timer. A pass that fails is counted and logged; the next one comes all the same. */
export function periodic<W extends KubeWorld>(loop: Periodic<W>): Runnable<W> {
  return { name: loop.name, start: (world, signal) => runPeriodic(loop, world, signal) };
}

/** Runs them all; resolves once all have stopped. */
export async function runControllers<W extends KubeWorld>(
  world: W,
  controllers: readonly Runnable<W>[],
  signal: AbortSignal,
): Promise<void> {
  const names = new Set(controllers.map(({ name }) => name));
  invariant(names.size === controllers.length, 'every controller has a name of its own', [...names]);
  await Promise.all(controllers.map(each => each.start(world, signal)));
}

function keyed<W extends KubeWorld>(what: Keyed<W>, dispensable: readonly Kind[] = []): Runnable<W> {
  const others = [...(what.wokenBy ?? []).map(({ kind }) => kind), ...(what.reads ?? []).map(kindOfRead)];
  const spared = new Set(dispensable.map(resourceName));
  const kinds = [what.kind, ...others].filter(kind => !spared.has(resourceName(kind)));
  return { name: what.name, kinds, dispensable, start: (world, signal) => runKeyed(what, world, signal) };
}

/** The world as one pass sees it: its writes are noted. */
const concluding = <W extends KubeWorld>(world: W, concluded: Concluded): W =>
  Object.assign(Object.create(world), { api: concludingApi(world.api, concluded) });

type Shape<W> = Omit<Keyed<W>, 'pass'>;

function shapeOf<W>({ name, kind, selection, wokenBy, reads, workers, heeds, wakes }: Shape<W>): Shape<W> {
  return {
    name,
    kind,
    ...(selection === undefined ? {} : { selection }),
    ...(wokenBy === undefined ? {} : { wokenBy }),
    ...(reads === undefined ? {} : { reads }),
    ...(workers === undefined ? {} : { workers }),
    ...(heeds === undefined ? {} : { heeds }),
    ...(wakes === undefined ? {} : { wakes }),
  };
}

/** Kinds whose changes wake a controller, so that it may wait on them. */
function watchedBy(one: { readonly kind: Kind; readonly wokenBy?: readonly { readonly kind: Kind }[] }): Set<string> {
  return new Set([one.kind, ...(one.wokenBy ?? []).map(({ kind }) => kind)].map(resourceName));
}

function resultOf(outcome: Outcome, recheckMs: number | undefined): PassResult {
  const on = outcome.kind === 'wait' && !isOutside(outcome.on) ? outcome.on : undefined;
  return {
    outcome: outcome.kind === 'wait' ? 'waiting' : 'done',
    ...(on === undefined ? {} : { on }),
    ...(recheckMs === undefined ? {} : { recheckMs }),
  };
}

async function runPeriodic<W extends KubeWorld>(loop: Periodic<W>, world: W, signal: AbortSignal): Promise<void> {
  const writes = new OwnWrites(world.clock, loop.reads ?? []);
  const own = worldOf(world, loop.name, writes);
  const caches = (loop.reads ?? []).map(kind => world.caches.of(kind));
  const failures = world.metrics.counter({
    name: 'pippin_periodic_failures_total',
    help: 'Passes of timed loops that failed; the next one comes all the same',
    labels: ['loop'],
  });
  const alarm = new Alarm(world.clock);
  loop.wakes?.(own, () => alarm.ring());
  try {
    await world.clock.sleep(loop.firstAfterMs, signal);
    await Promise.all(caches.map(cache => cache.whenSynced(signal)));
    while (!signal.aborted) {
      const caughtUp = Promise.all(caches.map(cache => writes.shownBy(cache, signal)));
      await caughtUp
        .then(() => loop.pass(own))
        .catch((error: unknown) => {
          if (signal.aborted) return;
          failures.add({ loop: loop.name });
          own.log.error('A timed pass failed; the next one comes all the same', { error: messageOf(error) });
        });
      await alarm.sleep(loop.everyMs, signal);
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
