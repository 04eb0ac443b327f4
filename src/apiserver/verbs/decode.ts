// The body of a write becomes an object of the right kind, in the right place.

import { badRequest } from '../answer/status.ts';
import { apiVersionOf, type Call } from '../core.ts';
import type { JsonObject } from '../parts.ts';
import { type Body, readBody } from '../request/body.ts';
import { duplicateFields } from '../request/duplicate-fields.ts';
import { isObject, jsonTypeName, objectAt, stringAt, withMeta } from '../rules/json.ts';

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
  const object = ofKind(call, objectIn(call, body));
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

/** Built-in kinds that say neither kind nor version get those of the path; custom ones must say them. */
function ofKind(call: Call, object: JsonObject): JsonObject {
  const { resource } = call;
  const wanted = apiVersionOf(resource);
  const kind = stringAt(object, 'kind');
  const version = stringAt(object, 'apiVersion');
  if (resource.origin === 'builtin' && kind === '' && version === '') {
    return { ...object, apiVersion: wanted, kind: resource.kind };
  }
  if (kind === '') {
    const why = `Object 'Kind' is missing in '${JSON.stringify(object)}'`;
    throw badRequest(`the object provided is unrecognized (must be of type ${resource.kind}): ${why}`);
  }
  checkVersion(call, version, kind);
  if (kind !== resource.kind)
    throw badRequest(`${handledAs(call, version, kind)}: ${noConversion(call, version, kind)}`);
  return object;
}

function checkVersion(call: Call, version: string, kind: string): void {
  const wanted = apiVersionOf(call.resource);
  if (version === wanted) return;
  if (call.resource.origin === 'builtin' && !isRegistered(call, version, kind)) {
    throw badRequest(`${handledAs(call, version, kind)}: ${notRegistered(version, kind)}`);
  }
  throw badRequest(`the API version in the data (${version}) does not match the expected API version (${wanted})`);
}

/** `Pod in version "v1" cannot be handled as a ConfigMap`. */
function handledAs({ resource }: Call, version: string, kind: string): string {
  return `${kind} in version ${JSON.stringify(version.slice(version.indexOf('/') + 1))} cannot be handled as a ${resource.kind}`;
}

/** How Go says that nothing knows a kind. */
export function notRegistered(version: string, kind: string): string {
  return `no kind ${JSON.stringify(kind)} is registered for version ${JSON.stringify(version)} in scheme "pkg/runtime/scheme.go:111"`;
}

function isRegistered({ core }: Call, version: string, kind: string): boolean {
  return core.registry
    .all()
    .some(known => known.kind === kind && apiVersionOf(known) === version && known.origin === 'builtin');
}

function noConversion(call: Call, version: string, kind: string): string {
  if (call.resource.origin === 'custom') return `unexpected kind ${kind}`;
  if (!isRegistered(call, version, kind)) return notRegistered(version, kind);
  const pack = call.resource.group.split('.')[0] || 'core';
  return `converting (${version.slice(version.indexOf('/') + 1)}.${kind}) to (${pack}.${call.resource.kind}): unknown conversion`;
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
