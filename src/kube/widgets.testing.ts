// Widgets and a controller over them, for the tests of this folder.

import { conditionOf } from './conditions.ts';
import type { KubeWorld, StepController } from './controller.ts';
import { kindOf } from './kind.ts';
import { aKubeWorld, type TestWorld } from './kube-world.testing.ts';
import type { Condition, KubeObject } from './object.ts';
import type { Outcome } from './outcome.ts';
import { controller, type Runnable, runControllers } from './run.ts';

export interface Widget extends KubeObject {
  readonly spec?: { readonly size?: number };
  readonly status?: { readonly phase?: string; readonly conditions?: readonly Condition[] };
}
export const Widget = kindOf<Widget>('pippin.dev/v1', 'Widget', 'widgets', 'Namespaced');
export const KEY = { namespace: 'default', name: 'w' };
export const FINALIZER = 'pippin.dev/widget';

export const aWidget = (name = 'w'): Widget => ({
  apiVersion: 'pippin.dev/v1',
  kind: 'Widget',
  metadata: { name, namespace: 'default' },
  spec: {},
});

type Steps = Partial<StepController<Widget, KubeWorld>>;

export const widgets = (steps: Steps): Runnable<KubeWorld> => controller({ name: 'widgets', kind: Widget, ...steps });

export const step = (condition: string, run: (widget: Widget, world: KubeWorld) => Promise<Outcome> | Outcome) => ({
  condition,
  run: async (widget: Widget, world: KubeWorld) => run(widget, world),
});

/** Runs these over one widget until everything has settled. */
export async function running(
  ...controllers: readonly Runnable<KubeWorld>[]
): Promise<TestWorld & { stop: () => Promise<void> }> {
  const world = aKubeWorld();
  await world.api.create(Widget, aWidget());
  const stopping = new AbortController();
  const ended = runControllers(world, controllers, stopping.signal);
  await world.clock.advance(0);
  const stop = async (): Promise<void> => {
    stopping.abort();
    await ended;
    await world.caches.stop();
  };
  return { ...world, stop };
}

export const shown = async (world: TestWorld, type: string): Promise<string> => {
  const { status, reason, message } = conditionOf(await world.api.get(Widget, KEY), type) ?? {};
  return `${status} ${reason}: ${message}`;
};
