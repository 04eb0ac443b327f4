// What makes a schema structural: every field has one type, and logic only narrows what is declared outside of it.

import type { FieldError, JsonObject } from '../../parts.ts';
import { isObject, listAt, objectAt, sameJson, stringAt } from '../../rules/json.ts';
import { forbidden, invalid, required } from '../field-errors.ts';
import { patternProblem } from '../patterns.ts';

type Level = 'root' | 'item' | 'field';

const INT_OR_STRING = [{ type: 'integer' }, { type: 'string' }];

/** Of the schema and all below it; sorted, because Kubernetes sorts these. */
export function structureErrors(schema: JsonObject, path: string): readonly FieldError[] {
  const errors = [...invariantErrors(schema, 'root', path), ...completenessErrors(schema, path)];
  return errors.sort((a, b) => (textOf(a) < textOf(b) ? -1 : 1));
}

const textOf = ({ field, message }: FieldError): string => `${field}: ${message}`;

function invariantErrors(schema: JsonObject, level: Level, path: string): readonly FieldError[] {
  const { items, additionalProperties: additional } = schema;
  return [
    ...(schema.type === 'array' && items === undefined ? [required(`${path}.items`, 'must be specified')] : []),
    ...(isObject(items) ? invariantErrors(items, 'item', `${path}.items`) : []),
    ...Object.entries(objectAt(schema, 'properties')).flatMap(([key, property]) =>
      isObject(property) ? invariantErrors(property, 'field', `${path}.properties[${key}]`) : [],
    ),
    ...(additional !== undefined && level === 'root'
      ? [forbidden(`${path}.additionalProperties`, 'must not be used at the root')]
      : []),
    ...(isObject(additional) ? invariantErrors(additional, 'field', `${path}.additionalProperties`) : []),
    ...extensionErrors(schema, path),
    ...logicErrors(schema, path),
    ...typeErrors(schema, level, path),
    ...metadataErrors(schema, level, path),
  ];
}

function extensionErrors(schema: JsonObject, path: string): readonly FieldError[] {
  if (schema['x-kubernetes-int-or-string'] !== true) return [];
  return ['x-kubernetes-preserve-unknown-fields', 'x-kubernetes-embedded-resource']
    .filter(extension => schema[extension] === true)
    .map(extension => invalid(`${path}.${extension}`, true, 'must be false if x-kubernetes-int-or-string is true'));
}

const EMPTY_TYPE: Readonly<Record<Level, string>> = {
  root: 'must not be empty at the root',
  item: 'must not be empty for specified array items',
  field: 'must not be empty for specified object fields',
};

function typeErrors(schema: JsonObject, level: Level, path: string): readonly FieldError[] {
  const type = stringAt(schema, 'type');
  const at = `${path}.type`;
  const isEmbedded = schema['x-kubernetes-embedded-resource'] === true;
  if (isEmbedded && type !== 'object') {
    const why = 'must be object if x-kubernetes-embedded-resource is true';
    return [type === '' ? required(at, why) : invalid(at, type, why), ...embeddedErrors(schema, path)];
  }
  const isFree =
    schema['x-kubernetes-int-or-string'] === true || schema['x-kubernetes-preserve-unknown-fields'] === true;
  if (type === '' && !isFree) return [required(at, EMPTY_TYPE[level])];
  return [
    ...(level === 'root' && type !== '' && type !== 'object' ? [invalid(at, type, 'must be object at the root')] : []),
    ...(isEmbedded ? embeddedErrors(schema, path) : []),
  ];
}

function embeddedErrors(schema: JsonObject, path: string): readonly FieldError[] {
  const hasProperties = Object.keys(objectAt(schema, 'properties')).length > 0;
  const keeps = schema['x-kubernetes-preserve-unknown-fields'] === true;
  return [
    ...(schema.additionalProperties === undefined
      ? []
      : [forbidden(`${path}.additionalProperties`, 'must not be used if x-kubernetes-embedded-resource is set')]),
    ...(hasProperties || keeps
      ? []
      : [
          required(
            `${path}.properties`,
            'must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields',
          ),
        ]),
  ];
}

/** A whole object's kind, apiVersion and metadata are Kubernetes' own. */
function metadataErrors(schema: JsonObject, level: Level, path: string): readonly FieldError[] {
  const isWhole = level === 'root' || schema['x-kubernetes-embedded-resource'] === true;
  if (!isWhole) return [];
  const properties = objectAt(schema, 'properties');
  const named = (key: string, type: string): readonly FieldError[] => {
    const property = properties[key];
    if (!isObject(property) || property.type === type) return [];
    return [invalid(`${path}.properties[${key}].type`, stringAt(property, 'type'), `must be ${type}`)];
  };
  const own = [...named('kind', 'string'), ...named('apiVersion', 'string'), ...named('metadata', 'object')];
  const metadata = properties.metadata;
  if (level !== 'root' || !isObject(metadata) || restrictsNamesOnly(metadata)) return own;
  const why = 'must not specify anything other than name and generateName, but metadata is implicitly specified';
  return [...own, forbidden(`${path}.properties[metadata]`, why)];
}

