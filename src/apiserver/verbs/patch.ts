// patch: JSON, merge and strategic patches over the stored state; apply states what one owner wants.

import { kubeTime } from '../../base/clock.ts';
import type { ApiResponse } from '../../kube/transport.ts';
import { acceptedFor, presentObject, presentRow } from '../answer/present.ts';
import {
  applyConflict,
  badRequest,
  conflict,
  invalid,
  notFound,
  unsupportedMediaType,
  unsupportedPatch,
} from '../answer/status.ts';
import { apiVersionOf, type Call, keyOf, subjectOf } from '../core.ts';
import type { Json, JsonObject } from '../parts.ts';
import { contentType, DECODING_PATCH, readApplied, readPatch, yamlErrors } from '../request/body.ts';
import { duplicateFields } from '../request/duplicate-fields.ts';
import { truthy } from '../request/list-options.ts';
import { isObject, objectAt, stringAt, withMeta } from '../rules/json.ts';
import { notRegistered } from './body-kind.ts';
import { created } from './create.ts';
import { checkName, inNamespace } from './decode.ts';
import { jsonPatched, jsonPatchOf, unknownInPatch } from './json-patch.ts';
import { mergePatch } from './merge-patch.ts';
import { notAnObject, refusedPatch } from './normalize.ts';
import { type WriteOptions, writeOptions } from './options.ts';
import { rowOrNotFound } from './read.ts';
import { changed, type Written } from './update.ts';

const JSON_PATCH = 'application/json-patch+json';
const MERGE_PATCH = 'application/merge-patch+json';
const STRATEGIC_PATCH = 'application/strategic-merge-patch+json';
export const APPLY_PATCH = 'application/apply-patch+yaml';
const KNOWN_TYPES: ReadonlySet<string> = new Set([JSON_PATCH, MERGE_PATCH, STRATEGIC_PATCH, APPLY_PATCH]);

export async function patchObject(call: Call): Promise<ApiResponse> {
  const accepted = acceptedFor(call);
  const options = writeOptions(call, 'PatchOptions');
  const type = contentType(call.request);
  if (type === APPLY_PATCH) return applyObject(call, options);
  checkNotForced(call);
  checkType(call, type);
  // Nobody reads a patch of what is not there.
  rowOrNotFound(call);
  const patch = patchOf(call, type, options);
  const { object, row } = await changed(call, options, old => ({
    object: fitting(call, patch.of(old), old),
    how: 'patched',
    duplicates: patch.oddities,
    ...(patch.strategic === undefined ? {} : { strategic: patch.strategic }),
  }));
  return row === undefined ? presentObject(call, object, 200, accepted) : presentRow(call, row, 200, accepted);
}

function checkNotForced({ query }: Call): void {
  if (!query.has('force')) return;
  const message = 'Forbidden: may not be specified for non-apply patch';
  throw invalid(PATCH_OPTIONS, [{ type: 'Forbidden', field: 'force', message }]);
}

const PATCH_OPTIONS = { group: 'meta.k8s.io', resource: 'PatchOptions', name: '' } as const;

interface Patch {
  readonly of: (old: JsonObject) => JsonObject;
  /** As it was sent, when it is a strategic one. */
  readonly strategic?: JsonObject;
  /** What is odd about how it is written: a sentence each. */
  readonly oddities: readonly string[];
}

function patchOf(call: Call, type: string, options: WriteOptions): Patch {
  if (type === JSON_PATCH) {
    const { value, text } = readPatch(call.request);
    const operations = jsonPatchOf(value, options);
    const odd = unknownInPatch(operations).map(field => `unknown field ${JSON.stringify(field)}`);
    const oddities = [...odd, ...saidTwice(text, value)].map(each => `json patch ${each}`);
    return { of: old => jsonPatched(old, operations), oddities };
  }
  if (type === MERGE_PATCH) {
    const { value, text } = readPatch(call.request);
    if (value === null) throw badRequest('Invalid JSON Patch');
    const patch = objectPatch(value);
    return { of: old => objectPatch(mergePatch(old, patch)), oddities: saidTwice(text, value) };
  }
  const strategic = call.core.parts.strategicMerge;
  if (strategic === undefined) throw unsupportedMediaType(patchTypes(call));
  const { value: patch, text } = readPatch(call.request, '');
  if (!isObject(patch)) throw badRequest(notAnObject(patch, 'map[string]interface {}'));
  const oddities = saidTwice(text, patch);
  return { of: old => strategic(call.resource.schema, old, patch), strategic: patch, oddities };
}

function checkType(call: Call, type: string): void {
  if (!KNOWN_TYPES.has(type)) throw unsupportedPatch();
  if (!patchTypes(call).includes(type)) throw unsupportedMediaType(patchTypes(call));
}

const saidTwice = (text: string, value: Json): readonly string[] =>
  duplicateFields(text, value).map(field => `duplicate field ${JSON.stringify(field)}`);

/** A patched object must still be the object of the path. */
function fitting(call: Call, object: JsonObject, old: JsonObject): JsonObject {
  const [version, kind] = [stringAt(object, 'apiVersion'), stringAt(object, 'kind')];
  // What names neither is read as an object of which nothing is known.
  if (call.resource.origin === 'builtin' && version === '' && kind === '') checkName(call, {});
  const whole = call.resource.origin === 'builtin' ? filled(object, old) : object;
  if (whole.apiVersion !== old.apiVersion || whole.kind !== old.kind) {
    throw refusedPatch(object, notRegistered(String(object.apiVersion ?? ''), String(object.kind ?? '')));
  }
  checkName(call, whole);
  return inNamespace(call, whole);
}

