// What disruption budgets must be: one share, of Pods that can be told.

import type { JsonObject } from '../../parts.ts';
import { invalid } from '../../schema/field-errors.ts';
import { isObject, objectAt } from '../json.ts';
import { NONE, supportedErrors } from './fields.ts';
import { selectorErrors } from './match-rules.ts';
import { wholeErrors } from './shares.ts';
import type { Errors } from './texts.ts';

const POLICIES = ['AlwaysAllow', 'IfHealthyBudget'];

export function budgetErrors(object: JsonObject): Errors {
  const spec = objectAt(object, 'spec');
  const { minAvailable, maxUnavailable, selector = null, unhealthyPodEvictionPolicy: policy } = spec;
  const wrong = [
    ...(minAvailable === undefined ? NONE : wholeErrors('spec.minAvailable', minAvailable)),
    ...(maxUnavailable === undefined ? NONE : wholeErrors('spec.maxUnavailable', maxUnavailable)),
    ...(isObject(selector) ? selectorErrors('spec.selector', selector) : NONE),
    ...(policy === undefined ? NONE : supportedErrors('spec.unhealthyPodEvictionPolicy', policy, POLICIES)),
  ];
  if (minAvailable === undefined || maxUnavailable === undefined) return wrong;
  const shown = {
    MinAvailable: minAvailable,
    Selector: selector,
    MaxUnavailable: maxUnavailable,
    UnhealthyPodEvictionPolicy: policy ?? null,
  };
  return [invalid('spec', shown, 'minAvailable and maxUnavailable cannot be both set'), ...wrong];
}
