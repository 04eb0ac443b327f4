// What a CRD's schema may say at all: keywords, types and the extensions for lists and maps.

import type { FieldError, Json, JsonObject } from '../../parts.ts';
import { isObject, listAt, objectAt, stringAt, stringsAt } from '../../rules/json.ts';
import { forbidden, invalid, notSupported, required } from '../field-errors.ts';

const TYPES = ['array', 'boolean', 'integer', 'number', 'object', 'string'];

/** Keywords of JSON schema that Kubernetes does not take over. */
const UNSUPPORTED = ['id', 'additionalItems', 'patternProperties', 'definitions', 'dependencies', '$ref'];

/** Of this schema alone, not of those below it. */
export function keywordErrors(schema: JsonObject, path: string): readonly FieldError[] {
  return [
    ...typeErrors(schema, path),
    ...UNSUPPORTED.filter(key => schema[key] !== undefined).map(key =>
      forbidden(`${path}.${key}`, `${key} is not supported`),
    ),
    ...(Array.isArray(schema.items)
      ? [forbidden(`${path}.items`, 'items must be a schema object and not an array')]
      : []),
    ...(schema.uniqueItems === true
      ? [
          forbidden(
            `${path}.uniqueItems`,
            'uniqueItems cannot be set to true since the runtime complexity becomes quadratic',
          ),
        ]
      : []),
    ...additionalErrors(schema, path),
    ...(schema['x-kubernetes-preserve-unknown-fields'] === false
      ? [invalid(`${path}.x-kubernetes-preserve-unknown-fields`, false, 'must be true or undefined')]
      : []),
    ...mapTypeErrors(schema, path),
    ...listTypeErrors(schema, path),
  ];
}

function typeErrors(schema: JsonObject, path: string): readonly FieldError[] {
  const type = stringAt(schema, 'type');
  if (type === '' || TYPES.includes(type)) return [];
  const unsupported = notSupported(`${path}.type`, type, TYPES);
  if (type !== 'null') return [unsupported];
  return [unsupported, forbidden(`${path}.type`, 'type cannot be set to null, use nullable as an alternative')];
}

function additionalErrors(schema: JsonObject, path: string): readonly FieldError[] {
  const { additionalProperties: additional } = schema;
  if (additional === undefined || additional === true || Object.keys(objectAt(schema, 'properties')).length === 0)
    return [];
  return [forbidden(`${path}.additionalProperties`, 'additionalProperties and properties are mutual exclusive')];
}

function mapTypeErrors(schema: JsonObject, path: string): readonly FieldError[] {
  const mapType = schema['x-kubernetes-map-type'];
  if (mapType === undefined) return [];
  return [
    ...mustBe(schema, path, 'object', 'must be object if x-kubernetes-map-type is specified'),
    ...(mapType === 'atomic' || mapType === 'granular'
      ? []
      : [notSupported(`${path}.x-kubernetes-map-type`, mapType, ['atomic', 'granular'])]),
  ];
}

function mustBe(schema: JsonObject, path: string, wanted: string, why: string): readonly FieldError[] {
  const type = stringAt(schema, 'type');
  if (type === wanted) return [];
  return [type === '' ? required(`${path}.type`, why) : invalid(`${path}.type`, type, why)];
}

function listTypeErrors(schema: JsonObject, path: string): readonly FieldError[] {
  const listType = schema['x-kubernetes-list-type'];
  const keys = stringsAt(schema, 'x-kubernetes-list-map-keys');
  if (listType === undefined) {
    if (keys.length === 0) return [];
    return [required(`${path}.x-kubernetes-list-type`, 'must be map if x-kubernetes-list-map-keys is non-empty')];
  }
  return [
    ...mustBe(schema, path, 'array', 'must be array if x-kubernetes-list-type is specified'),
    ...(listType === 'atomic' || listType === 'set' || listType === 'map'
      ? []
      : [notSupported(`${path}.x-kubernetes-list-type`, listType, ['atomic', 'set', 'map'])]),
    ...(keys.length > 0 && listType !== 'map'
      ? [invalid(`${path}.x-kubernetes-list-type`, listType, 'must be map if x-kubernetes-list-map-keys is non-empty')]
      : []),
    ...itemErrors(schema, listType, path),
    ...(listType === 'map' ? listMapErrors(schema, keys, path) : []),
  ];
}

