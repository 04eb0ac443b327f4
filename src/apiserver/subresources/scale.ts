// scale: the number of replicas of whatever has some, as `autoscaling/v1` Scale.

import type { ApiResponse } from '../../kube/transport.ts';
import { firstAt } from '../answer/json-path.ts';
import { acceptedFor, presentObject, presentPlain } from '../answer/present.ts';
import {
  badRequest,
  conflict,
  invalid,
  modified,
  type Refusal,
  unexpected,
  unsupportedMediaType,
} from '../answer/status.ts';
import { shownRow } from '../conversion/converted.ts';
import { type Call, kindSubjectOf, subjectOf } from '../core.ts';
import type { Json, JsonObject, Resource, ScalePaths } from '../parts.ts';
import { contentType, readPatch } from '../request/body.ts';
import { selectorText } from '../request/label-selector.ts';
import { isObject, listAt, objectAt, sameJson, stringAt, withMeta } from '../rules/json.ts';
import { jsonPatched, jsonPatchOf } from '../verbs/json-patch.ts';
import type { View } from '../verbs/judged.ts';
import { mergePatch } from '../verbs/merge-patch.ts';
import { type WriteOptions, writeOptions } from '../verbs/options.ts';
import { tracked } from '../verbs/ownership.ts';
import { APPLY_PATCH, appliedBody, appliedTo } from '../verbs/patch.ts';
import { rowOrNotFound } from '../verbs/read.ts';
import { changed, checkIdentity } from '../verbs/update.ts';
import { bodyOfKind } from './body.ts';

const BUILTIN: ScalePaths = {
  specReplicasPath: '.spec.replicas',
  statusReplicasPath: '.status.replicas',
  labelSelectorPath: '.spec.selector',
};

/** How a Scale is shown, whatever it scales. */
const SCALES: Resource = {
  group: 'autoscaling',
  version: 'v1',
  kind: 'Scale',
  listKind: 'Scale',
  plural: 'scales',
  singular: 'scale',
  namespaced: true,
  shortNames: [],
  categories: [],
  subresources: [],
  verbs: ['get'],
  storageName: 'scales.autoscaling',
  schema: {},
  origin: 'builtin',
};

export async function getScale(call: Call): Promise<ApiResponse> {
  const { object } = await shownRow(call, rowOrNotFound(call));
  return presentObject({ ...call, resource: SCALES }, scaleOf(call, object), 200, acceptedFor(call));
}

export async function updateScale(call: Call): Promise<ApiResponse> {
  const sent = bodyOfKind(call, 'Scale');
  const options = writeOptions(call, 'UpdateOptions');
  return scaled(call, options, (scale, old) => {
    checkIdentity(call, sent, old);
    return trackedScale(call, scale, sent, options);
  });
}

const PATCHES: readonly string[] = [
  'application/json-patch+json',
  'application/merge-patch+json',
  'application/strategic-merge-patch+json',
];

export async function patchScale(call: Call): Promise<ApiResponse> {
  const type = contentType(call.request);
  if (type === APPLY_PATCH) return applyScale(call);
  if (!PATCHES.includes(type)) throw unsupportedMediaType(PATCHES);
  const options = writeOptions(call, 'PatchOptions');
  const { value } = readPatch(call.request);
  const change = type === PATCHES[0] ? jsonChange(value, options) : mergeChange(value);
  return scaled(call, options, scale => {
    const patched = change(scale);
    checkUid(call, scale, patched);
    return trackedScale(call, scale, patched, options);
  });
}

function jsonChange(value: Json, options: WriteOptions): (scale: JsonObject) => JsonObject {
  const operations = jsonPatchOf(value, options);
  return scale => jsonPatched(scale, operations);
}

const mergeChange =
  (value: Json) =>
  (scale: JsonObject): JsonObject => {
    const merged = mergePatch(scale, value);
    if (!isObject(merged)) throw badRequest('a Scale must be an object');
    return merged;
  };

async function applyScale(call: Call): Promise<ApiResponse> {
  const asScale = { ...call, resource: SCALES };
  const options = writeOptions(call, 'PatchOptions');
  const applied = appliedBody(asScale, options);
  return scaled(call, options, scale => {
    if (isCustom(call) && listAt(objectAt(scale, 'metadata'), 'managedFields').length === 0) {
      throw unconverted('create manager for existing fields: failed to convert live', '/', NO_CUSTOM_SCALE);
    }
    const next = appliedTo(asScale, scale, applied, options);
    checkConverted(call, scale, next);
    checkUid(call, scale, next);
    return next;
  });
}

const isCustom = ({ resource }: Call): boolean => resource.origin === 'custom';

const NO_CUSTOM_SCALE = 'request to convert CR to an invalid group/version: autoscaling/v1';
const NO_INTEGER =
  'unable to convert unstructured object to autoscaling/v1, Kind=Scale: cannot convert float64 to int32';

/** The real server cannot make the Scale of a custom resource anew, so it applies none that changes something. */
function checkConverted(call: Call, scale: JsonObject, next: JsonObject): void {
  const bare = (each: JsonObject): JsonObject => withMeta(each, { managedFields: undefined });
  const name = `/${call.path.name}`;
  if (isCustom(call) && !sameJson(bare(scale), bare(next))) throw unconverted('convert new', name, NO_CUSTOM_SCALE);
  const { replicas } = objectAt(next, 'spec');
  if (typeof replicas === 'number' && !Number.isInteger(replicas)) throw unconverted('convert new', name, NO_INTEGER);
}

