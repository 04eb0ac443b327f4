// What a Pod may ask of the Node it runs on: terms with expressions that make sense.

import type { JsonObject } from '../../parts.ts';
import { forbidden, invalid, required } from '../../schema/field-errors.ts';
import { countAt } from '../counts.ts';
import { isObject, listAt, objectAt, objectsAt, textAt } from '../json.ts';
import { type Errors, qualifiedNameErrors } from './texts.ts';

const REQUIRED = 'requiredDuringSchedulingIgnoredDuringExecution';
const PREFERRED = 'preferredDuringSchedulingIgnoredDuringExecution';

export function nodeAffinityErrors(path: string, affinity: JsonObject): Errors {
  const node = objectAt(affinity, 'nodeAffinity');
  const at = `${path}.nodeAffinity`;
  const preferred = objectsAt(node, PREFERRED).flatMap((term, index) =>
    preferredErrors(`${at}.${PREFERRED}[${index}]`, term),
  );
  return isObject(node[REQUIRED])
    ? [...nodeSelectorErrors(`${at}.${REQUIRED}`, objectAt(node, REQUIRED)), ...preferred]
    : preferred;
}

/** Nodes that satisfy one of its terms. */
export function nodeSelectorErrors(path: string, selector: JsonObject): Errors {
  const terms = objectsAt(selector, 'nodeSelectorTerms');
  const at = `${path}.nodeSelectorTerms`;
  if (terms.length === 0) return [required(at, 'must have at least one node selector term')];
  return terms.flatMap((term, index) => termErrors(`${at}[${index}]`, term));
}

function preferredErrors(path: string, term: JsonObject): Errors {
  const weight = countAt(term, 'weight');
  const isInRange = weight >= 1 && weight <= 100;
  const range = isInRange ? [] : [invalid(`${path}.weight`, weight, 'must be in the range 1-100')];
  return [...range, ...termErrors(`${path}.preference`, objectAt(term, 'preference'))];
}

function termErrors(path: string, term: JsonObject): Errors {
  return objectsAt(term, 'matchExpressions').flatMap((expression, index) =>
    expressionErrors(`${path}.matchExpressions[${index}]`, expression),
  );
}

function expressionErrors(path: string, expression: JsonObject): Errors {
  const key = qualifiedNameErrors(`${path}.key`, textAt(expression, 'key'));
  return [...valueErrors(path, textAt(expression, 'operator'), listAt(expression, 'values').length), ...key];
}

function valueErrors(path: string, operator: string, count: number): Errors {
  const at = `${path}.values`;
  if (operator === 'In' || operator === 'NotIn') {
    return count > 0 ? [] : [required(at, "must be specified when `operator` is 'In' or 'NotIn'")];
  }
  if (operator === 'Exists' || operator === 'DoesNotExist') {
    return count === 0 ? [] : [forbidden(at, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'")];
  }
  if (operator === 'Gt' || operator === 'Lt') {
    return count === 1 ? [] : [required(at, "must be specified single value when `operator` is 'Lt' or 'Gt'")];
  }
  return [invalid(`${path}.operator`, operator, 'not a valid selector operator')];
}