/** Elements that are compared as wholes must be whole: nothing merges into them. */
function itemErrors(schema: JsonObject, listType: Json, path: string): readonly FieldError[] {
  const { items } = schema;
  if (!isObject(items) || (listType !== 'set' && listType !== 'map')) return [];
  const nullable =
    items.nullable === true
      ? [forbidden(`${path}.items.nullable`, `cannot be nullable when x-kubernetes-list-type is ${listType}`)]
      : [];
  if (listType === 'map') return nullable;

  const why = 'must be atomic as item of a list with x-kubernetes-list-type=set';
  const itemListType = items['x-kubernetes-list-type'];
  const itemMapType = items['x-kubernetes-map-type'];
  const isLooseList = items.type === 'array' && itemListType !== undefined && itemListType !== 'atomic';
  const isLooseMap = items.type === 'object' && itemMapType !== 'atomic';
  return [
    ...nullable,
    ...(isLooseList ? [invalid(`${path}.items.x-kubernetes-list-type`, itemListType, why)] : []),
    ...(isLooseMap ? [invalid(`${path}.items.x-kubernetes-map-type`, itemMapType ?? null, why)] : []),
  ];
}

function listMapErrors(schema: JsonObject, keys: readonly string[], path: string): readonly FieldError[] {
  const at = `${path}.x-kubernetes-list-map-keys`;
  const items = objectAt(schema, 'items');
  const isObjectItem = items.type === 'object';
  return [
    ...(keys.length === 0 ? [required(at, 'must not be empty if x-kubernetes-list-type is map')] : []),
    ...(schema.items === undefined
      ? [required(`${path}.items`, 'must have a schema if x-kubernetes-list-type is map')]
      : []),
    ...(isObject(schema.items) && !isObjectItem
      ? [
          invalid(
            `${path}.items.type`,
            items.type ?? '',
            "must be object if parent array's x-kubernetes-list-type is map",
          ),
        ]
      : []),
    ...(isObjectItem ? keys.flatMap((key, index) => keyErrors(items, { key, keys, index }, path)) : []),
  ];
}

interface ListKey {
  readonly key: string;
  readonly keys: readonly string[];
  readonly index: number;
}

function keyErrors(items: JsonObject, { key, keys, index }: ListKey, path: string): readonly FieldError[] {
  const at = `${path}.x-kubernetes-list-map-keys`;
  const repeated = keys.indexOf(key) < index ? [invalid(at, [...keys], 'must not contain duplicate entries')] : [];
  const property = objectAt(items, 'properties')[key];
  if (!isObject(property)) return [invalid(at, [...keys], 'entries must all be names of item properties'), ...repeated];

  const place = `${path}.items.properties[${key}]`;
  const isCompound = property.type === 'array' || property.type === 'object';
  const mayBeAbsent = property.default === undefined && !listAt(items, 'required').includes(key);
  return [
    ...(isCompound
      ? [
          invalid(
            `${place}.type`,
            property.type ?? '',
            "must be a scalar type if parent array's x-kubernetes-list-type is map",
          ),
        ]
      : []),
    ...(mayBeAbsent
      ? [
          required(
            `${place}.default`,
            'this property is in x-kubernetes-list-map-keys, so it must have a default or be a required property',
          ),
        ]
      : []),
    ...(property.nullable === true
      ? [forbidden(`${place}.nullable`, 'this property is in x-kubernetes-list-map-keys, so it cannot be nullable')]
      : []),
    ...repeated,
  ];
}
