// Validates a value against a structural schema, one visit per value, in Kubernetes' own wording.

import type { FieldError, Json, JsonObject } from '../parts.ts';
import { isObject, sameJson } from '../rules/json.ts';
import { combinedErrors } from './combined.ts';
import { correlatedItem } from './correlate.ts';
import { invalid, notSupported, required, tooMany, typeInvalid } from './field-errors.ts';
import { numberErrors, stringErrors } from './scalars.ts';
import type { Structural } from './structural.ts';

/** One value under validation. */
export interface Visit {
  readonly schema: Structural;
  readonly value: Json;
  /** The value before the update, where one corresponds: what has not changed is not judged again. */
  readonly old: Json | undefined;
  /** `spec.replicas`; empty at the root. */
  readonly path: string;
}

/** Everything that is wrong with the value. */
export function schemaErrors(visit: Visit): readonly FieldError[] {
  const { schema, value, old } = visit;
  const errors = [...typeErrors(visit), ...contentErrors(visit), ...enumErrors(schema, value, visit.path)];
  // Ratcheting: a rule that came later does not make an unchanged value wrong.
  return errors.length > 0 && old !== undefined && sameJson(old, value) ? [] : errors;
}

function contentErrors(visit: Visit): readonly FieldError[] {
  const { value } = visit;
  if (value === null) return [];
  return [...combinedErrors(visit, schemaErrors), ...kindErrors(visit, value)];
}

function kindErrors(visit: Visit, value: NonNullable<Json>): readonly FieldError[] {
  if (typeof value === 'string') return stringErrors(visit.schema, value, visit.path);
  if (typeof value === 'number') return numberErrors(visit.schema, value, visit.path);
  if (typeof value === 'boolean') return [];
  return isObject(value) ? objectErrors(visit, value) : listErrors(visit, value as readonly Json[]);
}

/** JSON has no integers of its own: 1.0 is one, and one that 64 bits cannot hold is none. */
function typeOf(value: Json): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number') return isInteger(value) ? 'integer' : 'number';
  return typeof value;
}

const isInteger = (value: number): boolean => Number.isInteger(value) && Math.abs(value) < 2 ** 63;

function typeErrors({ schema, value, path }: Visit): readonly FieldError[] {
  const { types, format } = schema;
  if (types.length === 0 || (value === null && schema.nullable)) return [];
  const type = typeOf(value);
  if (types.includes(type) || (type === 'integer' && types.includes('number'))) return [];
  const [wanted, found] = namesFormats(value, format) ? [format, formatOf(type)] : [types.join(','), type];
  return [typeInvalid(path, found, `${path} in body must be of type ${wanted}: ${JSON.stringify(found)}`)];
}

/** Where the schema has a format, values that are neither texts, lists nor null are spoken of by theirs. */
const namesFormats = (value: Json, format: string): boolean =>
  format !== '' && value !== null && typeof value !== 'string' && !Array.isArray(value);

const formatOf = (type: string): string => (type === 'integer' ? 'int64' : type === 'number' ? 'float64' : '');

function enumErrors(schema: Structural, value: Json, path: string): readonly FieldError[] {
  if (schema.enum === undefined || schema.enum.some(allowed => sameJson(allowed, value))) return [];
  if (value === null && schema.nullable) return [];
  return [notSupported(path, value, schema.enum)];
}

function objectErrors({ schema, old, path }: Visit, object: JsonObject): readonly FieldError[] {
  const before = isObject(old) ? old : undefined;
  const below = Object.entries(object).flatMap(([key, child]) => {
    const property = schema.properties.get(key) ?? schema.additional;
    const at = path === '' ? key : `${path}.${key}`;
    if (property === false) return [invalid(path, key, `${path}.${key} in body is a forbidden property`)];
    if (property === undefined || property === true) return [];
    return schemaErrors({
      schema: property,
      value: child,
      old: before !== undefined && Object.hasOwn(before, key) ? before[key] : undefined,
      path: at,
    });
  });
  const missing = schema.required.filter(key => !Object.hasOwn(object, key));
  return [
    ...sizeErrors(schema, Object.keys(object).length, path),
    ...below,
    ...missing.map(key => required(path === '' ? key : `${path}.${key}`)),
  ];
}

function sizeErrors({ limits }: Structural, size: number, path: string): readonly FieldError[] {
  const { minProperties = 0, maxProperties = Number.POSITIVE_INFINITY } = limits;
  if (size < minProperties) {
    return [invalid(path, size, `${path} in body should have at least ${minProperties} properties`)];
  }
  return size > maxProperties ? [tooMany(path, size, maxProperties)] : [];
}

function listErrors({ schema, old, path }: Visit, list: readonly Json[]): readonly FieldError[] {
  const { items } = schema;
  const before = Array.isArray(old) ? old : undefined;
  const below =
    items === undefined
      ? []
      : list.flatMap((value, index) =>
          schemaErrors({
            schema: items,
            value,
            old: correlatedItem(schema, before, value),
            path: `${path}[${index}]`,
          }),
        );
  return [...below, ...lengthErrors(schema, list, path)];
}

function lengthErrors({ limits }: Structural, list: readonly Json[], path: string): readonly FieldError[] {
  const { minItems = 0, maxItems = Number.POSITIVE_INFINITY, uniqueItems } = limits;
  const size = list.length;
  const hasDuplicates = (): boolean => list.some((item, at) => list.findIndex(other => sameJson(other, item)) < at);
  return [
    ...(size < minItems ? [invalid(path, size, `${path} in body should have at least ${minItems} items`)] : []),
    ...(size > maxItems ? [tooMany(path, size, maxItems)] : []),
    ...(uniqueItems && hasDuplicates() ? [invalid(path, '', `${path} in body shouldn't contain duplicates`)] : []),
  ];
}
