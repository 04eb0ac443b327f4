// The body of a write becomes an object of the right kind, in the right place.

import { badRequest, type Refusal } from '../answer/status.ts';
import { apiVersionOf, type Call } from '../core.ts';
import type { BadMessage, Json, JsonObject } from '../parts.ts';
import { type Body, readBody } from '../request/body.ts';
import { duplicateFields, readsAsWritten } from '../request/duplicate-fields.ts';
import { numberProblem } from '../request/exact-numbers.ts';
import { pathNameProblem } from '../request/path.ts';
import { isObject, jsonTypeName, objectAt, stringAt, withMeta } from '../rules/json.ts';
import { metadataProblem, timesProblem } from '../schema/object-meta.ts';
import { ofKind } from './body-kind.ts';
import { handledAs } from './normalize.ts';

/** What a client sent, and what is odd about it: a sentence for each field that it wrote twice. */
export interface Sent {
  readonly object: JsonObject;
  readonly duplicates: readonly string[];
}

/** The object in the request's body; refused when it is of another kind, version, name or namespace. */
export function decodedBody(call: Call): Sent {
  const { resource, core } = call;
  const body = readBody(call.request, {
    protobuf: resource.origin === 'builtin' ? core.parts.protobuf : undefined,
    problem: (why, summary) => unrecognized(call, `${why} (${summary})`),
    into: { apiVersion: apiVersionOf(resource), kind: resource.kind },
    badMessage: (error, summary) => notThisMessage(call, error, summary),
  });
  const object = ofKind(call, objectIn(call, body), body.summary);
  checkMetadata(call, object);
  const fields = fieldsSaidTwice(call, body);
  const duplicates = [...(body.repeated ?? []), ...fields.map(field => `duplicate field ${JSON.stringify(field)}`)];
  return { object: inNamespace(call, object), duplicates };
}

/** Of JSON that says more than was read out of it; refused when that is a number. */
function fieldsSaidTwice(call: Call, { text, value }: Body): readonly string[] {
  if (text === undefined || readsAsWritten(text, value)) return [];
  const problem = numberProblem(text);
  if (problem !== undefined) throw badRequest(`${handledAs(call)}: ${problem}`);
  return duplicateFields(text, value);
}

function notThisMessage({ resource }: Call, { message, named }: BadMessage, summary: string): Refusal {
  if (named === undefined) {
    return badRequest(
      `the object provided is unrecognized (must be of type ${resource.kind}): ${message} (${summary})`,
    );
  }
  const version = JSON.stringify(named.apiVersion.slice(named.apiVersion.indexOf('/') + 1));
  return badRequest(`${named.kind} in version ${version} cannot be handled as a ${resource.kind}: ${message}`);
}

/** `into`: what the body was to become. */
function unrecognized({ resource }: Call, why: string): ReturnType<typeof badRequest> {
  const problem = `couldn't get version/kind; json parse error: ${why}`;
  return badRequest(`the object provided is unrecognized (must be of type ${resource.kind}): ${problem}`);
}

const ANY_KIND =
  'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }';

function objectIn(call: Call, { value, summary }: Body): JsonObject {
  // Go reads nothing as an object without fields.
  if (value === null) return {};
  const cannot = (found: Json | undefined, into: string): ReturnType<typeof badRequest> =>
    unrecognized(call, `json: cannot unmarshal ${jsonTypeName(found)} into Go ${into} (${summary()})`);
  if (!isObject(value)) throw cannot(value, `value of type ${ANY_KIND}`);
  const odd = ['kind', 'apiVersion'].find(key => typeof (value[key] ?? '') !== 'string');
  if (odd !== undefined) throw cannot(value[odd], `struct field .${odd} of type string`);
  return value;
}

function checkMetadata(call: Call, object: JsonObject): void {
  const { metadata } = object;
  const { kind } = call.resource;
  const why = isObject(metadata ?? {})
    ? (typeProblem(call, objectAt(object, 'metadata')) ?? timesProblem(objectAt(object, 'metadata')))
    : `json: cannot unmarshal ${jsonTypeName(metadata)} into Go struct field ${kind}.metadata of type v1.ObjectMeta`;
  if (why === undefined) return;
  throw badRequest(`${handledAs(call)}: ${why}`);
}

/** Built-in kinds are read by their types as a whole. */
const typeProblem = ({ resource }: Call, metadata: JsonObject): string | undefined =>
  resource.origin === 'custom' ? metadataProblem(metadata) : undefined;

/** The object with the namespace of the path. */
export function inNamespace(call: Call, object: JsonObject): JsonObject {
  const { namespace } = call.path;
  const said = stringAt(objectAt(object, 'metadata'), 'namespace');
  if (said !== '' && namespace !== '' && said !== namespace) {
    throw badRequest('the namespace of the provided object does not match the namespace sent on the request');
  }
  return said === namespace && said !== ''
    ? object
    : withMeta(object, { namespace: namespace === '' ? undefined : namespace });
}

/** The body's name must be that of the path. */
export function checkName(call: Call, object: JsonObject): void {
  const name = stringAt(objectAt(object, 'metadata'), 'name');
  if (name === '') {
    const about = `the name of the object (${call.path.name} based on URL) was undeterminable`;
    throw badRequest(`${about}: name must be provided`);
  }
  if (name !== call.path.name) {
    throw badRequest(`the name of the object (${name}) does not match the name on the URL (${call.path.name})`);
  }
}

/** A name that no path of an object can hold. */
export function checkPathName({ path: { name } }: Call): void {
  const problem = pathNameProblem(name);
  if (problem !== undefined) throw badRequest(`Name parameter invalid: ${JSON.stringify(name)}: ${problem}`);
}
