// Who wrote which field: every write but apply leaves its mark in `metadata.managedFields`.

import { kubeTime } from '../../base/clock.ts';
import type { Call } from '../core.ts';
import type { Json, JsonObject, Resource } from '../parts.ts';
import { isObject, listAt, objectAt, sameJson, withMeta } from '../rules/json.ts';
import type { WriteOptions } from './options.ts';

/** `after`, with managedFields that say who changed what. */
export function tracked(
  call: Call,
  before: JsonObject | undefined,
  after: JsonObject,
  { fieldManager }: WriteOptions,
): JsonObject {
  const { core, resource, path } = call;
  const track = core.parts.fieldOwnership?.track;
  if (track === undefined) return after;
  // Whose record is empty has none: only a create begins one, or an apply.
  if (before !== undefined && listAt(objectAt(before, 'metadata'), 'managedFields').length === 0) {
    return withMeta(after, { managedFields: undefined });
  }
  const time = kubeTime(core.clock.now());
  // Without it the empty metadata of a custom resource would look like something that this write brought.
  const stored = before ?? { apiVersion: after.apiVersion ?? '', kind: after.kind ?? '', metadata: {} };
  return track({
    resource,
    before: resource.origin === 'custom' ? stored : before,
    after,
    manager: fieldManager,
    subresource: path.subresource,
    time,
  });
}

/** What is asked under another kind than the path's resource, with who asked. */
export function trackedAs(call: Call, resource: Resource, asked: JsonObject, options: WriteOptions): JsonObject {
  const { core, path } = call;
  const time = kubeTime(core.clock.now());
  const { fieldManager: manager } = options;
  const { subresource } = path;
  return (
    core.parts.fieldOwnership?.track({ resource, before: undefined, after: asked, manager, subresource, time }) ?? asked
  );
}

/** Whether two states differ in nothing but when a field's owner last wrote it. */
export function sameBesidesTimes(a: JsonObject, b: JsonObject): boolean {
  const [fieldsOfA, fieldsOfB] = [untimed(a), untimed(b)];
  // Their order is by time too.
  if (!sameJson(fieldsOfA, fieldsOfB) && !sameJson(inAnyOrder(fieldsOfA), inAnyOrder(fieldsOfB))) return false;
  return sameJson(withMeta(a, { managedFields: undefined }), withMeta(b, { managedFields: undefined }));
}

function inAnyOrder(fields: Json | undefined): Json | undefined {
  if (!Array.isArray(fields) || fields.length < 2) return fields;
  return fields.map((entry: Json) => JSON.stringify(entry)).sort();
}

function untimed(object: JsonObject): Json | undefined {
  const fields = objectAt(object, 'metadata').managedFields;
  if (!Array.isArray(fields)) return fields;
  return fields.map((entry: Json): Json => (isObject(entry) ? { ...entry, time: '' } : entry));
}
