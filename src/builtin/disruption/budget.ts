// What a PodDisruptionBudget comes to: how many Pods are healthy, how many must be, and how many may go now.

import { kindOf } from '../../kube/kind.ts';
import type { Condition, KubeObject } from '../../kube/object.ts';
import type { LabelSelector } from '../selectors.ts';

export interface BudgetStatus {
  readonly observedGeneration?: number;
  /** Evictions that were granted and are not seen yet: Pod name to Kubernetes Time. */
  readonly disruptedPods?: Readonly<Record<string, string>>;
  readonly disruptionsAllowed?: number;
  readonly currentHealthy?: number;
  readonly desiredHealthy?: number;
  readonly expectedPods?: number;
  readonly conditions?: readonly Condition[];
}

export interface Budget extends KubeObject {
  readonly spec?: {
    readonly minAvailable?: number | string;
    readonly maxUnavailable?: number | string;
    readonly selector?: LabelSelector;
  };
  readonly status?: BudgetStatus;
}
export const Budget = kindOf<Budget>('policy/v1', 'PodDisruptionBudget', 'poddisruptionbudgets', 'Namespaced');

/** Pods as they are counted: all that are selected, those that are healthy, and how many their owners want. */
export interface Count {
  readonly selected: number;
  readonly healthy: number;
  readonly wanted: number;
}

/** Percentages are rounded up, whichever side they are on, as Kubernetes does it. */
export function goals(
  spec: NonNullable<Budget['spec']>,
  count: Count,
): { readonly desired: number; readonly expected: number } {
  const { minAvailable, maxUnavailable } = spec;
  if (maxUnavailable !== undefined) {
    const expected = count.wanted;
    return { expected, desired: Math.max(0, expected - scaled(maxUnavailable, expected)) };
  }
  if (typeof minAvailable === 'number') return { expected: count.selected, desired: minAvailable };
  return { expected: count.wanted, desired: scaled(minAvailable ?? 0, count.wanted) };
}

function scaled(value: number | string, total: number): number {
  if (typeof value === 'number') return value;
  return Math.ceil((Number.parseInt(value, 10) * total) / 100);
}
