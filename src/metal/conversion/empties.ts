// What v1beta2 may not say emptily is left out: upstream's v1beta2 leaves out what is empty, and its schema refuses it.

import { type Fields, isFields } from './steps.ts';

/** The part of a schema that tells whether a value is too empty for it. */
export interface EmptinessSchema {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, EmptinessSchema>>;
  readonly additionalProperties?: EmptinessSchema | boolean;
  readonly items?: EmptinessSchema;
  readonly required?: readonly string[];
  readonly enum?: readonly unknown[];
  readonly minLength?: number;
  readonly minItems?: number;
  readonly minProperties?: number;
  readonly minimum?: number;
}

/** The object without its members that are too empty, however deep. What is required stays as it is. */
export function withoutEmpties(fields: Fields, schema: EmptinessSchema): Fields {
  const kept = Object.entries(fields).map(([name, value]): [string, unknown] => {
    const left = filledPart(value, memberSchema(schema, name));
    return [name, left === undefined && schema.required?.includes(name) === true ? value : left];
  });
  return Object.fromEntries(kept.filter(([, value]) => value !== undefined));
}

function memberSchema({ properties, additionalProperties }: EmptinessSchema, name: string): EmptinessSchema {
  const inner = properties?.[name] ?? additionalProperties;
  return typeof inner === 'object' ? inner : {};
}

/** Undefined when nothing is left of it. */
function filledPart(value: unknown, schema: EmptinessSchema): unknown {
  if (Array.isArray(value)) return filledList(value, schema);
  if (!isFields(value)) return isEmptyScalar(value, schema) ? undefined : value;
  const left = withoutEmpties(value, schema);
  return Object.keys(left).length < (schema.minProperties ?? 0) ? undefined : left;
}

function filledList(items: readonly unknown[], { items: schema = {}, minItems = 0 }: EmptinessSchema): unknown {
  if (items.length < minItems) return undefined;
  return items.map(item => filledPart(item, schema) ?? item);
}

function isEmptyScalar(value: unknown, { minLength = 0, minimum = 0, enum: allowed }: EmptinessSchema): boolean {
  if (value === '') return minLength > 0 || allowed !== undefined;
  return value === 0 && minimum > 0;
}
