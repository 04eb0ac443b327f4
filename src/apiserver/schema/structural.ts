// A structural schema, read once from the CRD's JSON into what every later pass walks.

import type { Json, JsonObject } from '../parts.ts';
import { isObject, listAt, objectAt, stringAt, stringsAt } from '../rules/json.ts';
import { isFormatOf } from './formats.ts';

/** Bounds on a value. Absent: no bound. */
export interface Limits {
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum: boolean;
  readonly exclusiveMaximum: boolean;
  readonly multipleOf?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minProperties?: number;
  readonly maxProperties?: number;
  readonly uniqueItems: boolean;
}

/** One rule of `x-kubernetes-validations`. */
export interface RuleText {
  readonly rule: string;
  readonly message: string;
  readonly messageExpression: string;
  readonly reason: string;
  readonly fieldPath: string;
  readonly optionalOldSelf: boolean | undefined;
}

export interface Structural {
  /** Empty: any; int-or-string has two. */
  readonly types: readonly string[];
  readonly nullable: boolean;
  readonly intOrString: boolean;
  readonly preservesUnknown: boolean;
  readonly embedded: boolean;
  readonly properties: ReadonlyMap<string, Structural>;
  /** `true`: any value under any key. */
  readonly additional: Structural | boolean | undefined;
  readonly items: Structural | undefined;
  readonly required: readonly string[];
  readonly default: Json | undefined;
  readonly enum: readonly Json[] | undefined;
  readonly format: string;
  readonly pattern: string;
  readonly limits: Limits;
  readonly listType: 'atomic' | 'set' | 'map';
  readonly listKeys: readonly string[];
  readonly mapType: 'granular' | 'atomic';
  readonly allOf: readonly Structural[];
  readonly oneOf: readonly Structural[];
  readonly anyOf: readonly Structural[];
  readonly not: Structural | undefined;
  readonly rules: readonly RuleText[];
  /** Whether this schema or any below has rules: where none has, the rules' pass has nothing to do. */
  readonly hasRules: boolean;
  readonly hasDefaults: boolean;
}

const known = new WeakMap<JsonObject, Structural>();

/** The schema, read; the same JSON object is read once. */
export function structuralOf(schema: JsonObject): Structural {
  const before = known.get(schema);
  if (before !== undefined) return before;
  const read = readStructural(schema);
  known.set(schema, read);
  return read;
}

function readStructural(schema: JsonObject): Structural {
  const properties = new Map(
    Object.entries(objectAt(schema, 'properties')).map(([name, property]) => [name, structuralOf(asSchema(property))]),
  );
  const items = isObject(schema.items) ? structuralOf(schema.items) : undefined;
  const additional = readAdditional(schema.additionalProperties);
  const rules = listAt(schema, 'x-kubernetes-validations').filter(isObject).map(readRule);
  const below = [...properties.values(), items, typeof additional === 'object' ? additional : undefined];
  const intOrString = schema['x-kubernetes-int-or-string'] === true;
  return {
    types: intOrString ? ['integer', 'string'] : [stringAt(schema, 'type')].filter(type => type !== ''),
    nullable: schema.nullable === true,
    intOrString,
    preservesUnknown: schema['x-kubernetes-preserve-unknown-fields'] === true,
    embedded: schema['x-kubernetes-embedded-resource'] === true,
    properties,
    additional,
    items,
    required: stringsAt(schema, 'required'),
    default: schema.default,
    enum: Array.isArray(schema.enum) ? schema.enum : undefined,
    format: readFormat(schema),
    pattern: stringAt(schema, 'pattern'),
    limits: readLimits(schema),
    ...readListType(schema),
    ...readCombined(schema),
    rules,
    hasRules: rules.length > 0 || below.some(child => child?.hasRules ?? false),
    hasDefaults: below.some(child => child !== undefined && (child.default !== undefined || child.hasDefaults)),
  };
}

const asSchema = (value: Json | undefined): JsonObject => (isObject(value) ? value : NO_SCHEMA);
const NO_SCHEMA: JsonObject = {};

/** A format that is no restriction is not there. */
function readFormat(schema: JsonObject): string {
  if (schema['x-kubernetes-int-or-string'] === true) return '';
  const format = stringAt(schema, 'format');
  return isFormatOf(stringAt(schema, 'type'), format) ? format : '';
}

function readAdditional(value: Json | undefined): Structural | boolean | undefined {
  if (typeof value === 'boolean') return value;
  return isObject(value) ? structuralOf(value) : undefined;
}

function readListType(schema: JsonObject): Pick<Structural, 'listType' | 'listKeys' | 'mapType'> {
  const listType = stringAt(schema, 'x-kubernetes-list-type');
  return {
    listType: listType === 'set' || listType === 'map' ? listType : 'atomic',
    listKeys: stringsAt(schema, 'x-kubernetes-list-map-keys'),
    mapType: stringAt(schema, 'x-kubernetes-map-type') === 'atomic' ? 'atomic' : 'granular',
  };
}

function readCombined(schema: JsonObject): Pick<Structural, 'allOf' | 'oneOf' | 'anyOf' | 'not'> {
  const each = (key: string): readonly Structural[] => listAt(schema, key).map(one => structuralOf(asSchema(one)));
  return {
    allOf: each('allOf'),
    oneOf: each('oneOf'),
    anyOf: each('anyOf'),
    not: isObject(schema.not) ? structuralOf(schema.not) : undefined,
  };
}

const NUMBERS = [
  'minimum',
  'maximum',
  'multipleOf',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'minProperties',
  'maxProperties',
] as const;

function readLimits(schema: JsonObject): Limits {
  const numbers: Partial<Record<(typeof NUMBERS)[number], number>> = {};
  for (const key of NUMBERS) {
    const value = schema[key];
    if (typeof value === 'number') numbers[key] = value;
  }
  return {
    ...numbers,
    exclusiveMinimum: schema.exclusiveMinimum === true,
    exclusiveMaximum: schema.exclusiveMaximum === true,
    uniqueItems: schema.uniqueItems === true,
  };
}

function readRule(rule: JsonObject): RuleText {
  const optional = rule.optionalOldSelf;
  return {
    rule: stringAt(rule, 'rule'),
    message: stringAt(rule, 'message'),
    messageExpression: stringAt(rule, 'messageExpression'),
    reason: stringAt(rule, 'reason'),
    fieldPath: stringAt(rule, 'fieldPath'),
    optionalOldSelf: typeof optional === 'boolean' ? optional : undefined,
  };
}
