// What taints and tolerations must be.

import type { JsonObject } from '../../parts.ts';
import { duplicate, invalid, notSupported, required } from '../../schema/field-errors.ts';
import { numberAt, textAt } from '../json.ts';
import { type Errors, qualifiedNameErrors } from './texts.ts';

const EFFECTS = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'];

export function tolerationErrors(path: string, tolerations: readonly JsonObject[]): Errors {
  return tolerations.flatMap((toleration, index) => {
    const at = `${path}[${index}]`;
    const key = textAt(toleration, 'key');
    return [
      ...(key === '' ? [] : qualifiedNameErrors(`${at}.key`, key)),
      ...operatorErrors(`${at}.operator`, toleration),
      ...effectErrors(`${at}.effect`, toleration),
    ];
  });
}

function operatorErrors(path: string, toleration: JsonObject): Errors {
  const [key, operator, value] = ['key', 'operator', 'value'].map(name => textAt(toleration, name));
  if (key === '' && operator !== 'Exists') {
    const why = 'operator must be Exists when `key` is empty, which means "match all values and all keys"';
    return [invalid(path, operator ?? '', why), ...unknownErrors(path, operator ?? '')];
  }
  if (operator === 'Exists') {
    return value === '' ? [] : [invalid(path, value ?? '', "value must be empty when `operator` is 'Exists'")];
  }
  return unknownErrors(path, operator ?? '');
}

const unknownErrors = (path: string, operator: string): Errors =>
  operator === '' || operator === 'Equal' ? [] : [notSupported(path, operator, ['Equal', 'Exists'])];

function effectErrors(path: string, toleration: JsonObject): Errors {
  const effect = textAt(toleration, 'effect');
  const patience = numberAt(toleration, 'tolerationSeconds') !== undefined;
  const impatient =
    patience && effect !== 'NoExecute'
      ? [invalid(path, effect, "effect must be 'NoExecute' when `tolerationSeconds` is set")]
      : [];
  const unknown = effect !== '' && !EFFECTS.includes(effect) ? [notSupported(path, effect, EFFECTS)] : [];
  return [...impatient, ...unknown];
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
