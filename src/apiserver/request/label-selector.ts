// Label selectors: parsed once per request, asked once per object.

import type { JsonObject } from '../parts.ts';
import { isObject, listAt, objectAt, stringAt, stringsAt } from '../rules/json.ts';
import { NoSelector, type Operator, parseRequirements, type Requirement } from './label-parser.ts';

export type Labels = Readonly<Record<string, unknown>>;
/** Whether an object's labels are selected. */
export type LabelMatch = (labels: Labels) => boolean;

const OPERATORS: readonly Operator[] = ['In', 'NotIn', 'Exists', 'DoesNotExist', 'Gt', 'Lt'];

/** The selector that `text` says, or the sentence that says why it is none. */
export function parseLabelSelector(text: string): LabelMatch | { readonly problem: string } {
  try {
    const requirements = parseRequirements(text);
    return labels => requirements.every(requirement => holds(requirement, labels));
  } catch (error) {
    if (error instanceof NoSelector) return { problem: error.message };
    throw error;
  }
}

/** Whether a `metav1.LabelSelector` object selects these labels; an empty one selects everything. */
export function selectsLabels(selector: JsonObject, labels: Labels): boolean {
  return [...equalities(selector), ...expressions(selector)].every(requirement => holds(requirement, labels));
}

/** The selector object as text: `app=web,tier in (a,b)`. */
export function selectorText(selector: JsonObject): string {
  const equal = equalities(selector).map(({ key, values }) => `${key}=${values[0] ?? ''}`);
  return [...equal, ...expressions(selector).map(expressionText)].toSorted().join(',');
}

function expressionText({ key, operator, values }: Requirement): string {
  if (operator === 'Exists') return key;
  if (operator === 'DoesNotExist') return `!${key}`;
  return `${key} ${operator === 'NotIn' ? 'notin' : 'in'} (${values.toSorted().join(',')})`;
}

function equalities(selector: JsonObject): readonly Requirement[] {
  const labels = Object.entries(objectAt(selector, 'matchLabels'));
  return labels.map(([key, value]) => ({ key, operator: 'In', values: [String(value)] }));
}

function expressions(selector: JsonObject): readonly Requirement[] {
  return listAt(selector, 'matchExpressions').filter(isObject).map(expressionOf);
}

function expressionOf(expression: JsonObject): Requirement {
  const said = stringAt(expression, 'operator');
  const operator = OPERATORS.find(known => known === said) ?? 'DoesNotExist';
  return { key: stringAt(expression, 'key'), operator, values: stringsAt(expression, 'values') };
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
      return present && values.includes(value);
    case 'NotIn':
      return !present || !values.includes(value);
    default:
      return present && compares(operator, value, values[0] ?? '');
  }
}

function compares(operator: 'Gt' | 'Lt', value: string, bound: string): boolean {
  if (!/^-?\d+$/.test(value)) return false;
  return operator === 'Gt' ? BigInt(value) > BigInt(bound) : BigInt(value) < BigInt(bound);
}
