// Conditions put beside those that an object has: the transition time moves only with the status.

import { kubeTime } from '../base/clock.ts';
import type { Condition } from '../kube/object.ts';

type NewCondition = Omit<Condition, 'lastTransitionTime'>;

/** The whole list with `wanted` in it; undefined when that changes nothing. */
export function mergeConditions<C extends Condition>(
  have: readonly C[],
  wanted: readonly NewCondition[],
  nowMs: number,
): readonly Condition[] | undefined {
  const changed = wanted.filter(condition => !have.some(existing => says(existing, condition)));
  if (changed.length === 0) return undefined;
  const merged = changed.map(condition => {
    const before = have.find(existing => existing.type === condition.type);
    const since = before?.status === condition.status ? before.lastTransitionTime : undefined;
    return { ...before, ...condition, lastTransitionTime: since ?? kubeTime(nowMs) };
  });
  const kept = have.map(existing => merged.find(condition => condition.type === existing.type) ?? existing);
  return [...kept, ...merged.filter(condition => !have.some(existing => existing.type === condition.type))];
}

function says(existing: Condition, wanted: NewCondition): boolean {
  return Object.entries(wanted).every(([field, value]) => existing[field as keyof NewCondition] === value);
}
