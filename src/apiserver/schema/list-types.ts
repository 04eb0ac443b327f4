// Lists that are sets or maps: no element, and no key, twice.

import type { FieldError, Json, JsonObject } from '../parts.ts';
import { isObject } from '../rules/json.ts';
import { duplicate, invalid } from './field-errors.ts';
import type { Structural } from './structural.ts';

/** Of the value and everything below it. */
export function listTypeErrors(schema: Structural, value: Json, path: string): readonly FieldError[] {
  if (Array.isArray(value)) {
    const { items } = schema;
    const below =
      items === undefined ? [] : value.flatMap((item, index) => listTypeErrors(items, item, `${path}[${index}]`));
    return [...ownErrors(schema, value, path), ...below];
  }
  return isObject(value) ? belowObject(schema, value, path) : [];
}

function belowObject(schema: Structural, object: JsonObject, path: string): readonly FieldError[] {
  return Object.entries(object).flatMap(([key, value]) => {
    const property = schema.properties.get(key);
    if (property !== undefined) return listTypeErrors(property, value, path === '' ? key : `${path}.${key}`);
    return typeof schema.additional === 'object' ? listTypeErrors(schema.additional, value, `${path}[${key}]`) : [];
  });
}

function ownErrors(schema: Structural, list: readonly Json[], path: string): readonly FieldError[] {
  switch (schema.listType) {
    case 'set':
      return repeated(list).map(index => duplicate(`${path}[${index}]`, list[index] ?? null));
    case 'map':
      return mapErrors(schema, list, path);
    default:
      return [];
  }
}

function mapErrors({ listKeys }: Structural, list: readonly Json[], path: string): readonly FieldError[] {
  const odd = list.findIndex(item => item !== null && !isObject(item));
  if (odd >= 0) {
    return [invalid(`${path}[${odd}]`, list[odd] ?? null, 'must be an object for an array of list-type map')];
  }
  const keys = list.map(item => (isObject(item) ? keysIn(item, listKeys) : {}));
  return repeated(keys).map(index => duplicate(`${path}[${index}]`, keys[index] ?? {}));
}

/** Sorted, so that two items with the same keys read the same. */
function keysIn(item: JsonObject, listKeys: readonly string[]): JsonObject {
  return Object.fromEntries(
    [...listKeys].sort().flatMap(key => {
      const value = item[key];
      return value === undefined ? [] : [[key, value]];
    }),
  );
}

/** Where each value that stands twice or more is seen for the second time. */
function repeated(values: readonly Json[]): readonly number[] {
  const seen = new Map<string, number>();
  return values.flatMap((value, index) => {
    const key = JSON.stringify(canonical(value));
    const times = (seen.get(key) ?? 0) + 1;
    seen.set(key, times);
    return times === 2 ? [index] : [];
  });
}

function canonical(value: Json): Json {
  if (Array.isArray(value)) return value.map(canonical);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, child]) => [key, canonical(child)]),
  );
}
