// Small questions about JSON values, and the one safe way to set a key that a client chose.

import type { Json, JsonObject } from '../parts.ts';

export { sameJson } from '../rules/json.ts';

/** An object that is being built. */
export type Draft = Record<string, Json>;

export const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const isList = (value: Json | undefined): value is readonly Json[] => Array.isArray(value);

/** The object at a key, or an empty one. */
export function objectAt(value: JsonObject, key: string): JsonObject {
  const found = value[key];
  return isObject(found) ? found : {};
}

export function listAt(value: JsonObject, key: string): readonly Json[] {
  const found = value[key];
  return isList(found) ? found : [];
}

/** The objects in the list at a key; anything else in it is passed over. */
export const objectsAt = (value: JsonObject, key: string): readonly JsonObject[] => listAt(value, key).filter(isObject);

/** The string at a key, or the empty one: Go's zero value, as Kubernetes' own code sees an absent field. */
export function textAt(value: JsonObject, key: string): string {
  const found = value[key];
  return typeof found === 'string' ? found : '';
}

export function numberAt(value: JsonObject, key: string): number | undefined {
  const found = value[key];
  return typeof found === 'number' ? found : undefined;
}

/** Sets a key that may be any text: `__proto__` is an ordinary key in JSON. */
export function setKey(draft: Draft, key: string, value: Json): void {
  if (key === '__proto__') {
    Object.defineProperty(draft, key, { value, enumerable: true, configurable: true, writable: true });
  } else {
    draft[key] = value;
  }
}
