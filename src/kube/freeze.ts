// What becomes of an object on its way into the cache: managedFields go (half its size), and nobody can change the rest.

import type { KubeObject } from './object.ts';

/** Freezes a freshly parsed object, all the way down, without its managedFields. */
export function ingest<T extends KubeObject>(object: T): T {
  const { managedFields, ...metadata } = object.metadata;
  return freeze(managedFields === undefined ? object : { ...object, metadata });
}

/** All the way down. */
export function freeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  for (const inner of Object.values(value)) freeze(inner);
  return Object.freeze(value);
}