/** 500, as the real server answers. */
const unconverted = (what: string, name: string, why: string): Refusal =>
  unexpected(`failed to ${what} object (${name}; autoscaling/v1, Kind=Scale) to proper version: ${why}`);

/** Custom resources take no notice of it. */
function checkUid(call: Call, scale: JsonObject, next: JsonObject): void {
  const [uid, recorded] = [stringAt(objectAt(next, 'metadata'), 'uid'), stringAt(objectAt(scale, 'metadata'), 'uid')];
  if (isCustom(call) || uid === recorded) return;
  const { group, plural } = call.resource;
  const why = `Precondition failed: UID in precondition: ${uid}, UID in object meta: ${recorded}`;
  throw conflict({ group, resource: `${plural}/scale`, name: call.path.name }, why);
}

/** With a record that says who wrote the replicas; none wanted is not written. */
function trackedScale(call: Call, scale: JsonObject, sent: JsonObject, options: WriteOptions): JsonObject {
  const replicas = objectAt(sent, 'spec').replicas ?? 0;
  const next = { ...sent, spec: replicas === 0 ? {} : { replicas } };
  return tracked({ ...call, resource: SCALES }, scale, next, options);
}

type Rescale = (scale: JsonObject, old: JsonObject) => JsonObject;

async function scaled(call: Call, options: WriteOptions, change: Rescale): Promise<ApiResponse> {
  const written = await changed(call, options, old => ({
    object: rescaled(call, old, change),
    how: 'owned',
    view: viewOf(call),
  }));
  return presentPlain(call, scaleOf(call, written.object), 200);
}

/** Webhooks and policies are shown the Scale. */
const viewOf = (call: Call): View => ({
  show: object => scaleOf(call, object),
  absorb: (object, scale) => withReplicas(call, object, scale),
});

/** The stored object with the replicas of its changed Scale, and with what that says about who owns them. */
function rescaled(call: Call, old: JsonObject, change: Rescale): JsonObject {
  const { resource, core } = call;
  const ownership = core.parts.fieldOwnership;
  const place = placeOf(call);
  const record = ownership?.inScale(resource, old, place) ?? [];
  const scale = change(withRecord(scaleOf(call, old), record), old);
  const object = withReplicas(call, old, scale);
  return withRecord(object, ownership?.fromScale(resource, old, place, scale) ?? []);
}

const withRecord = (object: JsonObject, record: readonly JsonObject[]): JsonObject =>
  withMeta(object, { managedFields: record.length === 0 ? undefined : record });

function withReplicas(call: Call, old: JsonObject, scale: JsonObject): JsonObject {
  const version = stringAt(objectAt(scale, 'metadata'), 'resourceVersion');
  if (version !== '' && version !== objectAt(old, 'metadata').resourceVersion) throw modified(subjectOf(call));
  const replicas = objectAt(scale, 'spec').replicas ?? 0;
  if (typeof replicas !== 'number' || !Number.isInteger(replicas) || replicas < 0) {
    throw negative(call, replicas);
  }
  return setAt(old, placeOf(call), replicas);
}

/** Custom resources answer for themselves, built-in kinds as the Scale. */
function negative(call: Call, replicas: Json): Refusal {
  const value = `Invalid value: ${JSON.stringify(replicas)}`;
  if (call.resource.scale !== undefined) {
    const message = `${value}: should be a non-negative integer`;
    return invalid(kindSubjectOf(call), [{ type: 'Invalid', field: pathsOf(call).specReplicasPath, message }]);
  }
  const message = `${value}: must be greater than or equal to 0`;
  const subject = { group: 'autoscaling', resource: 'Scale', name: call.path.name };
  return invalid(subject, [{ type: 'Invalid', field: 'spec.replicas', message }]);
}

const placeOf = (call: Call): readonly string[] => pathsOf(call).specReplicasPath.split('.').filter(Boolean);

const pathsOf = ({ resource }: Call): ScalePaths => resource.scale ?? BUILTIN;

function scaleOf(call: Call, object: JsonObject): JsonObject {
  const { specReplicasPath, statusReplicasPath, labelSelectorPath } = pathsOf(call);
  const { name, namespace, uid, resourceVersion, creationTimestamp } = objectAt(object, 'metadata');
  const selector = labelSelectorPath === undefined ? undefined : firstAt(object, labelSelectorPath);
  const metadata = { name, namespace, uid, resourceVersion, creationTimestamp };
  return {
    kind: 'Scale',
    apiVersion: 'autoscaling/v1',
    metadata: Object.fromEntries(Object.entries(metadata).filter(([, value]) => value !== undefined)) as JsonObject,
    spec: wantedOf(numberOf(firstAt(object, specReplicasPath))),
    status: { replicas: numberOf(firstAt(object, statusReplicasPath)), ...selectorOf(call, selector) },
  };
}

/** Nothing wanted is not written. */
const wantedOf = (replicas: number): JsonObject => (replicas === 0 ? {} : { replicas });

const numberOf = (value: Json | undefined): number => (typeof value === 'number' ? value : 0);

const OLDEST = 'replicationcontrollers';

function selectorOf(call: Call, selector: Json | undefined): JsonObject {
  if (typeof selector === 'string') return { selector };
  if (!isObject(selector)) return {};
  // A ReplicationController's is from before there was more to select by than labels.
  return { selector: selectorText(call.resource.storageName === OLDEST ? { matchLabels: selector } : selector) };
}

function setAt(object: JsonObject, path: readonly string[], value: Json): JsonObject {
  const [key = '', ...rest] = path;
  return { ...object, [key]: rest.length === 0 ? value : setAt(objectAt(object, key), rest, value) };
}
