// Follows bare-metal machines through the caches: tells what is new, and says when all that there are have their Nodes.

import { Metal3Machine } from '../../kinds/generated/metal3-machine.generated.ts';
import type { Program } from '../controllers.ts';
import { isUp, metalProgressOf } from './metal-progress.ts';
import { newLines, type Told } from './progress.ts';
import { onChanges, type Watching } from './watching.ts';

/** Tells every new line until the signal aborts. */
export function tellingMetal({ world, say }: Pick<Watching, 'world' | 'say'>): Program {
  const machines = world.caches.of(Metal3Machine);
  return signal => {
    let told: Told = new Map();
    const look = (): void => {
      const now = metalProgressOf(machines.list());
      for (const line of newLines(told, now)) say(line);
      told = now;
    };
    return onChanges(world, [machines], look, signal);
  };
}

/** Resolves with how many machines there are, once all of them are up. Rejects with the signal's reason. */
export async function metalIsUp({ world }: Pick<Watching, 'world'>, signal: AbortSignal): Promise<number> {
  const machines = world.caches.of(Metal3Machine);
  const enough = new AbortController();
  const look = (): void => {
    if (machines.list().every(isUp)) enough.abort();
  };
  await onChanges(world, [machines], look, AbortSignal.any([signal, enough.signal]));
  signal.throwIfAborted();
  return machines.list().length;
}
