// What a Pod may ask of the Node it runs on, and of the Pods that are there: terms with expressions that make sense.

import type { JsonObject } from '../../parts.ts';
import { labelValueProblems } from '../../request/label-rules.ts';
import { forbidden, invalid, required } from '../../schema/field-errors.ts';
import { countAt } from '../counts.ts';
import { isObject, listAt, objectAt, objectsAt, textAt } from '../json.ts';
import { type Checks, fieldErrors, NONE, ofEach, ofObject } from './fields.ts';
import { labelKeyErrors } from './label-keys.ts';
import { selectorErrors } from './match-rules.ts';
import { type Errors, labelErrors, qualifiedNameErrors, subdomainErrors } from './texts.ts';

const REQUIRED = 'requiredDuringSchedulingIgnoredDuringExecution';
const PREFERRED = 'preferredDuringSchedulingIgnoredDuringExecution';

const OF_NODES: Checks<unknown> = [
  [REQUIRED, ofObject(nodeSelectorErrors)],
  [PREFERRED, ofEach(preferredErrors)],
];
const OF_PODS: Checks<unknown> = [
  [REQUIRED, ofEach(podTermErrors)],
  [PREFERRED, ofEach(weightedErrors)],
];
const near = ofObject<unknown>((path, affinity) => fieldErrors(OF_PODS, path, affinity, undefined));
const KINDS: Checks<unknown> = [
  ['nodeAffinity', ofObject((path, affinity) => fieldErrors(OF_NODES, path, affinity, undefined))],
  ['podAffinity', near],
  ['podAntiAffinity', near],
];

export const affinityErrors = ofObject<unknown>((path, affinity) => fieldErrors(KINDS, path, affinity, undefined));

/** Nodes that satisfy one of its terms. */
export function nodeSelectorErrors(path: string, selector: JsonObject): Errors {
  const terms = objectsAt(selector, 'nodeSelectorTerms');
  const at = `${path}.nodeSelectorTerms`;
  if (terms.length === 0) return [required(at, 'must have at least one node selector term')];
  return terms.flatMap((term, index) => termErrors(`${at}[${index}]`, term, valuesErrors));
}

function weightErrors(path: string, term: JsonObject): Errors {
  const weight = countAt(term, 'weight');
  const isInRange = weight >= 1 && weight <= 100;
  return isInRange ? NONE : [invalid(`${path}.weight`, weight, 'must be in the range 1-100')];
}

/** Of what is only preferred any value will do. */
function preferredErrors(path: string, term: JsonObject): Errors {
  return [...weightErrors(path, term), ...termErrors(`${path}.preference`, objectAt(term, 'preference'), () => NONE)];
}

type ValuesCheck = (path: string, expression: JsonObject) => Errors;

function termErrors(path: string, term: JsonObject, values: ValuesCheck): Errors {
  return [
    ...objectsAt(term, 'matchExpressions').flatMap((expression, index) => {
      const at = `${path}.matchExpressions[${index}]`;
      return [...expressionErrors(at, expression), ...values(`${at}.values`, expression)];
    }),
    ...objectsAt(term, 'matchFields').flatMap((field, index) =>
      fieldTermErrors(`${path}.matchFields[${index}]`, field),
    ),
  ];
}

function valuesErrors(path: string, expression: JsonObject): Errors {
  return listAt(expression, 'values').flatMap((value, index) =>
    labelValueProblems(String(value)).map(why => invalid(`${path}[${index}]`, value, why)),
  );
}

/** Nodes are told by no other field than their name. */
function fieldTermErrors(path: string, field: JsonObject): Errors {
  const [key, operator, values] = [textAt(field, 'key'), textAt(field, 'operator'), listAt(field, 'values')];
  const one = "must be only one value when `operator` is 'In' or 'NotIn' for node field selector";
  const isKnown = operator === 'In' || operator === 'NotIn';
  const wanted = isKnown && values.length !== 1 ? [required(`${path}.values`, one)] : NONE;
  return [
    ...(isKnown ? wanted : [invalid(`${path}.operator`, operator, 'not a valid selector operator')]),
    ...(key === 'metadata.name'
      ? values.flatMap((value, index) => subdomainErrors(`${path}.values[${index}]`, String(value)))
      : [invalid(`${path}.key`, key, 'not a valid field selector key')]),
  ];
}

function expressionErrors(path: string, expression: JsonObject): Errors {
  const key = qualifiedNameErrors(`${path}.key`, textAt(expression, 'key'));
  return [...valueErrors(path, textAt(expression, 'operator'), listAt(expression, 'values').length), ...key];
}

function valueErrors(path: string, operator: string, count: number): Errors {
  const at = `${path}.values`;
  if (operator === 'In' || operator === 'NotIn') {
    return count > 0 ? NONE : [required(at, "must be specified when `operator` is 'In' or 'NotIn'")];
  }
  if (operator === 'Exists' || operator === 'DoesNotExist') {
    return count === 0 ? NONE : [forbidden(at, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'")];
  }
  if (operator === 'Gt' || operator === 'Lt') {
    return count === 1 ? NONE : [required(at, "must be specified single value when `operator` is 'Lt' or 'Gt'")];
  }
  return [invalid(`${path}.operator`, operator, 'not a valid selector operator')];
}

function weightedErrors(path: string, term: JsonObject): Errors {
  return [...weightErrors(path, term), ...podTermErrors(`${path}.podAffinityTerm`, objectAt(term, 'podAffinityTerm'))];
}

function podTermErrors(path: string, term: JsonObject): Errors {
  const { labelSelector, namespaceSelector } = term;
  const topology = textAt(term, 'topologyKey');
  const at = `${path}.topologyKey`;
  return [
    ...(isObject(labelSelector) ? selectorErrors(`${path}.labelSelector`, labelSelector) : NONE),
    ...(isObject(namespaceSelector) ? selectorErrors(`${path}.namespaceSelector`, namespaceSelector) : NONE),
    ...listAt(term, 'namespaces').flatMap(name => labelErrors(`${path}.namespace`, String(name))),
    ...labelKeyErrors(path, term),
    ...(topology === '' ? [required(at, 'can not be empty')] : NONE),
    ...qualifiedNameErrors(at, topology),
  ];
}
