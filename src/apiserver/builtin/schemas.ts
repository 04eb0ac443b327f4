// The OpenAPI schemas of built-in types, and how a reference between them is followed.

import type { JsonObject } from '../parts.ts';
import { isObject, listAt, objectAt, textAt } from './json.ts';
import table from './tables/schemas.generated.json' with { type: 'json' };

const schemas: JsonObject = table;

export const REF_PREFIX = '#/components/schemas/';

/** The schema of a type, by its OpenAPI name; undefined when there is none. */
export function schemaOf(typeName: string): JsonObject | undefined {
  const found = Object.hasOwn(schemas, typeName) ? schemas[typeName] : undefined;
  return isObject(found) ? found : undefined;
}

/** The schema that a field's schema stands for: itself, or the one that it refers to. */
export function resolved(schema: JsonObject): JsonObject {
  const name = referenceOf(schema);
  return name === undefined ? schema : (schemaOf(name) ?? {});
}

/** The type that a field's schema names: directly, or beside a default in `allOf`. */
function referenceOf(schema: JsonObject): string | undefined {
  const only = listAt(schema, 'allOf')[0];
  const reference = textAt(schema, '$ref') || (isObject(only) ? textAt(only, '$ref') : '');
  return reference.startsWith(REF_PREFIX) ? reference.slice(REF_PREFIX.length) : undefined;
}

/** The schema of one field of an object schema; undefined when it has no such field. */
export function fieldSchema(schema: JsonObject, name: string): JsonObject | undefined {
  const properties = objectAt(schema, 'properties');
  const field = Object.hasOwn(properties, name) ? properties[name] : undefined;
  if (isObject(field)) return field;
  const additional = schema.additionalProperties;
  return isObject(additional) ? additional : undefined;
}

export const itemSchema = (schema: JsonObject): JsonObject => objectAt(schema, 'items');
