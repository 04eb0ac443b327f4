// How authorization reads plain JSON whose shape nobody has promised: absent and wrongly typed read the same.

import type { Json, JsonObject } from '../parts.ts';

export const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** What stands at a path of keys; undefined when any step is missing. */
export function valueAt(value: Json | undefined, ...path: readonly string[]): Json | undefined {
  let current = value;
  for (const key of path) {
    if (!isObject(current)) return undefined;
    current = Object.hasOwn(current, key) ? current[key] : undefined;
  }
  return current;
}

export function objectAt(value: Json | undefined, ...path: readonly string[]): JsonObject | undefined {
  const found = valueAt(value, ...path);
  return isObject(found) ? found : undefined;
}

/** Empty when there is no list. */
export function listAt(value: Json | undefined, ...path: readonly string[]): readonly Json[] {
  const found = valueAt(value, ...path);
  return Array.isArray(found) ? found : [];
}

/** Empty when there is no string. */
export function textAt(value: Json | undefined, ...path: readonly string[]): string {
  const found = valueAt(value, ...path);
  return typeof found === 'string' ? found : '';
}

/** The strings of a list; anything else in it is left out. */
export function textsAt(value: Json | undefined, ...path: readonly string[]): readonly string[] {
  return listAt(value, ...path).filter(entry => typeof entry === 'string');
}

/** A map of strings, such as labels. */
export function textMapAt(value: Json | undefined, ...path: readonly string[]): Readonly<Record<string, string>> {
  const entries = Object.entries(objectAt(value, ...path) ?? {});
  return Object.fromEntries(entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
}