function restrictsNamesOnly(metadata: JsonObject): boolean {
  const { type: _type, properties: _properties, default: _default, ...rest } = metadata;
  const names = Object.keys(objectAt(metadata, 'properties'));
  return Object.keys(rest).length === 0 && names.every(name => name === 'name' || name === 'generateName');
}

/** The two ways of writing int-or-string are logic that may name types. */
function logicErrors(schema: JsonObject, path: string): readonly FieldError[] {
  const isPlain = sameJson(schema.anyOf, INT_OR_STRING);
  const [first] = listAt(schema, 'allOf');
  const isNested = isObject(first) && sameJson(first.anyOf, INT_OR_STRING);
  const each = (key: string, skip: (index: number) => boolean): readonly FieldError[] =>
    listAt(schema, key).flatMap((one, index) =>
      isObject(one) && !skip(index) ? nestedErrors(one, `${path}.${key}[${index}]`) : [],
    );
  return [
    ...each('anyOf', () => isPlain),
    ...each('allOf', index => isNested && index === 0),
    ...each('oneOf', () => false),
    ...(isObject(schema.not) ? nestedErrors(schema.not, `${path}.not`) : []),
    ...patternErrors(schema, path),
  ];
}

function patternErrors(schema: JsonObject, path: string): readonly FieldError[] {
  const pattern = stringAt(schema, 'pattern');
  const problem = pattern === '' ? undefined : patternProblem(pattern);
  if (problem === undefined) return [];
  return [invalid(`${path}.pattern`, pattern, `must be a valid regular expression, but isn't: ${problem}`)];
}

/** Keyword to what it must be inside of logic. */
const BANNED: readonly (readonly [string, string])[] = [
  ['type', 'must be empty to be structural'],
  ['additionalProperties', 'must be undefined to be structural'],
  ['default', 'must be undefined to be structural'],
  ['title', 'must be empty to be structural'],
  ['description', 'must be empty to be structural'],
  ['nullable', 'must be false to be structural'],
  ['x-kubernetes-preserve-unknown-fields', 'must be false to be structural'],
  ['x-kubernetes-embedded-resource', 'must be false to be structural'],
  ['x-kubernetes-int-or-string', 'must be false to be structural'],
  ['x-kubernetes-list-map-keys', 'must be empty to be structural'],
  ['x-kubernetes-list-type', 'must be undefined to be structural'],
  ['x-kubernetes-map-type', 'must be undefined to be structural'],
  ['x-kubernetes-validations', 'must be empty to be structural'],
];

function nestedErrors(schema: JsonObject, path: string): readonly FieldError[] {
  const isSet = (key: string): boolean => schema[key] !== undefined && schema[key] !== false && schema[key] !== '';
  const properties = objectAt(schema, 'properties');
  return [
    ...logicErrors(schema, path),
    ...(isObject(schema.items) ? nestedErrors(schema.items, `${path}.items`) : []),
    ...Object.entries(properties).flatMap(([key, property]) =>
      isObject(property) ? nestedErrors(property, `${path}.properties[${key}]`) : [],
    ),
    ...BANNED.filter(([key]) => isSet(key)).map(([key, why]) => forbidden(`${path}.${key}`, why)),
    ...(properties.metadata === undefined
      ? []
      : [forbidden(`${path}.properties[metadata]`, 'must not be specified in a nested context')]),
  ];
}

/** Whatever logic speaks of must be declared outside of it. Kubernetes asks this of the root's logic only. */
function completenessErrors(schema: JsonObject, path: string): readonly FieldError[] {
  return logicOf(schema, path).flatMap(([nested, at]) => declaredErrors(nested, schema, at, path));
}

function logicOf(schema: JsonObject, path: string): readonly (readonly [JsonObject, string])[] {
  const lists = ['allOf', 'anyOf', 'oneOf'].flatMap(key =>
    listAt(schema, key).map((one, index) => [one, `${path}.${key}[${index}]`] as const),
  );
  const all = [...lists, [schema.not, `${path}.not`] as const];
  return all.flatMap(([one, at]) => (isObject(one) ? [[one, at] as const] : []));
}

/** `at` is where the logic stands, `path` where the declaration should. */
function declaredErrors(nested: JsonObject, declared: JsonObject, at: string, path: string): readonly FieldError[] {
  const properties = objectAt(declared, 'properties');
  const fields = Object.entries(objectAt(nested, 'properties')).flatMap(([key, property]): readonly FieldError[] => {
    const [where, here] = [`${path}.properties[${key}]`, `${at}.properties[${key}]`];
    const outside = properties[key];
    if (!isObject(outside)) return [required(where, `because it is defined in ${here}`)];
    return isObject(property) ? declaredErrors(property, outside, here, where) : [];
  });
  const deeper = logicOf(nested, at).flatMap(([one, here]) => declaredErrors(one, declared, here, path));
  return [...fields, ...deeper, ...itemsDeclared(nested, declared, at, path)];
}

function itemsDeclared(nested: JsonObject, declared: JsonObject, at: string, path: string): readonly FieldError[] {
  if (!isObject(nested.items)) return [];
  if (isObject(declared.items)) return declaredErrors(nested.items, declared.items, `${at}.items`, `${path}.items`);
  return [required(`${path}.items`, `because it is defined in ${at}.items`)];
}
