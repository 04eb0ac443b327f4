// What flow schemas and priority levels must be: the shares of the server that each sort of request may take.

import type { JsonObject } from '../../parts.ts';
import { forbidden, invalid, notSupported, required } from '../../schema/field-errors.ts';
import { isObject, listAt, numberAt, objectAt, objectsAt, textAt } from '../json.ts';
import type { Errors } from './texts.ts';

const MAX_PRECEDENCE = 10_000;
const TYPES = ['Exempt', 'Limited'];

export function priorityLevelErrors(level: JsonObject, _old: JsonObject | undefined, part: string): Errors {
  if (part === 'status') return [];
  const spec = objectAt(level, 'spec');
  const type = textAt(spec, 'type');
  return [
    ...exemptionErrors(textAt(objectAt(level, 'metadata'), 'name'), type),
    ...(TYPES.includes(type) ? [] : [notSupported('spec.type', type, TYPES)]),
    ...(type === 'Limited' ? limitedErrors(spec) : unlimitedErrors(spec)),
  ];
}

/** There is one exempt level, and it is called so. */
function exemptionErrors(name: string, type: string): Errors {
  if ((name === 'exempt') === (type === 'Exempt')) return [];
  return [invalid('spec.type', type, "must be 'Exempt' if and only if `name` is 'exempt'")];
}

const unlimitedErrors = (spec: JsonObject): Errors =>
  spec.type === 'Exempt' && spec.limited !== undefined
    ? [forbidden('spec.limited', 'must be nil if the type is not Limited')]
    : [];

function limitedErrors(spec: JsonObject): Errors {
  if (!isObject(spec.limited)) return [required('spec.limited', 'must not be empty when type is Limited')];
  const path = 'spec.limited';
  const response = objectAt(spec.limited, 'limitResponse');
  const isQueue = textAt(response, 'type') === 'Queue';
  const needed = 'must not be empty if limited.limitResponse.type is Limited';
  const unwanted = 'must be nil if limited.limitResponse.type is not Limited';
  const queuing = `${path}.limitResponse.queuing`;
  const lendable = numberAt(spec.limited, 'lendablePercent') ?? 0;
  return [
    ...(isQueue && response.queuing === undefined ? [required(queuing, needed)] : []),
    ...(!isQueue && response.queuing !== undefined ? [forbidden(queuing, unwanted)] : []),
    ...(lendable < 0 || lendable > 100
      ? [invalid(`${path}.lendablePercent`, lendable, 'must be between 0 and 100, inclusive')]
      : []),
  ];
}

export function flowSchemaErrors(schema: JsonObject, _old: JsonObject | undefined, part: string): Errors {
  if (part === 'status') return [];
  const spec = objectAt(schema, 'spec');
  const level = textAt(objectAt(spec, 'priorityLevelConfiguration'), 'name');
  const precedence = numberAt(spec, 'matchingPrecedence') ?? 1;
  const at = 'spec.matchingPrecedence';
  const name = textAt(objectAt(schema, 'metadata'), 'name');
  const first = "only the schema named 'exempt' may have matchingPrecedence 1";
  return [
    ...(spec.matchingPrecedence === 1 && name !== 'exempt' ? [invalid(at, precedence, first)] : []),
    ...(precedence <= 0 ? [invalid(at, precedence, 'must be a positive value')] : []),
    ...(precedence > MAX_PRECEDENCE ? [invalid(at, precedence, `must not be greater than ${MAX_PRECEDENCE}`)] : []),
    ...(level === '' ? [required('spec.priorityLevelConfiguration.name', 'must reference a priority level')] : []),
    ...objectsAt(spec, 'rules').flatMap((rule, index) => ruleErrors(`spec.rules[${index}]`, rule)),
  ];
}

function ruleErrors(path: string, rule: JsonObject): Errors {
  const isEmpty = (key: string): boolean => listAt(rule, key).length === 0;
  const oneOf = 'at least one of resourceRules and nonResourceRules has to be non-empty';
  return [
    ...(isEmpty('subjects') ? [required(`${path}.subjects`, 'subjects must contain at least one value')] : []),
    ...(isEmpty('resourceRules') && isEmpty('nonResourceRules') ? [required(path, oneOf)] : []),
  ];
}
