// What an expression made, as JSON.

import type { Json } from '../parts.ts';
import { inexact, isChanged } from '../request/exact-numbers.ts';

/** A number that cannot be kept as it is. */
export class InexactNumber extends Error {}

export function jsonOf(value: unknown): Json {
  if (typeof value === 'bigint') return numberOf(value);
  if (value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
    return value;
  if (Array.isArray(value)) return value.map(jsonOf);
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
  if (value instanceof Map) return entriesOf([...value]);
  return typeof value === 'object' ? entriesOf(Object.entries(value)) : null;
}

const entriesOf = (entries: readonly (readonly [unknown, unknown])[]): Json =>
  Object.fromEntries(entries.map(([key, each]) => [String(key), jsonOf(each)]));

function numberOf(whole: bigint): number {
  if (isChanged(String(whole))) throw new InexactNumber(inexact(String(whole), 'expression'));
  return Number(whole);
}
