// What can be odd about one simulated host: how long its steps take, which fail or never end, and what its Node is like.

import { seconds } from '../../src/base/clock.ts';

/** The states that a host is brought to, the power switch, and the two things around them. */
export type StepName =
  | 'taken on'
  | 'restored'
  | 'registering'
  | 'inspecting'
  | 'preparing'
  | 'available'
  | 'externally provisioned'
  | 'provisioning'
  | 'provisioned'
  | 'deprovisioning'
  | 'powering off before delete'
  | 'deleting'
  | 'gone'
  | 'power on'
  | 'power off'
  /** From power to a Node in the workload cluster. */
  | 'node';

/** What the host's kubelet registers; `usual` is one Node with the host's name and UID. */
export type NodeQuirk = 'usual' | 'never' | 'wrong hostname' | 'no uuid label' | 'provider id set' | 'two alike';

export interface HostQuirks {
  /** How long it takes until a step is done, instead of the usual time. */
  readonly delaysMs?: Partial<Record<StepName, number>>;
  /** Steps that fail with this message, as long as it is here. */
  readonly errors?: Partial<Record<StepName, string>>;
  /** Steps that never end, as long as they are here. */
  readonly stuck?: readonly StepName[];
  readonly node?: NodeQuirk;
}

const USUAL_MS: Record<StepName, number> = {
  'taken on': 0,
  restored: 0,
  registering: 0,
  inspecting: seconds(2),
  preparing: seconds(20),
  available: seconds(5),
  'externally provisioned': seconds(2),
  provisioning: seconds(1),
  provisioned: seconds(30),
  deprovisioning: seconds(1),
  'powering off before delete': seconds(10),
  deleting: seconds(3),
  gone: seconds(1),
  'power on': seconds(3),
  'power off': seconds(3),
  node: seconds(10),
};

export const delayOf = (step: StepName, { delaysMs }: HostQuirks): number => delaysMs?.[step] ?? USUAL_MS[step];

/** Every step takes `ms`: for runs in which only the order of things matters. */
export function allStepsTake(ms: number): Record<StepName, number> {
  return Object.fromEntries(Object.keys(USUAL_MS).map(name => [name, ms])) as Record<StepName, number>;
}
