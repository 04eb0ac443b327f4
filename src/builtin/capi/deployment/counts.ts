// What a deployment has, counted over its sets, and what that amounts to.

import type { MachineDeployment } from '../../../kinds/generated/machine-deployment.generated.ts';
import type { MachineSet } from '../../../kinds/generated/machine-set.generated.ts';
import { absoluteOf, strategyOf } from '../spelling.ts';

export interface Counts {
  readonly replicas: number;
  readonly readyReplicas: number;
  readonly availableReplicas: number;
  readonly upToDateReplicas: number;
}

export function countsOf(sets: readonly MachineSet[], current: MachineSet | undefined): Counts {
  const total = (count: (set: MachineSet) => number | undefined): number =>
    sets.reduce((sum, set) => sum + (count(set) ?? 0), 0);
  return {
    replicas: total(set => set.status?.replicas),
    readyReplicas: total(set => set.status?.readyReplicas),
    availableReplicas: total(set => set.status?.availableReplicas),
    upToDateReplicas: current?.status?.upToDateReplicas ?? 0,
  };
}

/** What is waited for; undefined when as many are available as the strategy asks for. */
export function availabilityOf(deployment: MachineDeployment, counts: Counts): string | undefined {
  const replicas = deployment.spec.replicas ?? 1;
  const { type, maxUnavailable } = strategyOf(deployment.spec);
  const mayLack = type === 'OnDelete' ? 0 : absoluteOf(maxUnavailable, replicas, 'down');
  const needed = replicas - mayLack;
  if (counts.availableReplicas >= needed) return undefined;
  return `${needed} available Machines; there are ${counts.availableReplicas}`;
}

/** Cluster API's one-word summary. */
export function phaseOf(deployment: MachineDeployment, counts: Counts): string {
  const replicas = deployment.spec.replicas ?? 1;
  if (counts.replicas > replicas) return 'ScalingDown';
  return counts.replicas < replicas || counts.readyReplicas < replicas ? 'ScalingUp' : 'Running';
}
