// The Metal3 provider and its address manager as programs: each half alone, beside our other half or upstream's.

import { noMetrics } from '../base/metrics.ts';
import { ipamControllers } from '../ipam/index.ts';
import type { IpamSettings } from '../ipam/world.ts';
import type { KubeWorld } from '../kube/controller.ts';
import { type Runnable, runControllers } from '../kube/run.ts';
import { metalControllers } from '../metal/index.ts';
import type { MetalSettings, MetalWorld } from '../metal/world.ts';
import type { Program } from './controllers.ts';
import { type Reach, reaching } from './reach.ts';
import { type Scope, scoped } from './scope.ts';
import { ControllerStates } from './served/controller-states.ts';
import { ServedKinds } from './served/served-kinds.ts';
import { whileServed } from './served/while-served.ts';
import type { OpenWorld } from './world.ts';

export interface HalfOptions {
  readonly world: OpenWorld;
  readonly scope?: Scope;
  /** Where it is told which controllers are off. */
  readonly states?: ControllerStates;
}

export type MetalManagerOptions = HalfOptions & Reach & { readonly settings: MetalSettings };

/** The Metal3 provider's controllers. */
export function metalManager({ settings, ...half }: MetalManagerOptions): Program {
  return signal => {
    const world = scoped(half.world, half.scope ?? {});
    return reaching(half, world, workload =>
      whileTheirKindsAreServed<MetalWorld>({ ...world, settings, workload }, metalControllers(), half)(signal),
    );
  };
}

/** The address manager's controllers; with its usual settings unless told otherwise. */
export function ipamManager({ settings, ...half }: HalfOptions & { readonly settings?: IpamSettings }): Program {
  return whileTheirKindsAreServed(scoped(half.world, half.scope ?? {}), ipamControllers(settings), half);
}

function whileTheirKindsAreServed<W extends KubeWorld>(
  world: W,
  controllers: readonly Runnable<W>[],
  { world: open, states = new ControllerStates(noMetrics) }: HalfOptions,
): Program {
  const served = new ServedKinds(
    open,
    controllers.flatMap(({ kinds = [], dispensable = [] }) => [...kinds, ...dispensable]),
  );
  const serving = { served, states };
  return async signal => {
    const running = controllers.map(each => whileServed(each, serving));
    await Promise.all([served.run(signal), runControllers(world, running, signal)]);
  };
}
