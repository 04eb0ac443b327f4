// Counts the passes of the measured program's controllers, by controller.

import { type Metrics, noMetrics } from '../../src/base/metrics.ts';

/** How often each controller looked at an object. */
export type Passes = ReadonlyMap<string, number>;

export class PassCount {
  private readonly counts = new Map<string, number>();

  /** Metrics of which the passes are kept. */
  readonly metrics: Metrics = {
    ...noMetrics,
    histogram: ({ name }) => ({ observe: (_seconds, labels) => this.note(name, labels?.controller) }),
  };

  soFar(): Passes {
    return new Map(this.counts);
  }

  private note(name: string, controller: string | undefined): void {
    if (name !== 'pippin_pass_seconds' || controller === undefined) return;
    this.counts.set(controller, (this.counts.get(controller) ?? 0) + 1);
  }
}

/** `metal3-data 2.0, ipam-claim 1.0`: of each object's passes between two looks, the most first. */
export function passesText(passes: Passes, objects: number): string {
  return [...passes]
    .sort(([, one], [, other]) => other - one)
    .map(([controller, count]) => `${controller} ${(count / objects).toFixed(1)}`)
    .join(', ');
}
