// The directives of a strategic merge patch: keys that say how to merge and never become fields.

import type { Json, JsonObject } from '../../parts.ts';
import { type Draft, isList, isObject, setKey } from '../json.ts';

export const PATCH = '$patch';
export const RETAIN_KEYS = '$retainKeys';
export const SET_ORDER = '$setElementOrder/';
export const DELETE_FROM = '$deleteFromPrimitiveList/';

/** The field that a directive like `$setElementOrder/containers` is about; undefined for any other key. */
export const fieldOfDirective = (key: string, directive: string): string | undefined =>
  key.startsWith(directive) ? key.slice(directive.length) : undefined;

/** An object that says how to merge instead of, or besides, what. */
export const isDirective = (value: Json): boolean => isObject(value) && Object.hasOwn(value, PATCH);

const isDirectiveKey = (key: string): boolean =>
  key === PATCH || key === RETAIN_KEYS || key.startsWith(SET_ORDER) || key.startsWith(DELETE_FROM);

/** The object as a plain value: no directives, no nulls, and no objects with a directive in them. */
export function withoutDirectives(object: JsonObject): JsonObject {
  const draft: Draft = {};
  for (const [key, value] of Object.entries(object)) {
    const isDropped = isDirectiveKey(key) || value === null || isDirective(value);
    if (!isDropped) setKey(draft, key, plain(value));
  }
  return draft;
}

function plain(value: Json): Json {
  if (isObject(value)) return withoutDirectives(value);
  if (!isList(value)) return value;
  return value.filter(item => !isDirective(item)).map(plain);
}
