// JSON as CEL values: integers by schema, objects as instances whose class says their type.

import type { Json } from '../../parts.ts';
import { isObject, sameJson } from '../../rules/json.ts';

/** A value as the CEL library takes it. */
export type CelValue = unknown;

/** The JSON behind an object's CEL instance: what two of them are compared by. */
const sources = new WeakMap<object, Json>();

export function rememberSource<T extends object>(instance: T, json: Json): T {
  sources.set(instance, json);
  return instance;
}

export const isSameObject = (a: object, b: object): boolean => a === b || sameJson(sources.get(a), sources.get(b));

/** Where no schema says more: whole numbers are integers, objects are maps. */
export function untyped(value: Json): CelValue {
  if (typeof value === 'number') return Number.isInteger(value) ? BigInt(value) : value;
  if (Array.isArray(value)) return value.map(untyped);
  if (!isObject(value)) return value;
  return new Map(Object.entries(value).map(([key, child]) => [key, untyped(child)]));
}
