// VMs that run although no Pod has them: somebody took a Pod's finalizer off by force. They are stopped, never at first sight.

import type { Clock } from '../../base/clock.ts';
import { messageOf } from '../../base/errors.ts';
import type { Log } from '../../base/log.ts';
import type { VmRuntime } from '../vm-runtime.ts';
import { orphansIn } from './plan.ts';
import type { DiskView } from './view.ts';

/** A Pod list that came back empty by mistake must not end what runs: two complete ones, this far apart, have to agree. */
const SEEN_APART_MS = 60_000;
const STOP_SECONDS = 30;

export interface StrayWorld {
  readonly runtime: VmRuntime;
  readonly clock: Clock;
  readonly log: Log;
}

/** `firstSeen` is kept between looks. A stopped stray is an orphan like any other, and goes in the same collection's plan or the next. */
export async function stopStrays(view: DiskView, firstSeen: Map<string, number>, world: StrayWorld): Promise<void> {
  const running = orphansIn(view).filter(vm => vm.life === 'running');
  for (const name of [...firstSeen.keys()]) if (!running.some(vm => vm.name === name)) firstSeen.delete(name);
  for (const { name } of running) {
    const since = firstSeen.get(name) ?? world.clock.monotonic();
    firstSeen.set(name, since);
    if (world.clock.monotonic() - since >= SEEN_APART_MS) await stop(name, world);
  }
}

async function stop(name: string, { runtime, log }: StrayWorld): Promise<void> {
  log.warn('a VM runs that no Pod has; it is stopped', { vm: name });
  try {
    await runtime.stop(name, STOP_SECONDS);
  } catch (error) {
    log.warn('a VM that no Pod has could not be stopped yet', { vm: name, error: messageOf(error) });
  }
}
