// What many tables show in the same way: names, ages, containers, selectors.

import { ageOf } from '../../answer/age.ts';
import type { Json, JsonObject } from '../../parts.ts';
import { isObject, listAt, numberAt, objectAt, objectsAt, textAt } from '../json.ts';

/** One cell per column of the kind. */
export type Cells = (object: JsonObject, nowMs: number) => readonly Json[];

export const NONE = '<none>';
export const UNSET = '<unset>';

export const specOf = (object: JsonObject): JsonObject => objectAt(object, 'spec');
export const statusOf = (object: JsonObject): JsonObject => objectAt(object, 'status');
export const nameOf = (object: JsonObject): string => textAt(objectAt(object, 'metadata'), 'name');
export const isDeleting = (object: JsonObject): boolean =>
  textAt(objectAt(object, 'metadata'), 'deletionTimestamp') !== '';

export const countAt = (object: JsonObject, key: string): number => numberAt(object, key) ?? 0;

/** The age of a time at a key. */
export const sinceAt = (object: JsonObject, key: string, nowMs: number): string => ageOf(textAt(object, key), nowMs);

export const age = (object: JsonObject, nowMs: number): string =>
  sinceAt(objectAt(object, 'metadata'), 'creationTimestamp', nowMs);

export const orElse = (text: string, otherwise: string): string => (text === '' ? otherwise : text);

/** Names and images of the containers in a Pod's spec. */
export function containerCells(podSpec: JsonObject): readonly [string, string] {
  const containers = objectsAt(podSpec, 'containers');
  const column = (key: string): string => containers.map(container => textAt(container, key)).join(',');
  return [column('name'), column('image')];
}

export const templateSpec = (spec: JsonObject): JsonObject => objectAt(objectAt(spec, 'template'), 'spec');

/** `a=b,c=d`, sorted; `<none>` for no labels. */
export function labelsText(labels: JsonObject): string {
  const pairs = Object.keys(labels)
    .sort()
    .map(key => `${key}=${textAt(labels, key)}`);
  return orElse(pairs.join(','), NONE);
}

/** A label selector as `-l` takes it; empty when it selects everything. */
export function selectorText(selector: JsonObject): string {
  const equal = Object.entries(objectAt(selector, 'matchLabels')).map(
    ([key, value]) => [key, `${key}=${String(value)}`] as const,
  );
  const others = objectsAt(selector, 'matchExpressions').map(
    expression => [textAt(expression, 'key'), expressionText(expression)] as const,
  );
  return [...equal, ...others]
    .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
    .map(([, text]) => text)
    .join(',');
}

function expressionText(expression: JsonObject): string {
  const key = textAt(expression, 'key');
  const values = `(${listAt(expression, 'values').map(String).sort().join(',')})`;
  const texts: Readonly<Record<string, string>> = {
    In: `${key} in ${values}`,
    NotIn: `${key} notin ${values}`,
    Exists: key,
    DoesNotExist: `!${key}`,
  };
  return texts[textAt(expression, 'operator')] ?? '<invalid>';
}

/** An absent selector selects nothing, an empty one everything: both are shown as `<none>`. */
export const selectorCell = (selector: Json | undefined): string =>
  isObject(selector) ? orElse(selectorText(selector), NONE) : NONE;

export const hasCondition = (object: JsonObject, type: string, status = 'True'): boolean =>
  objectsAt(statusOf(object), 'conditions').some(condition => condition.type === type && condition.status === status);
