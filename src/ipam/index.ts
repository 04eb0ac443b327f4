// What the address manager offers to whoever wires a fleet: its controllers, as they are ready to be started.

import type { KubeWorld } from '../kube/controller.ts';
import type { Runnable } from '../kube/run.ts';

export function ipamControllers(): readonly Runnable<KubeWorld>[] {
  return [];
}
