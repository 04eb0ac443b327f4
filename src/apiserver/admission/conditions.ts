// Match conditions: expressions that a request must meet before a webhook or policy is about it.

import type { JsonObject } from '../parts.ts';
import { isObject, listAt, stringAt } from '../rules/json.ts';
import {
  type Expression,
  evaluated,
  expression,
  type Inputs,
  Meter,
  REQUEST_SCOPE,
  type Scope,
  STEPS_PER_REQUEST,
} from './expressions.ts';

export interface Condition {
  readonly name: string;
  readonly holds: Expression;
}

export function conditionsIn(owner: JsonObject, scope: Scope = REQUEST_SCOPE): readonly Condition[] {
  return listAt(owner, 'matchConditions')
    .filter(isObject)
    .map(condition => ({
      name: stringAt(condition, 'name'),
      holds: expression(stringAt(condition, 'expression'), 'bool', scope),
    }));
}

/** A condition that does not hold decides, whatever became of the others. */
export type ConditionsAnswer =
  | { readonly kind: 'hold' }
  | { readonly kind: 'do not hold' }
  | { readonly kind: 'failed'; readonly why: string };

export function judge(conditions: readonly Condition[], inputs: Inputs): ConditionsAnswer {
  if (conditions.length === 0) return { kind: 'hold' };
  const meter = new Meter(STEPS_PER_REQUEST);
  const failures: string[] = [];
  for (const { holds } of conditions) {
    const answer = evaluated(holds, inputs, meter);
    if (answer.kind === 'failed') failures.push(answer.why);
    else if (answer.value !== true) return { kind: 'do not hold' };
  }
  if (failures.length === 0) return { kind: 'hold' };
  return { kind: 'failed', why: failures.length === 1 ? (failures[0] ?? '') : `[${failures.join(', ')}]` };
}
