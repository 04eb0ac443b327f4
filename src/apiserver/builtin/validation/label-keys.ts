// Keys of labels whose values a Pod shares, or does not share, with others: beside a selector, and not in it.

import type { Json, JsonObject } from '../../parts.ts';
import { forbidden, invalid } from '../../schema/field-errors.ts';
import { isObject, listAt, objectAt, objectsAt, textAt } from '../json.ts';
import { NONE } from './fields.ts';
import { type Errors, qualifiedNameErrors } from './texts.ts';

export function labelKeyErrors(path: string, holder: JsonObject): Errors {
  const { matchLabelKeys, mismatchLabelKeys, labelSelector } = holder;
  if (matchLabelKeys === undefined && mismatchLabelKeys === undefined) return NONE;
  const [same, other] = [listAt(holder, 'matchLabelKeys'), listAt(holder, 'mismatchLabelKeys')];
  const at = `${path}.matchLabelKeys`;
  return [
    ...keysErrors(at, same, labelSelector),
    ...keysErrors(`${path}.mismatchLabelKeys`, other, labelSelector),
    ...(isObject(labelSelector) ? selectedErrors(path, same, labelSelector) : NONE),
    ...same.flatMap((key, index) =>
      other.includes(key)
        ? [invalid(`${at}[${index}]`, key, 'exists in both matchLabelKeys and mismatchLabelKeys')]
        : NONE,
    ),
  ];
}

function keysErrors(path: string, keys: readonly Json[], selector: Json | undefined): Errors {
  if (keys.length === 0) return NONE;
  if (!isObject(selector)) return [forbidden(path, 'must not be specified when labelSelector is not set')];
  return keys.flatMap((key, index) => qualifiedNameErrors(`${path}[${index}]`, String(key)));
}

/** Each key was added to the expressions when the Pod came: one that is there twice was there before. */
function selectedErrors(path: string, keys: readonly Json[], selector: JsonObject): Errors {
  const seen = new Set(Object.keys(objectAt(selector, 'matchLabels')));
  return objectsAt(selector, 'matchExpressions').flatMap(expression => {
    const key = textAt(expression, 'key');
    const isTwice = seen.has(key) && keys.includes(key);
    seen.add(key);
    // The real server points into the term itself.
    const at = `${path}[${keys.lastIndexOf(key)}]`;
    return isTwice ? [invalid(at, key, 'exists in both matchLabelKeys and labelSelector')] : NONE;
  });
}
