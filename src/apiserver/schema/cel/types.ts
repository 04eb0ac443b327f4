// A schema as CEL types: what a rule may access is known before there is any object.

import type { Environment } from '@marcbachmann/cel-js';
import type { Json, JsonObject } from '../../parts.ts';
import { isObject } from '../../rules/json.ts';
import type { Structural } from '../structural.ts';
import { escapedName } from './escape.ts';
import { type CelValue, isSameObject, rememberSource, untyped } from './values.ts';

/** A CEL type, and how JSON becomes a value of it. */
export interface Declared {
  readonly name: string;
  toCel(value: Json): CelValue;
}

/** What converting texts to times needs of the library. */
export interface Times {
  timestamp(text: string): CelValue;
  duration(text: string): CelValue;
}

interface Declaring {
  readonly environment: Environment;
  readonly times: Times;
  /** Counts types, for their names. */
  readonly next: () => number;
}

const ANY: Declared = { name: 'dyn', toCel: untyped };
const TEXT: Declared = { name: 'string', toCel: untyped };

/** Registers the types of `schema` and all below it. A whole object also has its kind, version and names. */
export function declareTypes(environment: Environment, schema: Structural, times: Times): Declared {
  let count = 0;
  const next = (): number => {
    count += 1;
    return count;
  };
  return declare({ environment, times, next }, schema);
}

/** A nullable value may be compared with null, so its type is left open. */
function declare(declaring: Declaring, schema: Structural): Declared {
  const declared = declareBare(declaring, schema);
  return schema.nullable ? { ...declared, name: 'dyn' } : declared;
}

function declareBare(declaring: Declaring, schema: Structural): Declared {
  if (schema.types.length !== 1) return ANY;
  switch (schema.types[0]) {
    case 'array':
      return declareList(declaring, schema);
    case 'object':
      return declareObject(declaring, schema);
    case 'integer':
      return { name: 'int', toCel: untyped };
    case 'number':
      return { name: 'double', toCel: value => value };
    case 'boolean':
      return { name: 'bool', toCel: value => value };
    default:
      return declareText(declaring, schema);
  }
}

function declareText({ times }: Declaring, { format }: Structural): Declared {
  switch (format.replaceAll('-', '')) {
    case 'date':
      return { name: 'google.protobuf.Timestamp', toCel: textOr(text => times.timestamp(`${text}T00:00:00Z`)) };
    case 'datetime':
      return { name: 'google.protobuf.Timestamp', toCel: textOr(text => times.timestamp(text)) };
    case 'duration':
      return { name: 'google.protobuf.Duration', toCel: textOr(text => times.duration(text)) };
    case 'byte':
      return { name: 'bytes', toCel: textOr(text => Uint8Array.from(Buffer.from(text, 'base64'))) };
    default:
      return TEXT;
  }
}

const textOr =
  (convert: (text: string) => CelValue) =>
  (value: Json): CelValue =>
    typeof value === 'string' ? convert(value) : untyped(value);

function declareList(declaring: Declaring, { items }: Structural): Declared {
  const item = items === undefined ? ANY : declare(declaring, items);
  const toCel = (value: Json): CelValue => (Array.isArray(value) ? value.map(item.toCel) : untyped(value));
  return { name: `list<${item.name}>`, toCel };
}

function declareObject(declaring: Declaring, schema: Structural): Declared {
  if (schema.additional !== undefined && schema.additional !== false) return declareMap(declaring, schema.additional);
  if (schema.properties.size === 0 && schema.preservesUnknown && !schema.embedded) return ANY;
  return declareMessage(declaring, schema);
}

function declareMap(declaring: Declaring, additional: Structural | true): Declared {
  const item = additional === true ? ANY : declare(declaring, additional);
  const toCel = (value: Json): CelValue =>
    isObject(value) ? new Map(Object.entries(value).map(([key, child]) => [key, item.toCel(child)])) : untyped(value);
  return { name: `map<string, ${item.name}>`, toCel };
}

/** One class per type: the library tells types of objects by their constructors. */
function declareMessage(declaring: Declaring, schema: Structural): Declared {
  const fields = fieldsOf(declaring, schema);
  const name = `Object${declaring.next()}`;
  const Instance = class {};
  const toCel = (value: Json): CelValue =>
    isObject(value) ? instanceOf(new Instance(), fields, value) : untyped(value);
  const types = Object.fromEntries([...fields.values()].map(({ escaped, declared }) => [escaped, declared.name]));
  declaring.environment.registerType(name, { ctor: Instance, fields: types });
  declaring.environment.registerOperator(`${name} == ${name}: bool`, isSameObject);
  return { name, toCel };
}

interface Field {
  readonly escaped: string;
  readonly declared: Declared;
}

/** By their own names. `constructor` would hide the class from the library, so no rule can reach it. */
function fieldsOf(declaring: Declaring, schema: Structural): ReadonlyMap<string, Field> {
  const fields = new Map<string, Field>();
  const properties = schema.embedded ? new Map([...WHOLE_OBJECT, ...schema.properties]) : schema.properties;
  for (const [property, below] of properties) {
    const escaped = escapedName(property);
    if (escaped === undefined || escaped === 'constructor') continue;
    const declared =
      property === 'metadata' && schema.embedded ? declareMetadata(declaring) : declare(declaring, below);
    fields.set(property, { escaped, declared });
  }
  return fields;
}

function instanceOf(instance: object, fields: ReadonlyMap<string, Field>, json: JsonObject): object {
  for (const [property, { escaped, declared }] of fields) {
    const value = Object.hasOwn(json, property) ? json[property] : undefined;
    if (value !== undefined) Reflect.set(instance, escaped, declared.toCel(value));
  }
  return rememberSource(instance, json);
}

/** Of metadata a rule sees the names only. */
function declareMetadata(declaring: Declaring): Declared {
  return declareMessage(declaring, {
    ...EMPTY,
    properties: new Map([
      ['name', STRING],
      ['generateName', STRING],
    ]),
  });
}

const EMPTY: Structural = {
  types: ['object'],
  nullable: false,
  intOrString: false,
  preservesUnknown: false,
  embedded: false,
  properties: new Map(),
  additional: undefined,
  items: undefined,
  required: [],
  default: undefined,
  enum: undefined,
  format: '',
  pattern: '',
  limits: { exclusiveMinimum: false, exclusiveMaximum: false, uniqueItems: false },
  listType: 'atomic',
  listKeys: [],
  mapType: 'granular',
  allOf: [],
  oneOf: [],
  anyOf: [],
  not: undefined,
  rules: [],
  hasRules: false,
  hasDefaults: false,
};
const STRING: Structural = { ...EMPTY, types: ['string'] };
const WHOLE_OBJECT: ReadonlyMap<string, Structural> = new Map([
  ['apiVersion', STRING],
  ['kind', STRING],
  ['metadata', EMPTY],
]);
