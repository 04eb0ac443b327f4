// Whole objects inside an object (`x-kubernetes-embedded-resource`): they say what they are.

import type { FieldError, Json, JsonObject } from '../parts.ts';
import { isObject } from '../rules/json.ts';
import { invalid, required } from './field-errors.ts';
import type { Structural } from './structural.ts';

const KIND = /^[a-z]([-a-z0-9]*[a-z0-9])?$/;
const KIND_RULE =
  "may have mixed case, but should otherwise match: a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')";

/** Of the value and everything below it. */
export function embeddedErrors(schema: Structural, value: Json, path: string): readonly FieldError[] {
  if (Array.isArray(value)) {
    const { items } = schema;
    return items === undefined ? [] : value.flatMap((item, at) => embeddedErrors(items, item, `${path}[${at}]`));
  }
  if (!isObject(value)) return [];
  return [...(schema.embedded ? ownErrors(value, path) : []), ...belowObject(schema, value, path)];
}

function belowObject(schema: Structural, object: JsonObject, path: string): readonly FieldError[] {
  return Object.entries(object).flatMap(([key, value]) => {
    const property = schema.properties.get(key);
    if (property !== undefined) return embeddedErrors(property, value, path === '' ? key : `${path}.${key}`);
    return typeof schema.additional === 'object' ? embeddedErrors(schema.additional, value, `${path}[${key}]`) : [];
  });
}

function ownErrors(object: JsonObject, path: string): readonly FieldError[] {
  const { apiVersion, kind, metadata } = object;
  return [
    ...textErrors(apiVersion, `${path}.apiVersion`),
    ...textErrors(kind, `${path}.kind`),
    ...(typeof kind === 'string' && kind !== '' && !KIND.test(kind.toLowerCase())
      ? [invalid(`${path}.kind`, kind, KIND_RULE)]
      : []),
    ...(typeof apiVersion === 'string' && apiVersion.split('/').length > 2
      ? [invalid(`${path}.apiVersion`, apiVersion, `unexpected GroupVersion string: ${apiVersion}`)]
      : []),
    ...(metadata !== undefined && !isObject(metadata)
      ? [invalid(`${path}.metadata`, metadata, 'must be an object')]
      : []),
  ];
}

function textErrors(value: Json | undefined, path: string): readonly FieldError[] {
  if (value === undefined) return [required(path)];
  if (typeof value !== 'string') return [invalid(path, value, 'must be a string')];
  return value === '' ? [invalid(path, value, 'must not be empty')] : [];
}
