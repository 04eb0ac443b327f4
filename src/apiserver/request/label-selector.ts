// Label selectors: parsed once per request, asked once per object.

import type { JsonObject } from '../parts.ts';
import { isObject, listAt, objectAt, stringAt, stringsAt } from '../rules/json.ts';

type Operator = 'In' | 'NotIn' | 'Exists' | 'DoesNotExist' | 'Gt' | 'Lt';

interface Requirement {
  readonly key: string;
  readonly operator: Operator;
  readonly values: readonly string[];
}

export type Labels = Readonly<Record<string, unknown>>;
/** Whether an object's labels are selected. */
export type LabelMatch = (labels: Labels) => boolean;

/** More requirements than this are refused: each costs time on every object. */
const MAX_REQUIREMENTS = 1000;
const SET = /^\s*(!?)\s*([^\s!=<>(),]+)\s*(?:(in|notin)\s*\(([^()]*)\)|(==|=|!=|>|<)\s*([^\s!=<>(),]*))?\s*(?:,|$)/;
const SIGNS: Readonly<Record<string, Operator>> = { '!=': 'NotIn', '>': 'Gt', '<': 'Lt' };
const OPERATORS: readonly Operator[] = ['In', 'NotIn', 'Exists', 'DoesNotExist', 'Gt', 'Lt'];
const NAME = /^[A-Za-z0-9]([A-Za-z0-9_.-]{0,61}[A-Za-z0-9])?$/;
const PREFIX = /^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$/;
const VALUE = /^([A-Za-z0-9]([A-Za-z0-9_.-]{0,61}[A-Za-z0-9])?)?$/;

/** The selector that `text` says, or the sentence that says why it is none. */
export function parseLabelSelector(text: string): LabelMatch | { readonly problem: string } {
  const requirements: Requirement[] = [];
  let rest = text.trim();
  while (rest !== '') {
    const match = SET.exec(rest);
    const requirement = match === null ? undefined : requirementOf(match);
    if (match === null || requirement === undefined) return { problem: `unable to parse requirement: found '${rest}'` };
    if (!isLabelKey(requirement.key)) return { problem: keyProblem(requirement.key) };
    const badValue = requirement.values.find(value => !VALUE.test(value));
    if (badValue !== undefined) return { problem: valueProblem(requirement.key, badValue) };
    requirements.push(requirement);
    if (requirements.length > MAX_REQUIREMENTS) return { problem: 'too many requirements' };
    rest = rest.slice(match[0].length).trim();
  }
  return labels => requirements.every(requirement => holds(requirement, labels));
}

/** Whether a `metav1.LabelSelector` object selects these labels; an empty one selects everything. */
export function selectsLabels(selector: JsonObject, labels: Labels): boolean {
  return requirementsOf(selector).every(requirement => holds(requirement, labels));
}

/** The selector object as text: `app=web,tier in (a,b)`. */
export function selectorText(selector: JsonObject): string {
  const texts = requirementsOf(selector).map(({ key, operator, values }) => {
    if (operator === 'Exists') return key;
    if (operator === 'DoesNotExist') return `!${key}`;
    const list = values.toSorted().join(',');
    if (operator === 'NotIn') return `${key} notin (${list})`;
    return `${key} in (${list})`;
  });
  const equal = Object.entries(objectAt(selector, 'matchLabels')).map(([key, value]) => `${key}=${String(value)}`);
  return [...equal, ...texts.slice(equal.length)].toSorted().join(',');
}

function requirementsOf(selector: JsonObject): readonly Requirement[] {
  const exact = Object.entries(objectAt(selector, 'matchLabels')).map(
    ([key, value]): Requirement => ({ key, operator: 'In', values: [String(value)] }),
  );
  const expressions = listAt(selector, 'matchExpressions').filter(isObject).map(expressionOf);
  return [...exact, ...expressions];
}

function expressionOf(expression: JsonObject): Requirement {
  const said = stringAt(expression, 'operator');
  const operator = OPERATORS.find(known => known === said) ?? 'DoesNotExist';
  return { key: stringAt(expression, 'key'), operator, values: stringsAt(expression, 'values') };
}

function requirementOf(match: RegExpExecArray): Requirement | undefined {
  const [, not, key = '', set, list = '', sign, value = ''] = match;
  if (not === '!')
    return set === undefined && sign === undefined ? { key, operator: 'DoesNotExist', values: [] } : undefined;
  if (set !== undefined) {
    return { key, operator: set === 'in' ? 'In' : 'NotIn', values: list.split(',').map(item => item.trim()) };
  }
  return sign === undefined ? { key, operator: 'Exists', values: [] } : comparison(key, sign, value);
}

function comparison(key: string, sign: string, value: string): Requirement | undefined {
  const operator = SIGNS[sign] ?? 'In';
  const isOrder = operator === 'Gt' || operator === 'Lt';
  return isOrder && !/^-?\d+$/.test(value) ? undefined : { key, operator, values: [value] };
}

function holds({ key, operator, values }: Requirement, labels: Labels): boolean {
  const present = Object.hasOwn(labels, key);
  const value = present ? String(labels[key]) : '';
  switch (operator) {
    case 'Exists':
      return present;
    case 'DoesNotExist':
      return !present;
    case 'In':
      return present && (values ?? []).includes(value);
    case 'NotIn':
      return !present || !(values ?? []).includes(value);
    default:
      return present && compares(operator, value, values[0] ?? '');
  }
}

function compares(operator: 'Gt' | 'Lt', value: string, bound: string): boolean {
  if (!/^-?\d+$/.test(value)) return false;
  return operator === 'Gt' ? BigInt(value) > BigInt(bound) : BigInt(value) < BigInt(bound);
}

/** A qualified name: `app`, `example.com/app`. */
export function isLabelKey(key: string): boolean {
  const slash = key.indexOf('/');
  if (slash < 0) return NAME.test(key);
  return PREFIX.test(key.slice(0, slash)) && NAME.test(key.slice(slash + 1));
}

export const isLabelValue = (value: string): boolean => VALUE.test(value);

const keyProblem = (key: string): string =>
  `key: Invalid value: ${JSON.stringify(key)}: name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')`;

const valueProblem = (key: string, value: string): string =>
  `values[0][${key}]: Invalid value: ${JSON.stringify(value)}: a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')`;
