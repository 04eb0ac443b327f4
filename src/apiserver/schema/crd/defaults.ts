// Defaults in a CRD's schema: where they may stand, and that they fit their own schema.

import type { FieldError, JsonObject } from '../../parts.ts';
import { isObject, objectAt, sameJson } from '../../rules/json.ts';
import { embeddedErrors } from '../embedded.ts';
import { forbidden, invalid } from '../field-errors.ts';
import { normalize } from '../normalize.ts';
import { structuralOf } from '../structural.ts';
import { schemaErrors } from '../validate.ts';

const METADATA = ['metadata', 'kind', 'apiVersion'];

/** Only on a schema that is structural. */
export function defaultErrors(schema: JsonObject, path: string): readonly FieldError[] {
  const { items, additionalProperties: additional } = schema;
  return [
    ...ownErrors(schema, path),
    ...Object.entries(objectAt(schema, 'properties')).flatMap(([key, property]) =>
      isObject(property) ? defaultErrors(property, `${path}.properties[${key}]`) : [],
    ),
    ...(isObject(items) ? defaultErrors(items, `${path}.items`) : []),
    ...(isObject(additional) ? defaultErrors(additional, `${path}.additionalProperties`) : []),
  ];
}

function ownErrors(schema: JsonObject, path: string): readonly FieldError[] {
  const value = schema.default;
  if (value === undefined) return [];
  const at = `${path}.default`;
  const structural = structuralOf(schema);
  const unpruned = isObject(value) && hasUnknown(schema, value);
  return [
    ...(unpruned ? [invalid(at, value, 'must not have unknown fields')] : []),
    ...schemaErrors({ schema: structural, value, old: undefined, path: '' }).map(error => placed(error, at)),
    ...embeddedErrors(structural, value, at),
  ];
}

/** A default is checked by itself, so its own errors speak of no path; the list of errors does. */
function placed(error: FieldError, at: string): FieldError {
  if (error.field === '<nil>') return { ...error, field: at };
  return { ...error, field: error.field.startsWith('[') ? `${at}${error.field}` : `${at}.${error.field}` };
}

function hasUnknown(schema: JsonObject, value: JsonObject): boolean {
  const structural = structuralOf(schema);
  if (structural.embedded) return false;
  const { unknownFields } = normalize({ ...structural, properties: withoutDefaults(structural) }, value);
  const topLevel = METADATA.filter(key => value[key] !== undefined && !structural.properties.has(key));
  return unknownFields.length > 0 || (topLevel.length > 0 && !structural.preservesUnknown);
}

const withoutDefaults = (structural: ReturnType<typeof structuralOf>): typeof structural.properties =>
  new Map([...structural.properties].map(([key, property]) => [key, { ...property, default: undefined }]));

/** Nothing may be filled in where an object says what it is. */
export function rootDefaultErrors(root: JsonObject, path: string): readonly FieldError[] {
  const properties = objectAt(root, 'properties');
  return METADATA.flatMap(key => {
    const property = properties[key];
    return isObject(property)
      ? defaultsBelow(property, `${path}.properties[${key}]`, `must not be set in top-level ${key}`)
      : [];
  });
}

function defaultsBelow(schema: JsonObject, path: string, why: string): readonly FieldError[] {
  const own = schema.default === undefined || sameJson(schema.default, null) ? [] : [forbidden(`${path}.default`, why)];
  const below = Object.entries(objectAt(schema, 'properties')).flatMap(([key, property]) =>
    isObject(property) ? defaultsBelow(property, `${path}.properties[${key}]`, why) : [],
  );
  return [...own, ...below];
}
