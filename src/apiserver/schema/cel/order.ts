// Order and equality of CEL values of one type.

import { isSameObject } from './values.ts';

/** Negative, zero or positive. Times and durations compare by what they say, texts by their code points. */
export function compared(a: unknown, b: unknown): number {
  const [left, right] = [comparable(a), comparable(b)];
  if (left === right) return 0;
  return left < right ? -1 : 1;
}

type Comparable = string | number | bigint | boolean;

function comparable(value: unknown): Comparable {
  const plain = typeof value === 'object' && value !== null ? value.valueOf() : value;
  if (typeof plain === 'string' || typeof plain === 'number' || typeof plain === 'bigint' || typeof plain === 'boolean')
    return plain;
  throw new Error('no such overload: values of this type have no order');
}

export function isEqual(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) {
    return isNumber(a) && isNumber(b) && Number(a) === Number(b);
  }
  if (Array.isArray(a) && Array.isArray(b)) return a.length === b.length && a.every((item, at) => isEqual(item, b[at]));
  if (a instanceof Map && b instanceof Map) return isSameMap(a, b);
  return isSameValue(a, b);
}

const isNumber = (value: unknown): boolean => typeof value === 'number' || typeof value === 'bigint';

function isSameMap(a: ReadonlyMap<unknown, unknown>, b: ReadonlyMap<unknown, unknown>): boolean {
  return a.size === b.size && [...a].every(([key, value]) => b.has(key) && isEqual(value, b.get(key)));
}

/** Objects of a schema by their JSON; times, quantities and the like by their value. */
function isSameValue(a: object, b: object): boolean {
  if (a.constructor !== b.constructor) return false;
  const [left, right] = [a.valueOf(), b.valueOf()];
  return left === a && right === b ? isSameObject(a, b) : left === right;
}
