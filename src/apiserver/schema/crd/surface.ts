// What a CRD's version shows of its objects: printer columns, the scale subresource, selectable fields.

import type { FieldError, Json, JsonObject } from '../../parts.ts';
import { isObject, listAt, objectAt, stringAt } from '../../rules/json.ts';
import { duplicate, invalid, required, tooMany } from '../field-errors.ts';

const COLUMN_TYPES = ['boolean', 'date', 'integer', 'number', 'string'];
const COLUMN_FORMATS = ['byte', 'date', 'date-time', 'double', 'float', 'int32', 'int64', 'password'];
const MOST_SELECTABLE = 8;

/** `pathOf` says where a part of this version stands in messages. */
export function surfaceErrors(version: JsonObject, pathOf: (part: string) => string): readonly FieldError[] {
  const columns = listAt(version, 'additionalPrinterColumns');
  const columnsPath = pathOf('additionalPrinterColumns');
  return [
    ...scaleErrors(objectAt(version, 'subresources').scale, `${pathOf('subresources')}.scale`),
    ...columns.flatMap((column, index) => (isObject(column) ? columnErrors(column, `${columnsPath}[${index}]`) : [])),
    ...selectableErrors(version, pathOf('selectableFields')),
  ];
}

function scaleErrors(scale: Json | undefined, path: string): readonly FieldError[] {
  if (!isObject(scale)) return [];
  const under = (key: string, prefixes: readonly string[], where: string): readonly FieldError[] => {
    const value = stringAt(scale, key);
    if (value === '') return [required(`${path}.${key}`)];
    if (!value.startsWith('.')) return [invalid(`${path}.${key}`, value, 'must be a simple json path starting with .')];
    return prefixes.some(prefix => value.startsWith(prefix)) ? [] : [invalid(`${path}.${key}`, value, where)];
  };
  return [
    ...under('specReplicasPath', ['.spec.'], 'should be a json path under .spec'),
    ...under('statusReplicasPath', ['.status.'], 'should be a json path under .status'),
    ...(stringAt(scale, 'labelSelectorPath') === ''
      ? []
      : under('labelSelectorPath', ['.spec.', '.status.'], 'should be a json path under either .spec or .status')),
  ];
}

function columnErrors(column: JsonObject, path: string): readonly FieldError[] {
  const [name, type, format, jsonPath] = ['name', 'type', 'format', 'jsonPath'].map(key => stringAt(column, key));
  const types = `must be one of ${COLUMN_TYPES.join(',')}`;
  return [
    ...(name === '' ? [required(`${path}.name`)] : []),
    ...(type === '' ? [required(`${path}.type`, types)] : []),
    ...(type && !COLUMN_TYPES.includes(type) ? [invalid(`${path}.type`, type, types)] : []),
    ...(format && !COLUMN_FORMATS.includes(format)
      ? [invalid(`${path}.format`, format, `must be one of ${COLUMN_FORMATS.join(',')}`)]
      : []),
    ...(jsonPath === '' ? [required(`${path}.JSONPath`)] : []),
    ...(jsonPath && !jsonPath.startsWith('.')
      ? [invalid(`${path}.JSONPath`, jsonPath, 'must be a simple json path starting with .')]
      : []),
  ];
}

function selectableErrors(version: JsonObject, path: string): readonly FieldError[] {
  const schema = objectAt(objectAt(version, 'schema'), 'openAPIV3Schema');
  const paths = listAt(version, 'selectableFields').map(field => (isObject(field) ? stringAt(field, 'jsonPath') : ''));
  const each = paths.flatMap((jsonPath, index) => {
    const at = `${path}[${index}].jsonPath`;
    const own = selectableError(schema, jsonPath, at);
    return own.length === 0 && paths.indexOf(jsonPath) < index ? [duplicate(at, jsonPath)] : own;
  });
  const distinct = new Set(paths).size;
  return distinct > MOST_SELECTABLE ? [...each, tooMany(path, distinct, MOST_SELECTABLE)] : each;
}

function selectableError(schema: JsonObject, jsonPath: string, at: string): readonly FieldError[] {
  if (jsonPath === '') return [required(at)];
  const keys = jsonPath.split('.').slice(1);
  const start = /^[^.[]+/.exec(jsonPath)?.[0];
  if (start !== undefined) return [invalid(at, jsonPath, `is an invalid path: expected [ or . but got: ${start}`)];
  if (!jsonPath.startsWith('.') || keys.some(key => key === '')) {
    return [invalid(at, jsonPath, 'is an invalid path: expected a path of field names that each begin with a dot')];
  }
  const found = keys.reduce<JsonObject | undefined>((current, key) => {
    const next = objectAt(current, 'properties')[key];
    return isObject(next) ? next : undefined;
  }, schema);
  if (found === undefined) return [invalid(at, jsonPath, 'is an invalid path: does not refer to a valid field')];
  const why =
    'must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed.';
  return [
    ...(keys[0] === 'metadata' ? [invalid(at, jsonPath, 'must not point to fields in metadata')] : []),
    ...(['string', 'boolean', 'integer'].includes(stringAt(found, 'type')) ? [] : [invalid(at, jsonPath, why)]),
  ];
}
