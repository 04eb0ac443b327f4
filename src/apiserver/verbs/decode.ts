// The body of a write becomes an object of the right kind, with defaults, and with a word about unknown fields.

import { badRequest, internalError, Refusal } from '../answer/status.ts';
import { apiVersionOf, type Call } from '../core.ts';
import type { JsonObject, SchemaWork } from '../parts.ts';
import { readObject } from '../request/body.ts';
import { objectAt, stringAt, withMeta } from '../rules/json.ts';
import type { WriteOptions } from './options.ts';

/** The object in the request's body; refused when it is of another kind, version, name or namespace. */
export function decodedBody(call: Call): JsonObject {
  const { resource, core } = call;
  const protobuf = resource.origin === 'builtin' ? core.parts.protobuf : undefined;
  const object = readObject(call.request, protobuf);
  checkKind(call, object);
  return inNamespace(call, object);
}

/** The kind and version must be the ones of the path; absent in the body they are filled in. */
function checkKind({ resource }: Call, object: JsonObject): void {
  const wanted = apiVersionOf(resource);
  const kind = stringAt(object, 'kind');
  const version = stringAt(object, 'apiVersion');
  if (kind === '') {
    const why = `Object 'Kind' is missing in '${JSON.stringify(object).slice(0, 200)}'`;
    throw badRequest(`the object provided is unrecognized (must be of type ${resource.kind}): ${why}`);
  }
  if (version !== wanted) {
    throw badRequest(`the API version in the data (${version}) does not match the expected API version (${wanted})`);
  }
  if (kind === resource.kind) return;
  const says = `${kind} in version ${JSON.stringify(resource.version)} cannot be handled as a ${resource.kind}`;
  throw badRequest(`${says}: the kind in the data does not match the kind of the resource`);
}

/** The object with the namespace of the path. */
export function inNamespace(call: Call, object: JsonObject): JsonObject {
  const { namespace } = call.path;
  const said = stringAt(objectAt(object, 'metadata'), 'namespace');
  if (said !== '' && said !== namespace) {
    throw badRequest('the namespace of the provided object does not match the namespace sent on the request');
  }
  return withMeta(object, { namespace: namespace === '' ? undefined : namespace });
}

/** The body's name must be that of the path. */
export function checkName(call: Call, object: JsonObject): void {
  const name = stringAt(objectAt(object, 'metadata'), 'name');
  if (name === '') throw badRequest('name must be provided');
  if (name !== call.path.name) {
    throw badRequest(`the name of the object (${name}) does not match the name on the URL (${call.path.name})`);
  }
}

/** The object with defaults and without unknown fields, which are refused, warned about or ignored. */
export function normalized(call: Call, object: JsonObject, { fieldValidation }: WriteOptions): JsonObject {
  const schema = schemaWorkOf(call);
  if (schema === undefined) return object;
  const { object: filled, unknownFields } = schema.normalize(call.resource, object);
  if (unknownFields.length === 0 || fieldValidation === 'Ignore') return filled;
  const says = unknownFields.map(field =>
    field.startsWith('duplicate') ? field : `unknown field ${JSON.stringify(field)}`,
  );
  if (fieldValidation === 'Warn') {
    call.warnings.push(...says);
    return filled;
  }
  const { kind, version } = call.resource;
  const what = `${kind} in version ${JSON.stringify(version)} cannot be handled as a ${kind}`;
  throw badRequest(`${what}: strict decoding error: ${says.join(', ')}`);
}

export function schemaWorkOf({ resource, core }: Call): SchemaWork | undefined {
  return resource.origin === 'builtin' ? core.parts.builtinSchema : core.parts.customSchema;
}

/** Runs the admission parts in order. */
export function admitted(
  call: Call,
  object: JsonObject | undefined,
  old: JsonObject | undefined,
  dryRun: boolean,
): JsonObject | undefined {
  let admittedObject = object;
  for (const admission of call.core.parts.admission ?? []) {
    const { attributes, resource } = call;
    const answer = admission({ attributes, resource, object: admittedObject, old, dryRun });
    if ('refused' in answer) throw new Refusal(answer.refused);
    call.warnings.push(...answer.warnings);
    admittedObject = answer.object;
  }
  return admittedObject;
}

/** An admitted object where one must be. */
export function admittedObject(
  call: Call,
  object: JsonObject,
  old: JsonObject | undefined,
  dryRun: boolean,
): JsonObject {
  const answer = admitted(call, object, old, dryRun);
  if (answer === undefined) throw internalError('admission took the object away');
  return answer;
}
