// scale: the number of replicas of whatever has some, as `autoscaling/v1` Scale.

import type { ApiResponse } from '../../kube/transport.ts';
import { firstAt } from '../answer/json-path.ts';
import { acceptedFor, presentObject, presentPlain } from '../answer/present.ts';
import { badRequest, invalid, modified, type Refusal, unsupportedMediaType } from '../answer/status.ts';
import { shownRow } from '../conversion/converted.ts';
import { type Call, kindSubjectOf, subjectOf } from '../core.ts';
import type { Json, JsonObject, Resource, ScalePaths } from '../parts.ts';
import { contentType, readValue } from '../request/body.ts';
import { selectorText } from '../request/label-selector.ts';
import { isObject, objectAt, stringAt } from '../rules/json.ts';
import { jsonPatched } from '../verbs/json-patch.ts';
import type { View } from '../verbs/judged.ts';
import { mergePatch } from '../verbs/merge-patch.ts';
import { writeOptions } from '../verbs/options.ts';
import { rowOrNotFound } from '../verbs/read.ts';
import { changed } from '../verbs/update.ts';
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
  const scale = bodyOfKind(call, 'Scale');
  return scaled(call, 'UpdateOptions', () => scale);
}

export async function patchScale(call: Call): Promise<ApiResponse> {
  const patch = readValue(call.request, 'json');
  const type = contentType(call.request);
  if (type === 'application/json-patch+json') return scaled(call, 'PatchOptions', scale => jsonPatched(scale, patch));
  const merges = ['application/merge-patch+json', 'application/strategic-merge-patch+json'];
  if (!merges.includes(type)) throw unsupportedMediaType(['application/json-patch+json', ...merges]);
  return scaled(call, 'PatchOptions', scale => {
    const merged = mergePatch(scale, patch);
    if (!isObject(merged)) throw badRequest('a Scale must be an object');
    return merged;
  });
}

async function scaled(call: Call, kind: string, change: (scale: JsonObject) => JsonObject): Promise<ApiResponse> {
  const written = await changed(call, writeOptions(call, kind), old => ({
    object: withReplicas(call, old, change),
    view: viewOf(call),
  }));
  return presentPlain(call, scaleOf(call, written.object), 200);
}

/** Webhooks and policies are shown the Scale. */
const viewOf = (call: Call): View => ({
  show: object => scaleOf(call, object),
  absorb: (object, scale) => withReplicas(call, object, () => scale),
});

function withReplicas(call: Call, old: JsonObject, change: (scale: JsonObject) => JsonObject): JsonObject {
  const scale = change(scaleOf(call, old));
  const version = stringAt(objectAt(scale, 'metadata'), 'resourceVersion');
  if (version !== '' && version !== objectAt(old, 'metadata').resourceVersion) throw modified(subjectOf(call));
  const replicas = objectAt(scale, 'spec').replicas ?? 0;
  if (typeof replicas !== 'number' || !Number.isInteger(replicas) || replicas < 0) {
    throw negative(call, replicas);
  }
  return setAt(old, pathsOf(call).specReplicasPath.split('.').filter(Boolean), replicas);
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
    status: { replicas: numberOf(firstAt(object, statusReplicasPath)), ...selectorOf(selector) },
  };
}

/** Nothing wanted is not written. */
const wantedOf = (replicas: number): JsonObject => (replicas === 0 ? {} : { replicas });

const numberOf = (value: Json | undefined): number => (typeof value === 'number' ? value : 0);

function selectorOf(selector: Json | undefined): JsonObject {
  if (typeof selector === 'string') return { selector };
  return isObject(selector) ? { selector: selectorText(selector) } : {};
}

function setAt(object: JsonObject, path: readonly string[], value: Json): JsonObject {
  const [key = '', ...rest] = path;
  return { ...object, [key]: rest.length === 0 ? value : setAt(objectAt(object, key), rest, value) };
}