/** A kind or a version that is not said is what it was. */
function filled(object: JsonObject, old: JsonObject): JsonObject {
  const { apiVersion = '', kind = '' } = object;
  if (apiVersion === old.apiVersion && kind === old.kind) return object;
  return { ...object, apiVersion: apiVersion || (old.apiVersion ?? ''), kind: kind || (old.kind ?? '') };
}

function patchTypes({ resource }: Call): readonly string[] {
  const strategic = resource.origin === 'builtin' ? [STRATEGIC_PATCH] : [];
  return [JSON_PATCH, MERGE_PATCH, ...strategic, APPLY_PATCH];
}

function objectPatch(value: Json): JsonObject {
  if (!isObject(value)) throw badRequest(`${DECODING_PATCH}${notAnObject(value, 'map[string]interface {}')}`);
  return value;
}

async function applyObject(call: Call, options: WriteOptions): Promise<ApiResponse> {
  const accepted = acceptedFor(call);
  const applied = appliedBody(call, options);
  const exists = call.core.store.get(keyOf(call)) !== undefined;
  if (!exists && call.path.subresource !== '') throw notFound(subjectOf(call));
  const written = exists
    ? await changed(call, options, old => ({ object: appliedTo(call, old, applied, options), how: 'owned' }))
    : await applyNew(call, applied, options);
  const status = exists ? 200 : 201;
  return written.row === undefined
    ? presentObject(call, written.object, status, accepted)
    : presentRow(call, written.row, status, accepted);
}

async function applyNew(call: Call, applied: JsonObject, options: WriteOptions): Promise<Written> {
  const metadata = objectAt(applied, 'metadata');
  const uid = stringAt(metadata, 'uid');
  if (uid !== '') {
    throw conflict(
      subjectOf(call),
      `uid mismatch: the provided object specified uid ${uid}, and no existing object was found`,
    );
  }
  // As the real server: whatever version the owner saw before, the object is made anew.
  const fresh = metadata.resourceVersion === undefined ? applied : withMeta(applied, { resourceVersion: undefined });
  return created(call, { body: appliedTo(call, undefined, fresh, options), owned: true }, options);
}

/** The object that the owner states; it names itself, and carries no managedFields of its own. */
export function appliedBody(call: Call, options: WriteOptions): JsonObject {
  if ((call.query.get('fieldManager') ?? '') === '') {
    const message = 'Required value: is required for apply patch';
    throw invalid(PATCH_OPTIONS, [{ type: 'Required', field: 'fieldManager', message }]);
  }
  const value = appliedValue(call, options);
  const wanted = apiVersionOf(call.resource);
  if (value.apiVersion !== wanted || value.kind !== call.resource.kind) {
    throw badRequest(`invalid object type: ${groupVersionKind(value)}`);
  }
  // What is no metadata names nothing, and is refused with whatever else is of a wrong type.
  if (!isObject(value.metadata ?? {})) return value;
  if (objectAt(value, 'metadata').managedFields !== undefined) throw badRequest('metadata.managedFields must be nil');
  const name = stringAt(objectAt(value, 'metadata'), 'name');
  // Another name, and another Namespace, are found after what the apply conflicts with.
  return name === '' ? withMeta(value, { name: call.path.name }) : value;
}

function appliedValue(call: Call, { fieldValidation }: WriteOptions): JsonObject {
  const { value, repeated } = readApplied(call.request);
  if (repeated.length > 0 && fieldValidation === 'Strict') {
    throw badRequest(`error strict decoding YAML: error converting YAML to JSON: ${yamlErrors(repeated)}`);
  }
  if (fieldValidation === 'Warn') call.warnings.push(...repeated);
  if (value === null) return {};
  if (isObject(value)) return value;
  const why = notAnObject(value, 'map[string]interface {}');
  throw badRequest(`error decoding YAML: error unmarshaling JSON: while decoding JSON: ${why}`);
}

/** `apps/v1, Kind=Deployment`, as Go prints it. */
function groupVersionKind({ apiVersion, kind }: JsonObject): string {
  const version = String(apiVersion ?? '');
  return `${version.includes('/') ? version : `/${version}`}, Kind=${String(kind ?? '')}`;
}

/** What `live` becomes when the owner's statement is applied to it. */
export function appliedTo(
  call: Call,
  live: JsonObject | undefined,
  applied: JsonObject,
  options: WriteOptions,
): JsonObject {
  const { core, resource, path, query } = call;
  const ownership = core.parts.fieldOwnership;
  if (ownership === undefined) throw unsupportedMediaType([JSON_PATCH, MERGE_PATCH]);
  const answer = ownership.apply({
    resource,
    live,
    applied,
    manager: options.fieldManager,
    force: truthy(query.get('force')),
    subresource: path.subresource,
    time: kubeTime(core.clock.now()),
  });
  if ('conflicts' in answer) throw applyConflict(answer.conflicts);
  checkName(call, answer.object);
  return inNamespace(call, answer.object);
}
