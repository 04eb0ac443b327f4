// A controller runs where all kinds that it follows are served: without one of them it is off, says so, and comes on with it
// (metal-P2).

import { linkedSignal } from '../../base/linked-signal.ts';
import type { Caches } from '../../kube/cache.ts';
import type { KubeWorld } from '../../kube/controller.ts';
import { type Kind, resourceName } from '../../kube/kind.ts';
import { emptyCacheOf } from '../../kube/no-cache.ts';
import type { Runnable } from '../../kube/run.ts';
import type { ControllerStates } from './controller-states.ts';
import { tellHeldDeletions } from './held-deletions.ts';
import type { ServedKinds } from './served-kinds.ts';

export interface Serving {
  readonly served: ServedKinds;
  readonly states: ControllerStates;
}

export function whileServed<W extends KubeWorld>(runnable: Runnable<W>, serving: Serving): Runnable<W> {
  return {
    ...runnable,
    start: async (world, signal) => {
      while (!signal.aborted) {
        await allServed(runnable, serving, { world, signal });
        if (signal.aborted) return;
        await untilMissing(runnable, serving, { world, signal });
      }
    },
  };
}

interface Term<W> {
  readonly world: W;
  readonly signal: AbortSignal;
}

/** Of the same kind in other words once: `metal3datas.infrastructure.cluster.x-k8s.io, ...`. */
function missingOf<W>({ kinds = [] }: Runnable<W>, { served }: Serving): readonly string[] {
  return [...new Set(served.missing(kinds).map(kind => served.textOf(kind)))];
}

/** Its own kind, which is its first, where that is served. */
function ownKindOf<W>({ kinds = [] }: Runnable<W>, { served }: Serving): Kind | undefined {
  const [own] = kinds;
  return own !== undefined && served.isKnown && served.missing([own]).length === 0 ? own : undefined;
}

/** Resolves when nothing is missing, or the signal aborts. */
async function allServed<W extends KubeWorld>(runnable: Runnable<W>, serving: Serving, term: Term<W>): Promise<void> {
  const { world, signal } = term;
  const { promise, resolve } = Promise.withResolvers<void>();
  const look = (): void => {
    const missing = missingOf(runnable, serving);
    if (missing.length === 0) resolve();
    else if (serving.served.isKnown) serving.states.off(runnable.name, missing, world.log);
  };
  const unsubscribe = serving.served.onChange(look);
  const giveUp = (): void => resolve();
  signal.addEventListener('abort', giveUp, { once: true });
  look();
  const over = new AbortController();
  const off = {
    name: runnable.name,
    kind: () => ownKindOf(runnable, serving),
    missing: () => missingOf(runnable, serving),
  };
  const telling = tellHeldDeletions(off, world, over.signal);
  await promise;
  signal.removeEventListener('abort', giveUp);
  unsubscribe();
  over.abort(new Error('all its kinds are served, or it ends'));
  await telling;
}

/** Those that it can do without and has to: `kinds` as `resourceName` says them. */
function dispensedWith<W>({ dispensable = [] }: Runnable<W>, { served }: Serving): readonly string[] {
  return [...new Set(served.missing(dispensable).map(resourceName))].sort();
}

/** Its world where some kinds are not served: nothing is asked for them, and their caches are empty. */
function worldWithout<W extends KubeWorld>(world: W, without: readonly string[]): W {
  if (without.length === 0) return world;
  const serves = (kind: Kind): boolean => !without.includes(resourceName(kind));
  const caches: Caches = {
    of: (kind, selection) => (serves(kind) ? world.caches.of(kind, selection) : emptyCacheOf(kind)),
  };
  return { ...world, caches, serves };
}

/** Runs it until it has stopped: with the signal, or because a kind is served no more or one that it did without now is. */
async function untilMissing<W extends KubeWorld>(
  runnable: Runnable<W>,
  serving: Serving,
  { world, signal }: Term<W>,
): Promise<void> {
  const off = new AbortController();
  const without = dispensedWith(runnable, serving);
  const unsubscribe = serving.served.onChange(() => {
    const missing = missingOf(runnable, serving);
    if (missing.length > 0) off.abort(new Error(`${missing.join(', ')} is served no more`));
    if (dispensedWith(runnable, serving).join() !== without.join()) off.abort(new Error('other kinds are served now'));
  });
  const either = linkedSignal(signal, off.signal);
  serving.states.on(runnable.name, world.log, without);
  try {
    await runnable.start(worldWithout(world, without), either.signal);
  } finally {
    either.release();
    unsubscribe();
    serving.states.ended(runnable.name);
  }
}
