// What taints and tolerations must be.

import type { JsonObject } from '../../parts.ts';
import { labelValueProblems } from '../../request/label-rules.ts';
import { duplicate, invalid, notSupported, required } from '../../schema/field-errors.ts';
import { numberAt, textAt } from '../json.ts';
import { type Errors, qualifiedNameErrors } from './texts.ts';

const EFFECTS = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'];

export const tolerationErrors = (path: string, tolerations: readonly JsonObject[]): Errors =>
  tolerations.flatMap((toleration, index) => oneErrors(`${path}[${index}]`, toleration));

function oneErrors(path: string, toleration: JsonObject): Errors {
  const [key, operator, effect] = [
    textAt(toleration, 'key'),
    textAt(toleration, 'operator'),
    textAt(toleration, 'effect'),
  ];
  const isAny = key === '' && operator !== 'Exists';
  const any = 'operator must be Exists when `key` is empty, which means "match all values and all keys"';
  const isKnown = effect === '' || EFFECTS.includes(effect);
  return [
    ...(key === '' ? [] : qualifiedNameErrors(`${path}.key`, key)),
    ...(isAny ? [invalid(`${path}.operator`, operator, any)] : []),
    ...patienceErrors(`${path}.effect`, toleration, effect),
    ...operatorErrors(`${path}.operator`, operator, textAt(toleration, 'value')),
    ...(isKnown ? [] : [notSupported(`${path}.effect`, effect, EFFECTS)]),
  ];
}

function patienceErrors(path: string, toleration: JsonObject, effect: string): Errors {
  if (numberAt(toleration, 'tolerationSeconds') === undefined || effect === 'NoExecute') return [];
  return [invalid(path, effect, "effect must be 'NoExecute' when `tolerationSeconds` is set")];
}

/** Of numbers the real server knows, though it compares none yet. */
function operatorErrors(path: string, operator: string, value: string): Errors {
  switch (operator) {
    case '':
    case 'Equal':
      return valueErrors(path, value);
    case 'Exists':
      return value === '' ? [] : [invalid(path, value, "value must be empty when `operator` is 'Exists'")];
    case 'Lt':
    case 'Gt':
      return [notSupported(path, operator, ['Equal', 'Exists', 'Lt', 'Gt'])];
    default:
      return [notSupported(path, operator, ['Equal', 'Exists'])];
  }
}

function valueErrors(path: string, value: string): Errors {
  const problems = labelValueProblems(value);
  return problems.length === 0 ? [] : [invalid(path, value, problems.join(';'))];
}

export function taintErrors(path: string, taints: readonly JsonObject[]): Errors {
  const seen = new Set<string>();
  return taints.flatMap((taint, index) => {
    const at = `${path}[${index}]`;
    const [key, effect] = [textAt(taint, 'key'), textAt(taint, 'effect')];
    const identity = `${key}\n${effect}`;
    const again = seen.has(identity);
    seen.add(identity);
    return [
      ...qualifiedNameErrors(`${at}.key`, key),
      ...valueErrors(`${at}.value`, textAt(taint, 'value')),
      ...(effect === '' ? [required(`${at}.effect`)] : []),
      ...(effect !== '' && !EFFECTS.includes(effect) ? [notSupported(`${at}.effect`, effect, EFFECTS)] : []),
      ...(again ? [taintTwice(at, taint)] : []),
    ];
  });
}

/** Kubernetes shows the taint as its own code has it. */
function taintTwice(path: string, taint: JsonObject): Errors[number] {
  const shown = {
    Key: textAt(taint, 'key'),
    Value: textAt(taint, 'value'),
    Effect: textAt(taint, 'effect'),
    TimeAdded: taint.timeAdded ?? null,
  };
  const error = duplicate(path, shown);
  return { ...error, message: `${error.message}: taints must be unique by key and effect pair` };
}
