// What the Metal3 provider offers to whoever wires a fleet: its controllers, as they are ready to be started.

import type { Runnable } from '../kube/run.ts';
import type { MetalWorld } from './world.ts';

export function metalControllers(): readonly Runnable<MetalWorld>[] {
  return [];
}
