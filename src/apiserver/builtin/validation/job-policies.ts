// Rules on when a Job has failed and when it has succeeded.

import type { FieldError, JsonObject } from '../../parts.ts';
import { duplicate, invalid, notSupported, required, tooLong, tooMany } from '../../schema/field-errors.ts';
import { countAt } from '../counts.ts';
import { isObject, listAt, numberAt, objectAt, objectsAt, textAt } from '../json.ts';
import { NONE } from './fields.ts';
import { type Errors, nonNegativeErrors, qualifiedNameErrors } from './texts.ts';

const MAX_RULES = 20;
const MAX_CODES = 255;
const MAX_INDEXES_BYTES = 64 * 1024;
const ACTIONS = ['Count', 'FailIndex', 'FailJob', 'Ignore'];
const OPERATORS = ['In', 'NotIn'];
const STATUSES = ['False', 'True', 'Unknown'];

const choices = (values: readonly string[]): string => `valid values: [${values.map(value => `"${value}"`).join(' ')}]`;

const chosenErrors = (path: string, value: string, values: readonly string[]): Errors => {
  if (value === '') return [required(path, choices(values))];
  return values.includes(value) ? NONE : [notSupported(path, value, values)];
};

const manyErrors = (path: string, count: number, most: number): Errors =>
  count > most ? [tooMany(path, count, most)] : NONE;

export function failurePolicyErrors(path: string, policy: JsonObject, spec: JsonObject): Errors {
  const at = `${path}.rules`;
  const rules = objectsAt(policy, 'rules');
  return [
    ...manyErrors(at, rules.length, MAX_RULES),
    ...rules.flatMap((rule, index) => failureRuleErrors(`${at}[${index}]`, rule, spec)),
  ];
}

function failureRuleErrors(path: string, rule: JsonObject, spec: JsonObject): Errors {
  const [action, conditions, { onExitCodes: codes }] = [
    textAt(rule, 'action'),
    objectsAt(rule, 'onPodConditions'),
    rule,
  ];
  const isUnindexed = action === 'FailIndex' && spec.backoffLimitPerIndex === undefined;
  const unindexed = 'requires the backoffLimitPerIndex to be set';
  return [
    ...(isUnindexed ? [invalid(`${path}.action`, action, unindexed)] : chosenErrors(`${path}.action`, action, ACTIONS)),
    ...(isObject(codes) ? codesErrors(`${path}.onExitCodes`, codes, objectAt(spec, 'template')) : NONE),
    ...conditionsErrors(`${path}.onPodConditions`, conditions),
    ...oneOfErrors(path, [...(isObject(codes) ? ['codes'] : []), ...(conditions.length > 0 ? ['conditions'] : [])]),
  ];
}

/** The real server shows no value here. */
function oneOfErrors(path: string, given: readonly string[]): Errors {
  if (given.length === 1) return NONE;
  const why =
    given.length > 1
      ? 'specifying both OnExitCodes and OnPodConditions is not supported'
      : 'specifying one of OnExitCodes and OnPodConditions is required';
  return [{ type: 'Invalid', field: path, message: `Invalid value: ${why}` }];
}

const conditionsErrors = (path: string, conditions: readonly JsonObject[]): Errors => [
  ...manyErrors(path, conditions.length, MAX_RULES),
  ...conditions.flatMap((condition, index) => [
    ...qualifiedNameErrors(`${path}[${index}].type`, textAt(condition, 'type')),
    ...chosenErrors(`${path}[${index}].status`, textAt(condition, 'status'), STATUSES),
  ]),
];

function codesErrors(path: string, codes: JsonObject, template: JsonObject): Errors {
  const spec = objectAt(template, 'spec');
  const names = ['containers', 'initContainers'].flatMap(key => objectsAt(spec, key).map(each => textAt(each, 'name')));
  const { containerName: name } = codes;
  const isElse = typeof name === 'string' && !names.includes(name);
  const why = 'must be one of the container or initContainer names in the pod template';
  return [
    ...chosenErrors(`${path}.operator`, textAt(codes, 'operator'), OPERATORS),
    ...(isElse ? [invalid(`${path}.containerName`, name, why)] : NONE),
    ...valuesErrors(`${path}.values`, listAt(codes, 'values').map(Number), textAt(codes, 'operator')),
  ];
}

