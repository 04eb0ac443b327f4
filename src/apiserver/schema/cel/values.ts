// JSON as CEL values: integers by schema, objects as instances whose class says their type.

import type { Json } from '../../parts.ts';
import { isObject, sameJson } from '../../rules/json.ts';

/** A value as the CEL library takes it. */
export type CelValue = unknown;

const SOURCE = Symbol('source');

/** An object's CEL instance keeps the JSON behind it: what two of them are compared by. */
interface Instance {
  [SOURCE]?: Json;
}

export function rememberSource<T extends object>(instance: T & Instance, json: Json): T {
  instance[SOURCE] = json;
  return instance;
}

export const isSameObject = (a: Instance, b: Instance): boolean => a === b || sameJson(a[SOURCE], b[SOURCE]);

/** Where no schema says more: whole numbers are integers, objects are maps. */
export function untyped(value: Json): CelValue {
  if (typeof value === 'number') return Number.isInteger(value) ? BigInt(value) : value;
  if (Array.isArray(value)) return value.map(untyped);
  if (!isObject(value)) return value;
  return new Map(Object.entries(value).map(([key, child]) => [key, untyped(child)]));
}
