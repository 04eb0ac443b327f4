// A body must be of the kind and version that its path says.

import { badRequest, invalid, type Refusal } from '../answer/status.ts';
import { apiVersionOf, type Call } from '../core.ts';
import type { JsonObject } from '../parts.ts';
import { objectAt, stringAt } from '../rules/json.ts';

/** Built-in kinds that say neither kind nor version get those of the path; custom ones must say them. */
export function ofKind(call: Call, object: JsonObject, summary: string): JsonObject {
  const { resource } = call;
  const wanted = apiVersionOf(resource);
  const kind = stringAt(object, 'kind');
  const version = stringAt(object, 'apiVersion');
  if (resource.origin === 'builtin' && kind === '' && version === '') {
    return { ...object, apiVersion: wanted, kind: resource.kind };
  }
  if (kind === '') {
    const why = `Object 'Kind' is missing in '${JSON.stringify(object)}'`;
    throw badRequest(`the object provided is unrecognized (must be of type ${resource.kind}): ${why} (${summary})`);
  }
  checkVersion(call, version, kind);
  if (kind === resource.kind) return object;
  if (resource.origin === 'custom') throw wrongKind(call, object, kind);
  throw badRequest(`${handledAs(call, version, kind)}: ${noConversion(call, version, kind)}`);
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
  if (!isRegistered(call, version, kind)) return notRegistered(version, kind);
  const pack = call.resource.group.split('.')[0] || 'core';
  return `converting (${version.slice(version.indexOf('/') + 1)}.${kind}) to (${pack}.${call.resource.kind}): unknown conversion`;
}

function wrongKind({ resource }: Call, object: JsonObject, kind: string): Refusal {
  const subject = { group: resource.group, resource: kind, name: stringAt(objectAt(object, 'metadata'), 'name') };
  const message = `Invalid value: ${JSON.stringify(kind)}: must be ${resource.kind}`;
  return invalid(subject, [{ type: 'Invalid', field: 'kind', message }]);
}
