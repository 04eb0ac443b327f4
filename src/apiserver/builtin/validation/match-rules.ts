// What the parts of webhooks and admission policies must be that say which requests they are about.

import { expression, type Result, type Scope } from '../../admission/expressions.ts';
import type { FieldError, Json, JsonObject } from '../../parts.ts';
import { labelValueProblems } from '../../request/label-rules.ts';
import { duplicate, forbidden, internal, invalid, notSupported, required, tooMany } from '../../schema/field-errors.ts';
import { isObject, listAt, objectAt, textAt } from '../json.ts';
import { type Errors, labelMapErrors, qualifiedNameErrors } from './texts.ts';

const OPERATIONS = ['*', 'CONNECT', 'CREATE', 'DELETE', 'UPDATE'];
const SCOPES = ['*', 'Cluster', 'Namespaced'];
const MAX_CONDITIONS = 64;

export function ruleErrors(path: string, rule: JsonObject): Errors {
  const operations = listAt(rule, 'operations');
  return [
    ...listErrors(`${path}.operations`, operations, 'operations'),
    ...operations.flatMap((each, index) => oneOf(`${path}.operations[${index}]`, each, OPERATIONS)),
    ...listErrors(`${path}.apiGroups`, listAt(rule, 'apiGroups'), 'API groups'),
    ...listErrors(`${path}.apiVersions`, listAt(rule, 'apiVersions'), 'API versions'),
    ...listAt(rule, 'apiVersions').flatMap((each, index) =>
      each === '' ? [required(`${path}.apiVersions[${index}]`)] : [],
    ),
    ...resourcesErrors(`${path}.resources`, listAt(rule, 'resources')),
    ...oneOf(`${path}.scope`, rule.scope ?? '*', SCOPES),
  ];
}

function listErrors(path: string, values: readonly Json[], what: string): Errors {
  if (values.length === 0) return [required(path)];
  if (values.length === 1 || !values.includes('*')) return [];
  return [invalid(path, values, `if '*' is present, must not specify other ${what}`)];
}

export const oneOf = (path: string, value: Json, words: readonly string[]): Errors =>
  words.some(word => word === value) ? [] : [notSupported(path, value, words)];

function resourcesErrors(path: string, resources: readonly Json[]): Errors {
  if (resources.length === 0) return [required(path)];
  const wholes = resources.filter(each => each !== '*' && !String(each).includes('/'));
  const wrong = (why: string): FieldError => invalid(path, resources, why);
  return [
    ...partErrors(path, resources.map(String)),
    ...(resources.length > 1 && resources.includes('*/*')
      ? [wrong("if '*/*' is present, must not specify other resources")]
      : []),
    ...(resources.includes('*') && wholes.length > 0
      ? [wrong("if '*' is present, must not specify other resources without subresources")]
      : []),
  ];
}

/** What an earlier star already says may not be said again. */
function partErrors(path: string, resources: readonly string[]): Errors {
  const [allParts, everywhere] = [new Set<string>(), new Set<string>()];
  return resources.flatMap((text, index) => {
    const at = `${path}[${index}]`;
    if (text === '') return [required(at)];
    const [resource = '', part] = text.split(/\/(.*)/s);
    if (part === undefined) return [];
    const errors = [
      ...(allParts.has(resource) ? [invalid(at, text, `if '${resource}/*' is present, must not specify ${text}`)] : []),
      ...(everywhere.has(part) ? [invalid(at, text, `if '*/${part}' is present, must not specify ${text}`)] : []),
    ];
    if (part === '*') allParts.add(resource);
    if (resource === '*') everywhere.add(part);
    return errors;
  });
}

/** A `metav1.LabelSelector`. */
export function selectorErrors(path: string, selector: JsonObject): Errors {
  return [
    ...labelMapErrors(`${path}.matchLabels`, objectAt(selector, 'matchLabels')),
    ...listAt(selector, 'matchExpressions')
      .filter(isObject)
      .flatMap((each, index) => requirementErrors(`${path}.matchExpressions[${index}]`, each)),
  ];
}

function requirementErrors(path: string, requirement: JsonObject): Errors {
  const operator = textAt(requirement, 'operator');
  return [
    ...valuesErrors(path, operator, listAt(requirement, 'values').length),
    ...qualifiedNameErrors(`${path}.key`, textAt(requirement, 'key')),
    ...listAt(requirement, 'values').flatMap((value, index) =>
      labelValueProblems(String(value)).map(why => invalid(`${path}.values[${index}]`, value, why)),
    ),
  ];
}

function valuesErrors(path: string, operator: string, count: number): Errors {
  switch (operator) {
    case 'In':
    case 'NotIn':
      return count > 0 ? [] : [required(`${path}.values`, "must be specified when `operator` is 'In' or 'NotIn'")];
    case 'Exists':
    case 'DoesNotExist':
      return count === 0
        ? []
        : [forbidden(`${path}.values`, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'")];
    default:
      return [invalid(`${path}.operator`, operator, 'not a valid selector operator')];
  }
}

export function conditionsErrors(path: string, conditions: readonly Json[], scope: Scope): Errors {
  const seen = new Set<string>();
  const many = conditions.length > MAX_CONDITIONS ? [tooMany(path, conditions.length, MAX_CONDITIONS)] : [];
  const each = conditions.filter(isObject).flatMap((condition, index) => {
    const name = textAt(condition, 'name');
    const at = `${path}[${index}]`;
    const isKnown = seen.has(name);
    seen.add(name);
    return [
      ...expressionErrors(`${at}.expression`, textAt(condition, 'expression'), scope),
      ...(name === '' ? [required(`${at}.name`)] : qualifiedNameErrors(`${at}.name`, name)),
      ...(isKnown && name !== '' ? [duplicate(`${at}.name`, name)] : []),
    ];
  });
  return [...many, ...each];
}

/** An expression that says yes or no. */
function expressionErrors(path: string, source: string, scope: Scope): Errors {
  return source.trim() === '' ? [required(path)] : compileErrors(path, source, 'bool', scope);
}

export function compileErrors(path: string, source: string, wanted: Result, scope: Scope): Errors {
  const { compiled } = expression(source, wanted, scope);
  if (!('problem' in compiled)) return [];
  return [compiled.isInternal === true ? internal(path, compiled.problem) : invalid(path, source, compiled.problem)];
}
