// Whether a configuration can be applied: only fields that the schema knows, and each list item once.

import { Refusal } from '../../answer/status.ts';
import type { Json, JsonObject, Resource } from '../../parts.ts';
import { isList, isObject } from '../json.ts';
import { fieldSchema } from '../schemas.ts';
import { type Atom, atomOf } from './atoms.ts';
import type { Step } from './field-set.ts';
import { rootSchema } from './root-schema.ts';
import { fieldStep, indexed, pathText } from './steps.ts';

export function requireApplicable(resource: Resource, applied: JsonObject): void {
  const problem = problemIn(rootSchema(resource), applied, []);
  if (problem === undefined) return;
  const { metadata, apiVersion, kind } = applied;
  const { name = '', namespace = '' } = isObject(metadata) ? metadata : {};
  const where = `${String(namespace)}/${String(name)}; ${String(apiVersion)}, Kind=${String(kind)}`;
  const message = `failed to create typed patch object (${where}): ${problem}`;
  // The real server answers 500 here, although it is the client's mistake.
  throw new Refusal({ kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message, code: 500 });
}

function problemIn(schema: JsonObject, value: Json, path: readonly Step[]): string | undefined {
  const atom = atomOf(schema, value);
  if (atom.kind === 'map' && isObject(value)) return mapProblem(atom.schema, value, path);
  return atom.kind === 'list' && isList(value) ? listProblem(atom, value, path) : undefined;
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
  for (const [step, items] of indexed(atom, value)) {
    if (items.length > 1) return `${pathText(path)}: duplicate entries for key ${pathText([step])}`;
    const problem = atom.relation === 'map' ? problemIn(atom.item, items[0] ?? null, [...path, step]) : undefined;
    if (problem !== undefined) return problem;
  }
  return undefined;
}
