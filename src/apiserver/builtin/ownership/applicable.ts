// Whether a configuration can be applied: only fields that the schema knows, each of its type, and each list item once.

import { Refusal } from '../../answer/status.ts';
import type { Json, JsonObject, Resource } from '../../parts.ts';
import { goText } from '../../rules/go-text.ts';
import { isList, isObject } from '../json.ts';
import { fieldSchema, itemSchema, resolved } from '../schemas.ts';
import { type Atom, atomOf } from './atoms.ts';
import type { Step } from './field-set.ts';
import { rootSchema } from './root-schema.ts';
import { fieldStep, itemStep, pathText } from './steps.ts';

/** Nobody reads more. */
const MAX_TOLD = 1000;

export function requireApplicable(resource: Resource, applied: JsonObject): void {
  const problems = [...firstOf(problemsIn(rootSchema(resource), applied, []), MAX_TOLD)];
  if (problems.length === 0) return;
  const { metadata, apiVersion, kind } = applied;
  const { name = '', namespace = '' } = isObject(metadata) ? metadata : {};
  const where = `${String(namespace)}/${String(name)}; ${groupVersion(apiVersion)}, Kind=${String(kind)}`;
  const why = problems.length === 1 ? problems[0] : ['errors:', ...problems].join('\n  ');
  const message = `failed to create typed patch object (${where}): ${why}`;
  // The real server answers 500 here, although it is the client's mistake.
  throw new Refusal({ kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message, code: 500 });
}

function* firstOf(problems: Iterable<string>, count: number): Generator<string> {
  let left = count;
  for (const problem of problems) {
    yield problem;
    left -= 1;
    if (left === 0) return;
  }
}

/** As Go prints a group and version: the core group is empty. */
const groupVersion = (apiVersion: Json | undefined): string =>
  String(apiVersion).includes('/') ? String(apiVersion) : `/${String(apiVersion)}`;

function* problemsIn(schema: JsonObject, value: Json, path: readonly Step[]): Generator<string> {
  const atom = atomOf(schema, value);
  if (value === null) return;
  if (atom.kind === 'scalar') yield* scalarProblem(schema, value, path);
  else if (atom.kind === 'map') {
    if (isObject(value)) yield* mapProblems(atom.schema, value, path);
    else yield expected('map', value, path);
  } else if (isList(value)) yield* listProblems(atom, itemSchema(resolved(schema)), value, path);
  else yield expected('list', value, path);
}

function* scalarProblem(schema: JsonObject, value: Json, path: readonly Step[]): Generator<string> {
  const type = scalarTypeOf(schema);
  if (type === undefined || typeof value === type) return;
  if (type === 'boolean') yield expected('boolean', value, path);
  else if (type === 'number') yield `${pathText(path)}: expected numeric (int or float), got ${goTypeOf(value)}`;
  else yield `${pathText(path)}: expected string, got &value.valueUnstructured{Value:${goSyntax(value)}}`;
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

/** By key; the first field that there is not ends what is told of its object. */
function* mapProblems(schema: JsonObject, value: JsonObject, path: readonly Step[]): Generator<string> {
  for (const key of Object.keys(value).sort()) {
    const at = [...path, fieldStep(key)];
    const field = fieldSchema(schema, key);
    if (field === undefined && isClosed(schema)) {
      yield `${pathText(at)}: field not declared in schema`;
      return;
    }
    yield* problemsIn(field ?? {}, value[key] ?? null, at);
  }
}

/** Only an object schema that names its fields says which others there are not. */
const isClosed = (schema: JsonObject): boolean =>
  schema.properties !== undefined &&
  schema.additionalProperties === undefined &&
  schema['x-kubernetes-preserve-unknown-fields'] !== true;

type ListAtom = Extract<Atom, { readonly kind: 'list' }>;

/** Item by item; one that has no place of its own ends what is told of its list. */
function* listProblems(
  atom: ListAtom,
  schema: JsonObject,
  value: readonly Json[],
  path: readonly Step[],
): Generator<string> {
  const seen = new Set<Step>();
  for (const [index, item] of value.entries()) {
    const why = atom.relation === 'map' ? keyProblem(atom, item) : undefined;
    if (why !== undefined) {
      yield `${pathText(path)}: element ${index}: associative list with keys ${why}`;
      return;
    }
    const step = atom.relation === 'atomic' ? `i:${index}` : itemStep(atom, item);
    if (seen.has(step)) yield `${pathText(path)}: duplicate entries for key ${pathText([step])}`;
    seen.add(step);
    yield* problemsIn(schema, item, [...path, step]);
  }
}

function keyProblem({ keys, item: schema }: KeyedList, item: Json): string | undefined {
  if (item === null) return 'may not have a null element';
  if (!isObject(item)) return 'may not have non-map elements';
  const has = (key: string): boolean =>
    item[key] !== undefined || fieldSchema(resolved(schema), key)?.default !== undefined;
  if (keys.some(has)) return undefined;
  const names = `[${keys.map(key => JSON.stringify(key)).join(' ')}]`;
  return `has an element that omits all key fields ${names} (and doesn't have default values for any key fields)`;
}

type KeyedList = Extract<Atom, { readonly relation: 'map' }>;
