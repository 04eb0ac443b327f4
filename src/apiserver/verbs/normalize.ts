// Defaults in, unknown fields out: what the schema makes of an object, and what the client is told about it.

import { badRequest, internalError, Refusal } from '../answer/status.ts';
import type { Call } from '../core.ts';
import type { Json, JsonObject, Resource, SchemaWork } from '../parts.ts';
import { yamlErrors } from '../request/body.ts';
import { goText } from '../rules/go-text.ts';
import { isObject, jsonTypeName } from '../rules/json.ts';
import type { WriteOptions } from './options.ts';

/** The object with defaults and without unknown fields, which are refused, warned about or ignored. */
export function normalized(
  call: Call,
  object: JsonObject,
  { fieldValidation }: Pick<WriteOptions, 'fieldValidation'>,
  duplicates: readonly string[] = [],
): JsonObject {
  const schema = schemaWorkOf(call);
  const { object: filled, unknownFields } =
    schema === undefined ? { object, unknownFields: [] } : schema.normalize(call.resource, object);
  const said = [...duplicates, ...unknownFields.map(unknownText)].slice(0, MAX_SAID);
  if (said.length === 0 || fieldValidation === 'Ignore') return filled;
  if (fieldValidation === 'Strict') throw badRequest(`${handledAs(call)}: strict decoding error: ${inOne(said)}`);
  call.warnings.push(...said);
  return filled;
}

/** Nobody reads more, and a hostile object has a hundred thousand. */
const MAX_SAID = 100;

/** What the YAML reader told counts as one. */
function inOne(said: readonly string[]): string {
  const lines = said.filter(text => text.startsWith('line '));
  const others = said.filter(text => !text.startsWith('line '));
  return [...(lines.length === 0 ? [] : [yamlErrors(lines)]), ...others].join(', ');
}

const unknownText = (field: string): string => `unknown field ${JSON.stringify(field)}`;

/** `Pod in version "v1" cannot be handled as a Pod`: what the real server says before it says why. */
export function handledAs({ resource }: Call): string {
  const { kind, version } = resource;
  return `${kind} in version ${JSON.stringify(version)} cannot be handled as a ${kind}`;
}

/** What the refusal of a body says is wrong with it; undefined: it is about something else. */
export function withoutHandledAs(call: Call, { status }: Refusal): string | undefined {
  const [prefix, message] = [`${handledAs(call)}: `, status.message ?? ''];
  return message.startsWith(prefix) ? message.slice(prefix.length) : undefined;
}

export interface Patched {
  readonly object: JsonObject;
  /** The strategic patch that made it: shown in refusals in its place. */
  readonly strategic?: JsonObject;
}

/** The real server reads a strategically patched object with another reader, which has other words. */
function inConverterWords(why: string): string {
  const told = /cannot unmarshal (\w+) into Go (?:struct field \S+|value) of type (\S+)$/.exec(why);
  if (told === null) return why;
  const [, from = '', into = ''] = told;
  const found = { array: 'slice', object: 'map', number: 'int64' }[from] ?? from;
  if (into.startsWith('[]')) return `cannot restore slice from ${found}`;
  if (into.startsWith('map[')) return `cannot restore map from ${found}`;
  return into.includes('.') ? `cannot restore struct from: ${found}` : `unrecognized type: ${into}`;
}

/** What is wrong with a body is a bad request; what is wrong with a patched object is the patch's fault. */
export function asPatch(call: Call, patched: Patched, work: () => JsonObject): JsonObject {
  try {
    return work();
  } catch (error) {
    const prefix = `${handledAs(call)}: `;
    const message = error instanceof Refusal ? (error.status.message ?? '') : '';
    if (!message.startsWith(prefix)) throw error;
    const why = message.slice(prefix.length);
    throw patched.strategic === undefined
      ? refusedPatch(patched.object, why, call.resource.origin)
      : refusalOfPatch(goText(patched.strategic), inConverterWords(why));
  }
}

/** 422 in the real server's odd form: about the patch, of no kind and no name. */
export function refusedPatch(patched: JsonObject, why: string, origin: Resource['origin'] = 'builtin'): Refusal {
  if (origin === 'custom') return refusalOfPatch(JSON.stringify(allByKey(patched)), why);
  const metadata = isObject(patched.metadata) ? { metadata: versioned(patched.metadata) } : {};
  const data = isObject(patched.data) ? { data: byKey(patched.data) } : {};
  const sorted = byKey({ ...patched, ...metadata, ...data });
  return refusalOfPatch(JSON.stringify(sorted), why);
}

function refusalOfPatch(shown: string, why: string): Refusal {
  const message = `Invalid value: ${JSON.stringify(shown)}: ${why}`;
  return new Refusal({
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message: ` "" is invalid: patch: ${message}`,
    reason: 'Invalid',
    details: { causes: [{ reason: 'FieldValueInvalid', message, field: 'patch' }] },
    code: 422,
  });
}

const byKey = (object: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(object).sort(([a], [b]) => (a < b ? -1 : 1)));

/** Custom objects are maps to the real server, down to the last: it writes their keys in order. */
function allByKey(value: Json): Json {
  if (Array.isArray(value)) return value.map(allByKey);
  if (!isObject(value)) return value;
  return byKey(Object.fromEntries(Object.entries(value).map(([key, each]) => [key, allByKey(each)])));
}

/** The version where Kubernetes writes it: after the uid. */
function versioned({ name, generateName, namespace, uid, resourceVersion, ...rest }: JsonObject): JsonObject {
  const first = { name, generateName, namespace, uid, resourceVersion };
  return {
    ...Object.fromEntries(Object.entries(first).filter(([, value]) => value !== undefined)),
    ...rest,
  } as JsonObject;
}

/** A value where Go wants a map. */
export const notAnObject = (value: JsonObject[string] | undefined, into: string): string =>
  `json: cannot unmarshal ${jsonTypeName(value)} into Go value of type ${into}`;

export function schemaWorkOf({ resource, core }: Call): SchemaWork | undefined {
  return resource.origin === 'builtin' ? core.parts.builtinSchema : core.parts.customSchema;
}

/** Runs the admission parts in order. */
export function admitted(
  call: Call,
  object: JsonObject | undefined,
  old: JsonObject | undefined,
  { dryRun }: Pick<WriteOptions, 'dryRun'>,
): JsonObject | undefined {
  let current = object;
  for (const admission of call.core.parts.admission ?? []) {
    const { attributes, resource } = call;
    const answer = admission({ attributes, resource, object: current, old, dryRun });
    if ('refused' in answer) throw new Refusal(answer.refused);
    call.warnings.push(...answer.warnings);
    current = answer.object;
  }
  return current;
}

/** An admitted object where one must be. */
export function admittedObject(
  call: Call,
  object: JsonObject,
  old: JsonObject | undefined,
  options: Pick<WriteOptions, 'dryRun'>,
): JsonObject {
  const answer = admitted(call, object, old, options);
  if (!isObject(answer)) throw internalError('admission took the object away');
  return answer;
}
