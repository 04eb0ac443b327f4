// Reading and comparing JSON values whose shape is not known.

import type { Json, JsonObject } from '../parts.ts';

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The object at `key`, or an empty one. */
export function objectAt(object: JsonObject | undefined, key: string): JsonObject {
  const value = object?.[key];
  return isObject(value) ? value : {};
}

/** The string at `key`, or the empty string. */
export function stringAt(object: JsonObject | undefined, key: string): string {
  const value = object?.[key];
  return typeof value === 'string' ? value : '';
}

/** The list at `key`, or an empty one. */
export function listAt(object: JsonObject | undefined, key: string): readonly Json[] {
  const value = object?.[key];
  return Array.isArray(value) ? value : [];
}

/** The strings of the list at `key`. */
export function stringsAt(object: JsonObject | undefined, key: string): readonly string[] {
  return listAt(object, key).filter(item => typeof item === 'string');
}

/** `object` without these keys. */
export function without(object: JsonObject, ...keys: readonly string[]): JsonObject {
  const rest: Draft = {};
  for (const key of Object.keys(object)) if (!keys.includes(key)) setKey(rest, key, object[key]);
  return rest;
}

/** `object` with these metadata fields set; undefined removes a field. */
export function withMeta(object: JsonObject, changes: Readonly<Record<string, Json | undefined>>): JsonObject {
  const before = objectAt(object, 'metadata');
  const metadata: Draft = {};
  for (const key of Object.keys(before))
    setKey(metadata, key, Object.hasOwn(changes, key) ? changes[key] : before[key]);
  for (const key of Object.keys(changes)) if (!Object.hasOwn(before, key)) setKey(metadata, key, changes[key]);
  return { ...object, metadata };
}

/** An object that is being built. */
export type Draft = Record<string, Json>;

/** Sets a key that may be any text: `__proto__` is an ordinary key in JSON. Undefined is not set. */
export function setKey(draft: Draft, key: string, value: Json | undefined): void {
  if (value === undefined) return;
  if (key !== '__proto__') draft[key] = value;
  else Object.defineProperty(draft, key, { value, enumerable: true, configurable: true, writable: true });
}

/** Whether two values are the same, whatever the order of keys. */
export function sameJson(a: Json | undefined, b: Json | undefined): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  return Array.isArray(a) || Array.isArray(b) ? sameList(a, b) : sameObject(a as JsonObject, b as JsonObject);
}

function sameList(a: Json, b: Json): boolean {
  if (!Array.isArray(a) || !Array.isArray(b) || a.length !== b.length) return false;
  for (let at = 0; at < a.length; at += 1) if (!sameJson(a[at], b[at])) return false;
  return true;
}

/** Neither lists of keys nor closures: a write compares hundreds of objects. What was JSON has no keys but its own. */
function sameObject(a: JsonObject, b: JsonObject): boolean {
  let left = 0;
  for (const key in a) {
    if (!Object.hasOwn(b, key) || !sameJson(a[key], b[key])) return false;
    left += 1;
  }
  for (const _ in b) left -= 1;
  return left === 0;
}

/** What Go calls the type of a JSON value. */
export function jsonTypeName(value: Json | undefined): string {
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'boolean') return 'bool';
  return value === null || value === undefined ? 'null' : typeof value;
}

/** The number at `key`. */
export function numberAt(object: JsonObject | undefined, key: string): number | undefined {
  const value = object?.[key];
  return typeof value === 'number' ? value : undefined;
}
