// Whether a configuration can be applied: only fields that the schema knows, and each list item once.

import { Refusal } from '../../answer/status.ts';
import type { Json, JsonObject, Resource } from '../../parts.ts';
import { goText } from '../../rules/go-text.ts';
import { isList, isObject } from '../json.ts';
import { fieldSchema, resolved } from '../schemas.ts';
import { type Atom, atomOf } from './atoms.ts';
import type { Step } from './field-set.ts';
import { rootSchema } from './root-schema.ts';
import { fieldStep, indexed, pathText } from './steps.ts';

export function requireApplicable(resource: Resource, applied: JsonObject): void {
  const problem = problemIn(rootSchema(resource), applied, []);
  if (problem === undefined) return;
  const { metadata, apiVersion, kind } = applied;
  const { name = '', namespace = '' } = isObject(metadata) ? metadata : {};
  const where = `${String(namespace)}/${String(name)}; ${groupVersion(apiVersion)}, Kind=${String(kind)}`;
  const message = `failed to create typed patch object (${where}): ${problem}`;
  // The real server answers 500 here, although it is the client's mistake.
  throw new Refusal({ kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message, code: 500 });
}

/** As Go prints a group and version: the core group is empty. */
const groupVersion = (apiVersion: Json | undefined): string =>
  String(apiVersion).includes('/') ? String(apiVersion) : `/${String(apiVersion)}`;

function problemIn(schema: JsonObject, value: Json, path: readonly Step[]): string | undefined {
  const atom = atomOf(schema, value);
  if (atom.kind === 'scalar') return scalarProblem(schema, value, path);
  if (value === null) return undefined;
  if (atom.kind === 'map') {
    return isObject(value) ? mapProblem(atom.schema, value, path) : expected('map', value, path);
  }
  return isList(value) ? listProblem(atom, value, path) : expected('list', value, path);
}

/** Null is a value of every type. */
function scalarProblem(schema: JsonObject, value: Json, path: readonly Step[]): string | undefined {
  const type = scalarTypeOf(schema);
  if (type === undefined || value === null || typeof value === type) return undefined;
  if (type === 'number') return `${pathText(path)}: expected numeric (int or float), got ${goTypeOf(value)}`;
  return `${pathText(path)}: expected ${type}, got ${goSyntax(value)}`;
}

const SCALARS: Readonly<Record<string, 'string' | 'number' | 'boolean'>> = {
  string: 'string',
  integer: 'number',
  number: 'number',
  boolean: 'boolean',
};

function scalarTypeOf(schema: JsonObject): 'string' | 'number' | 'boolean' | undefined {
  const target = resolved(schema);
  const isOpen = target.oneOf !== undefined || target['x-kubernetes-int-or-string'] === true;
  return isOpen ? undefined : SCALARS[String(target.type)];
}

const expected = (what: string, value: Json, path: readonly Step[]): string =>
  `${pathText(path)}: expected ${what}, got &{${goText(value)}}`;

/** As Go prints a value with %T and %#v. */
function goTypeOf(value: Json): string {
  if (isObject(value)) return 'map[string]interface {}';
  if (isList(value)) return '[]interface {}';
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'string') return 'string';
  return Number.isInteger(value) ? 'int64' : 'float64';
}

function goSyntax(value: Json): string {
  if (isObject(value)) {
    const entries = Object.entries(value).map(([key, inner]) => `${JSON.stringify(key)}:${goSyntax(inner)}`);
    return `map[string]interface {}{${entries.join(', ')}}`;
  }
  if (isList(value)) return `[]interface {}{${value.map(goSyntax).join(', ')}}`;
  return JSON.stringify(value);
}

function mapProblem(schema: JsonObject, value: JsonObject, path: readonly Step[]): string | undefined {
  for (const [key, inner] of Object.entries(value)) {
    const at = [...path, fieldStep(key)];
    const field = fieldSchema(schema, key);
    if (field === undefined && isClosed(schema)) return `${pathText(at)}: field not declared in schema`;
    const problem = problemIn(field ?? {}, inner, at);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

type KeyedList = Extract<Atom, { readonly relation: 'map' }>;

const lacksKeys = (item: Json, { keys, item: schema }: KeyedList): boolean =>
  isObject(item) && keys.every(key => item[key] === undefined && fieldSchema(schema, key)?.default === undefined);

/** Only an object schema that names its fields says which others there are not. */
const isClosed = (schema: JsonObject): boolean =>
  schema.properties !== undefined &&
  schema.additionalProperties === undefined &&
  schema['x-kubernetes-preserve-unknown-fields'] !== true;

function listProblem(
  atom: Atom & { readonly kind: 'list' },
  value: readonly Json[],
  path: readonly Step[],
): string | undefined {
  if (atom.relation === 'atomic') return undefined;
  const bare = atom.relation === 'map' ? value.findIndex(item => lacksKeys(item, atom)) : -1;
  if (atom.relation === 'map' && bare >= 0) {
    const keys = `[${atom.keys.map(key => JSON.stringify(key)).join(' ')}]`;
    const why = `an element that omits all key fields ${keys} (and doesn't have default values for any key fields)`;
    return `${pathText(path)}: element ${bare}: associative list with keys has ${why}`;
  }
  for (const [step, items] of indexed(atom, value)) {
    if (items.length > 1) return `${pathText(path)}: duplicate entries for key ${pathText([step])}`;
    const problem = atom.relation === 'map' ? problemIn(atom.item, items[0] ?? null, [...path, step]) : undefined;
    if (problem !== undefined) return problem;
  }
  return undefined;
}
