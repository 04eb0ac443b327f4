// Conditions: how a list of them changes, and when their time of transition does.

import { kubeTime } from '../base/clock.ts';
import type { Condition, KubeObject } from './object.ts';

/** A condition as it is to be, without the time, which follows from what it was. `null` as status removes it. */
export type Verdict = Omit<Condition, 'lastTransitionTime'> | { readonly type: string; readonly status: null };

/** Nothing is wrong, or wrong any more. */
export const asExpected = (type: string) =>
  ({ type, status: 'True', reason: 'AsExpected', message: '' }) satisfies Verdict;

interface WithConditions extends KubeObject {
  readonly status?: { readonly conditions?: readonly Condition[] };
}

/** The conditions that an object carries. */
export const conditionsOf = (object: KubeObject): readonly Condition[] =>
  (object as WithConditions).status?.conditions ?? [];

/** One condition of an object, by type. */
export const conditionOf = (object: KubeObject, type: string): Condition | undefined =>
  conditionsOf(object).find(condition => condition.type === type);

export const isTrue = (object: KubeObject, type: string): boolean => conditionOf(object, type)?.status === 'True';

/** `current` with these verdicts: in place where the type is there, else at the end. The time moves only when the status flips. */
export function withVerdicts(
  current: readonly Condition[],
  verdicts: readonly Verdict[],
  nowMs: number,
): readonly Condition[] {
  const before = new Map(current.map(condition => [condition.type, condition]));
  const after = new Map(before);
  for (const verdict of verdicts) {
    if (verdict.status === null) after.delete(verdict.type);
    else after.set(verdict.type, timed(verdict, before.get(verdict.type), nowMs));
  }
  return [...after.values()];
}

function timed(
  verdict: Omit<Condition, 'lastTransitionTime'>,
  before: Condition | undefined,
  nowMs: number,
): Condition {
  const stays = before?.status === verdict.status && before.lastTransitionTime !== undefined;
  return { ...verdict, lastTransitionTime: stays ? before.lastTransitionTime : kubeTime(nowMs) };
}
