// A controller runs where all kinds that it follows are served: without one of them it is off, says so, and comes on with it
// (metal-P2).

import { linkedSignal } from '../../base/linked-signal.ts';
import type { KubeWorld } from '../../kube/controller.ts';
import { resourceName } from '../../kube/kind.ts';
import type { Runnable } from '../../kube/run.ts';
import type { ControllerStates } from './controller-states.ts';
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

/** `*` of the same kind in other words: `metal3datas.infrastructure.cluster.x-k8s.io, ...`. */
function missingOf<W>({ kinds = [] }: Runnable<W>, { served }: Serving): readonly string[] {
  return [...new Set(served.missing(kinds).map(resourceName))];
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
  await promise;
  signal.removeEventListener('abort', giveUp);
  unsubscribe();
}

/** Runs it until it has stopped: with the signal, or because a kind is served no more. */
async function untilMissing<W extends KubeWorld>(
  runnable: Runnable<W>,
  serving: Serving,
  { world, signal }: Term<W>,
): Promise<void> {
  const off = new AbortController();
  const unsubscribe = serving.served.onChange(() => {
    const missing = missingOf(runnable, serving);
    if (missing.length > 0) off.abort(new Error(`${missing.join(', ')} is served no more`));
  });
  const either = linkedSignal(signal, off.signal);
  serving.states.on(runnable.name, world.log);
  try {
    await runnable.start(world, either.signal);
  } finally {
    either.release();
    unsubscribe();
  }
}