function valuesErrors(path: string, values: readonly number[], operator: string): Errors {
  const errors: FieldError[] = [...manyErrors(path, values.length, MAX_CODES)];
  if (values.length === 0) errors.push(invalid(path, [], 'at least one value is required'));
  for (const [index, value] of values.entries()) {
    const at = `${path}[${index}]`;
    if (operator === 'In' && value === 0) errors.push(invalid(at, value, 'must not be 0 for the In operator'));
    if (values.indexOf(value) < index) errors.push(duplicate(at, value));
  }
  const isOrdered = values.every((value, index) => index === 0 || (values[index - 1] ?? 0) <= value);
  return isOrdered ? errors : [...errors, invalid(path, values, 'must be ordered')];
}

export function successPolicyErrors(path: string, policy: JsonObject, spec: JsonObject): Errors {
  const [at, rules] = [`${path}.rules`, objectsAt(policy, 'rules')];
  const none = 'at least one rules must be specified when the successPolicy is specified';
  return [
    ...(rules.length === 0 ? [required(at, none)] : NONE),
    ...manyErrors(at, rules.length, MAX_RULES),
    ...rules.flatMap((rule, index) => successRuleErrors(`${at}[${index}]`, rule, countAt(spec, 'completions'))),
  ];
}

function successRuleErrors(path: string, rule: JsonObject, completions: number): Errors {
  const [{ succeededIndexes: indexes }, count] = [rule, numberAt(rule, 'succeededCount')];
  const none = 'at least one of succeededCount or succeededIndexes must be specified';
  const total = typeof indexes === 'string' ? indexesOf(indexes, completions) : 0;
  return [
    ...(indexes === undefined && count === undefined ? [required(path, none)] : NONE),
    ...(typeof indexes === 'string' ? indexesErrors(`${path}.succeededIndexes`, indexes, total) : NONE),
    ...nonNegativeErrors(path, rule, 'succeededCount'),
    ...aboveErrors(`${path}.succeededCount`, count, completions, 'specified completions'),
    ...(indexes === undefined
      ? NONE
      : aboveErrors(
          `${path}.succeededCount`,
          count,
          typeof total === 'number' ? total : 0,
          'indexes in the specified succeededIndexes field',
        )),
  ];
}

function indexesErrors(path: string, indexes: string, total: number | string): Errors {
  const long = indexes.length > MAX_INDEXES_BYTES ? [tooLong(path, MAX_INDEXES_BYTES)] : NONE;
  if (typeof total === 'number') return long;
  return [...long, invalid(path, indexes, `error parsing succeededIndexes: ${total}`)];
}

function aboveErrors(path: string, count: number | undefined, most: number, what: string): Errors {
  if (count === undefined || count <= most) return NONE;
  return [invalid(path, count, `must be less than or equal to ${most} (the number of ${what})`)];
}

/** How many indexes `1,3-5` are; a text is what is wrong with it. */
function indexesOf(text: string, completions: number): number | string {
  let [last, total]: [number | undefined, number] = [undefined, 0];
  for (const part of text === '' ? [] : text.split(',')) {
    const ends = intervalOf(part, completions);
    if (typeof ends === 'string') return ends;
    const [from, to] = ends;
    if (last !== undefined && last >= from) return unordered(last, from);
    total += to - from + 1;
    last = to;
  }
  return total;
}

const unordered = (previous: number, current: number): string =>
  `non-increasing order, previous: ${previous}, current: ${current}`;

function intervalOf(part: string, completions: number): readonly [number, number] | string {
  const limits = part.split('-');
  if (limits.length > 2) {
    return `the fragment "${part}" violates the requirement that an index interval can have at most two parts separated by '-'`;
  }
  for (const limit of limits) {
    if (!/^\+?\d+$/.test(limit)) return `cannot convert string to integer for index: ${JSON.stringify(limit)}`;
    if (Number(limit) >= completions) return `too large index: ${JSON.stringify(limit)}`;
  }
  const [from = 0, to = from] = limits.map(Number);
  return limits.length === 2 && from >= to ? unordered(from, to) : [from, to];
}
