// The selectors in an access review: what is wrong with them, and what of them is not understood and so left out.

import type { FieldError, Json, JsonObject } from '../parts.ts';
import { fieldSelectorProblem } from '../request/field-selector.ts';
import { labelKeyProblems, labelValueProblems } from '../request/label-rules.ts';
import { parseLabelSelector } from '../request/label-selector.ts';
import { forbidden, invalid, required } from '../schema/field-errors.ts';
import { listAt, objectAt, textAt, textsAt } from './fields.ts';

type Errors = readonly FieldError[];
type Kind = 'fieldSelector' | 'labelSelector';

const KINDS: readonly Kind[] = ['fieldSelector', 'labelSelector'];
const WITH_VALUES = ['In', 'NotIn'];
const WITHOUT_VALUES = ['Exists', 'DoesNotExist'];

/** An operator that nobody knows is no error: newer clients may know it. */
export function selectorErrors(attributes: JsonObject | undefined): Errors {
  return KINDS.flatMap(kind => {
    const selector = objectAt(attributes, kind);
    return selector === undefined ? [] : errorsOf(selector, kind);
  });
}

function errorsOf(selector: JsonObject, kind: Kind): Errors {
  const path = `spec.resourceAttributes.${kind}`;
  const [raw, requirements] = [textAt(selector, 'rawSelector'), listAt(selector, 'requirements')];
  const missing = `when ${path} is specified, requirements or rawSelector is required`;
  return [
    ...(raw !== '' && requirements.length > 0
      ? [invalid(`${path}.rawSelector`, raw, 'may not specified at the same time as requirements')]
      : []),
    ...(raw === '' && requirements.length === 0 ? [required(`${path}.requirements`, missing)] : []),
    ...requirements.flatMap((each, index) => requirementErrors(`${path}.requirements[${index}]`, each, kind)),
  ];
}

function requirementErrors(path: string, requirement: Json, kind: Kind): Errors {
  const [key, values] = [textAt(requirement, 'key'), textsAt(requirement, 'values')];
  const counted = countErrors(`${path}.values`, textAt(requirement, 'operator'), values.length);
  if (kind === 'fieldSelector')
    return [...(key === '' ? [required(`${path}.key`, 'must be specified')] : []), ...counted];
  return [
    ...counted,
    ...labelKeyProblems(key).map(why => invalid(`${path}.key`, key, why)),
    ...values.flatMap((value, index) =>
      labelValueProblems(value).map(why => invalid(`${path}.values[${index}]`, value, why)),
    ),
  ];
}

function countErrors(path: string, operator: string, count: number): Errors {
  if (WITH_VALUES.includes(operator) && count === 0)
    return [required(path, "must be specified when `operator` is 'In' or 'NotIn'")];
  if (WITHOUT_VALUES.includes(operator) && count > 0)
    return [forbidden(path, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'")];
  return [];
}

/** What the review says of what was left out; empty: nothing was. */
export const leftOut = (attributes: JsonObject | undefined): string =>
  KINDS.flatMap(kind => {
    const selector = objectAt(attributes, kind);
    const how = selector === undefined ? '' : leftOutOf(selector, kind);
    return how === '' ? [] : [`spec.resourceAttributes.${kind} ${how} due to parse error`];
  }).join('; ');

function leftOutOf(selector: JsonObject, kind: Kind): string {
  const raw = textAt(selector, 'rawSelector');
  if (raw !== '') return isReadable(raw, kind) ? '' : 'ignored';
  const requirements = listAt(selector, 'requirements');
  const understood = requirements.filter(each => isUnderstood(each, kind)).length;
  if (understood === requirements.length) return '';
  return understood === 0 ? 'ignored' : 'partially ignored';
}

const isReadable = (raw: string, kind: Kind): boolean =>
  kind === 'fieldSelector' ? fieldSelectorProblem(raw) === undefined : typeof parseLabelSelector(raw) === 'function';

/** Of fields there are no more than equal and unequal. */
function isUnderstood(requirement: Json, kind: Kind): boolean {
  const operator = textAt(requirement, 'operator');
  if (kind === 'labelSelector') return [...WITH_VALUES, ...WITHOUT_VALUES].includes(operator);
  return WITH_VALUES.includes(operator) && textsAt(requirement, 'values').length === 1;
}
