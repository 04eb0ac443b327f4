// What the Mac provider offers to whoever wires a fleet: its controllers, their settings, and what machines have on record.

import { controller, keyController, type Runnable } from '../kube/run.ts';
import { tuistCluster } from './cluster/controller.ts';
import { macMachine } from './machine/controller.ts';
import { phaseMetric } from './machine/phase-metric.ts';
import type { MacWorld } from './world.ts';

export interface MacControllerOptions {
  /** Machines at once; a set-up takes minutes on real hosts. 4 unless told otherwise. */
  readonly workers?: number;
}

export function macControllers({ workers = 4 }: MacControllerOptions = {}): readonly Runnable<MacWorld>[] {
  return [controller({ ...macMachine, workers }), keyController(phaseMetric()), controller(tuistCluster)];
}
