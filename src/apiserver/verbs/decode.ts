// The body of a write becomes an object of the right kind, in the right place.

import { badRequest } from '../answer/status.ts';
import type { Call } from '../core.ts';
import type { JsonObject } from '../parts.ts';
import { type Body, readBody } from '../request/body.ts';
import { duplicateFields } from '../request/duplicate-fields.ts';
import { isObject, jsonTypeName, objectAt, stringAt, withMeta } from '../rules/json.ts';

import { ofKind } from './body-kind.ts';

/** What a client sent, and what is odd about it: fields that it wrote twice. */
export interface Sent {
  readonly object: JsonObject;
  readonly duplicates: readonly string[];
}

/** The object in the request's body; refused when it is of another kind, version, name or namespace. */
export function decodedBody(call: Call): Sent {
  const { resource, core } = call;
  const body = readBody(call.request, {
    protobuf: resource.origin === 'builtin' ? core.parts.protobuf : undefined,
    problem: why => unrecognized(call, why),
  });
  const object = ofKind(call, objectIn(call, body), body.summary);
  checkMetadata(call, object);
  const duplicates = body.text === undefined ? [] : duplicateFields(body.text);
  return { object: inNamespace(call, object), duplicates };
}

/** `into`: what the body was to become. */
function unrecognized({ resource }: Call, why: string): ReturnType<typeof badRequest> {
  const problem = `couldn't get version/kind; json parse error: ${why}`;
  return badRequest(`the object provided is unrecognized (must be of type ${resource.kind}): ${problem}`);
}

function objectIn(call: Call, { value, summary }: Body): JsonObject {
  if (isObject(value)) return value;
  const into =
    'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }';
  throw unrecognized(call, `json: cannot unmarshal ${jsonTypeName(value)} into Go value of type ${into} (${summary})`);
}

function checkMetadata({ resource }: Call, object: JsonObject): void {
  const { metadata } = object;
  if (metadata === undefined || metadata === null || isObject(metadata)) return;
  const { kind, version } = resource;
  const why = `json: cannot unmarshal ${jsonTypeName(metadata)} into Go struct field ${kind}.metadata of type v1.ObjectMeta`;
  throw badRequest(`${kind} in version ${JSON.stringify(version)} cannot be handled as a ${kind}: ${why}`);
}

/** The object with the namespace of the path. */
export function inNamespace(call: Call, object: JsonObject): JsonObject {
  const { namespace } = call.path;
  const said = stringAt(objectAt(object, 'metadata'), 'namespace');
  if (said !== '' && said !== namespace) {
    throw badRequest('the namespace of the provided object does not match the namespace sent on the request');
  }
  return said === namespace && said !== ''
    ? object
    : withMeta(object, { namespace: namespace === '' ? undefined : namespace });
}

/** The body's name must be that of the path. */
export function checkName(call: Call, object: JsonObject): void {
  const name = stringAt(objectAt(object, 'metadata'), 'name');
  if (name === '') throw badRequest('name must be provided');
  if (name !== call.path.name) {
    throw badRequest(`the name of the object (${name}) does not match the name on the URL (${call.path.name})`);
  }
}
