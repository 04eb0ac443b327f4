// A schema as CEL types: what a rule may access is known before there is any object.

import type { Environment } from '@marcbachmann/cel-js';
import type { Json, JsonObject } from '../../parts.ts';
import { isObject } from '../../rules/json.ts';
import type { Structural } from '../structural.ts';
import { escapedName } from './escape.ts';
import type { TypeFields } from './type-checks.ts';
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
  /** The fields of the types of objects, by the type's name. */
  readonly fields: Map<string, ReadonlySet<string>>;
}

/** What a rule is checked with: the type of its value, and the fields of all types of objects below it. */
export interface DeclaredTypes extends Declared {
  readonly fields: TypeFields;
}

const ANY: Declared = { name: 'dyn', toCel: untyped };
const TEXT: Declared = { name: 'string', toCel: untyped };

/** Registers the types of `schema` and all below it. A whole object also has its kind, version and names. */
export function declareTypes(
  environment: Environment,
  schema: Structural,
  times: Times,
  name = 'selfType',
): DeclaredTypes {
  const fields = new Map<string, ReadonlySet<string>>();
  return { ...(declare({ environment, times, fields }, schema, name) ?? ANY), fields };
}

/** `name` is what the type is called if it is one of objects. Undefined: without a type a rule sees nothing of it. */
function declare(declaring: Declaring, schema: Structural, name: string): Declared | undefined {
  if (schema.intOrString) return ANY;
  switch (schema.types[0]) {
    case undefined:
      return undefined;
    case 'array':
      return declareList(declaring, schema, name);
    case 'object':
      return declareObject(declaring, schema, name);
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

function declareList(declaring: Declaring, { items }: Structural, name: string): Declared | undefined {
  const item = items === undefined ? undefined : declare(declaring, items, `${name}.__atidx`);
  if (item === undefined) return undefined;
  const toCel = (value: Json): CelValue => (Array.isArray(value) ? value.map(item.toCel) : untyped(value));
  return { name: `list<${item.name}>`, toCel };
}

function declareObject(declaring: Declaring, schema: Structural, name: string): Declared | undefined {
  return typeof schema.additional === 'object'
    ? declareMap(declaring, schema.additional, name)
    : declareMessage(declaring, schema, name);
}

function declareMap(declaring: Declaring, additional: Structural, name: string): Declared | undefined {
  const item = declare(declaring, additional, `${name}.__atelem`);
  if (item === undefined) return undefined;
  const toCel = (value: Json): CelValue =>
    isObject(value) ? new Map(Object.entries(value).map(([key, child]) => [key, item.toCel(child)])) : untyped(value);
  return { name: `map<string, ${item.name}>`, toCel };
}

/** One class per type: the library tells types of objects by their constructors. */
function declareMessage(declaring: Declaring, schema: Structural, name: string): Declared {
  const fields = fieldsOf(declaring, schema, name);
  const Instance = class {};
  const toCel = (value: Json): CelValue =>
    isObject(value) ? instanceOf(new Instance(), fields, value) : untyped(value);
  const types = Object.fromEntries(
    [...fields.values()].flatMap(({ names, declared }) => names.map(each => [each, declared.name] as const)),
  );
  declaring.environment.registerType(name, { ctor: Instance, fields: types });
  declaring.fields.set(name, new Set(Object.keys(types)));
  declaring.environment.registerOperator(`${name} == ${name}: bool`, isSameObject);
  declaring.environment.registerOperator(`${name} == null: bool`, isNull);
  return { name, toCel };
}

/** Of what may be null. */
export const isNull = (a: unknown, b: unknown): boolean => a === b;

interface Field {
  /** What a rule may call it. */
  readonly names: readonly string[];
  readonly declared: Declared;
}

/** By their own names. `constructor` would hide the class from the library, so no rule can reach it. */
function fieldsOf(declaring: Declaring, schema: Structural, name: string): ReadonlyMap<string, Field> {
  const fields = new Map<string, Field>();
  const properties = schema.embedded ? new Map([...WHOLE_OBJECT, ...schema.properties]) : schema.properties;
  for (const [property, below] of properties) {
    const escaped = escapedName(property);
    if (escaped === undefined || escaped === 'constructor') continue;
    const own = property === 'metadata' && schema.embedded ? METADATA : below;
    const declared = declare(declaring, own, `${name}.${escaped}`);
    if (declared !== undefined) fields.set(property, { names: namesOf(property, escaped), declared });
  }
  return fields;
}

/** Words that are kept for later can be used as they are, too. */
const namesOf = (property: string, escaped: string): readonly string[] =>
  escaped === `__${property}__` && !/^(true|false|null|in)$/.test(property) ? [escaped, property] : [escaped];

function instanceOf(instance: object, fields: ReadonlyMap<string, Field>, json: JsonObject): object {
  for (const [property, { names, declared }] of fields) {
    const value = Object.hasOwn(json, property) ? json[property] : undefined;
    // A null is as good as nothing.
    if (value === undefined || value === null) continue;
    const held = declared.toCel(value);
    for (const name of names) Reflect.set(instance, name, held);
  }
  return rememberSource(instance, json);
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
/** Of metadata a rule sees the names only. */
const METADATA: Structural = {
  ...EMPTY,
  properties: new Map([
    ['name', STRING],
    ['generateName', STRING],
  ]),
};
const WHOLE_OBJECT: ReadonlyMap<string, Structural> = new Map([
  ['apiVersion', STRING],
  ['kind', STRING],
  ['metadata', EMPTY],
]);
