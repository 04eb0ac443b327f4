// Conditions put beside those that an object has, and whether that changes anything: what says the same is not written.

import { withVerdicts } from '../kube/conditions.ts';
import type { Condition } from '../kube/object.ts';

type NewCondition = Omit<Condition, 'lastTransitionTime'>;

/** The whole list with `wanted` in it; undefined when that changes nothing. */
export function mergeConditions(
  have: readonly Condition[],
  wanted: readonly NewCondition[],
  nowMs: number,
): readonly Condition[] | undefined {
  const changed = wanted.filter(condition => !have.some(existing => says(existing, condition)));
  return changed.length === 0 ? undefined : withVerdicts(have, changed, nowMs);
}

function says(existing: Condition, wanted: NewCondition): boolean {
  return Object.entries(wanted).every(([field, value]) => existing[field as keyof NewCondition] === value);
}
