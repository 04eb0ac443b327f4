// An object or a list in the form that the client accepts: itself, a Table, or its metadata.

import type { ApiResponse } from '../../kube/transport.ts';
import { apiVersionOf, type Call } from '../core.ts';
import { servedForm } from '../objects/forms.ts';
import type { JsonObject } from '../parts.ts';
import { type Accepted, accept, type Format, MEDIA_TYPES, type Offer, type Shape } from '../request/accept.ts';
import { objectAt, without } from '../rules/json.ts';
import type { Row } from '../store.ts';
import { answer, type ListMeta, listAnswer, listObject, objectAnswer, rowLine } from './render.ts';
import { badRequest, misshapen } from './status.ts';
import { type IncludeObject, metadataOnly, tableOf } from './table.ts';

const ALL: readonly Format[] = ['json', 'yaml', 'protobuf'];
const JSON_YAML: readonly Format[] = ['json', 'yaml'];
const BOTH: readonly Shape[] = ['table', 'metadata', 'metadataList'];
const TYPES: readonly string[] = Object.values(MEDIA_TYPES);
const STREAMS: readonly string[] = [MEDIA_TYPES.json, MEDIA_TYPES.protobuf].map(type => `${type};stream=watch`);
const LIST_TYPES: readonly string[] = [...TYPES, ...STREAMS];

const formatsOf = ({ core }: Call): readonly Format[] => (core.parts.protobuf === undefined ? JSON_YAML : ALL);

/** What this call's endpoint can write. Requests for custom kinds are not routed by what they accept. */
function offerOf(call: Call, shapes: readonly Shape[], types: readonly string[]): Offer {
  const formats = formatsOf(call);
  return call.resource.origin === 'builtin'
    ? { formats, shapes, route: types }
    : { formats, shapes, plainProtobuf: false };
}

/** Events come in frames: YAML has none. */
export const acceptedForWatch = (call: Call): Accepted =>
  accept(call.request.headers.accept, { ...offerOf(call, BOTH, LIST_TYPES), streams: STREAMS });

/** What the client accepts for one object. */
export const acceptedFor = (call: Call): Accepted => accept(call.request.headers.accept, offerOf(call, BOTH, TYPES));

export const acceptedForList = (call: Call): Accepted =>
  accept(call.request.headers.accept, offerOf(call, BOTH, LIST_TYPES));

/** The Go type of the resource's objects, which the real server names. */
function goKind({ resource }: Call): string {
  if (resource.origin === 'custom') return '*unstructured.Unstructured';
  const [word = ''] = resource.group.split('.');
  return `*${word === '' || word === 'events' ? 'core' : word}.${resource.kind}`;
}

/** A stored object. */
export function presentRow(call: Call, row: Row, status = 200, accepted: Accepted = acceptedFor(call)): ApiResponse {
  if (accepted.shape === 'object' && accepted.format === 'json') {
    return answer(status, 'json', rowLine(row, call.resource));
  }
  return presentObject(call, row.object, status, accepted);
}

/** An object that need not be stored (dry runs, answers that are computed). It is there before its shape is looked at. */
export function presentObject(
  call: Call,
  object: JsonObject,
  status = 200,
  accepted: Accepted = acceptedFor(call),
): ApiResponse {
  if (accepted.shape === 'metadataList') throw misshapen('PartialObjectMetadataList', 'not a list', goKind(call));
  return objectAnswer(status, shaped(call, object, accepted), accepted, call.core.parts.protobuf);
}

/** An object of another kind than the resource's: a Scale, a TokenRequest. */
export function presentPlain(call: Call, object: JsonObject, status: number): ApiResponse {
  const accepted = accept(call.request.headers.accept, { formats: formatsOf(call), shapes: [], route: TYPES });
  return objectAnswer(status, object, accepted, call.core.parts.protobuf);
}

/** The object in the accepted shape. */
export function shaped(call: Call, object: JsonObject, accepted: Accepted, headless?: true): JsonObject {
  const served = servedForm(object, call.resource);
  const { shapeVersion: version } = accepted;
  if (accepted.shape === 'metadata' || accepted.shape === 'metadataList') return metadataOnly(served, version);
  if (accepted.shape !== 'table') return served;
  const { resourceVersion = '' } = objectAt(served, 'metadata');
  const metadata = resourceVersion === '' ? {} : { resourceVersion };
  const options = { version, include: includeOf(call), metadata };
  return tableOf(call.core, call.resource, [served], headless === undefined ? options : { ...options, headless });
}

/** A list of stored objects. */
export function presentList(call: Call, rows: readonly Row[], meta: ListMeta, accepted: Accepted): ApiResponse {
  const { resource, core } = call;
  const { format, shape } = accepted;
  if (shape === 'object' && format === 'json') return listAnswer(rows, resource, meta);
  if (shape === 'object') return objectAnswer(200, listObject(rows, resource, meta), accepted, core.parts.protobuf);
  const objects = rows.map(row => servedForm(row.object, resource));
  return presentObjects(call, objects, { ...meta }, accepted);
}

/** A list of objects that need not be stored. */
export function presentObjects(
  call: Call,
  objects: readonly JsonObject[],
  metadata: JsonObject,
  accepted: Accepted,
): ApiResponse {
  if (accepted.shape === 'metadata') throw misshapen('PartialObjectMetadata', 'a list', `${goKind(call)}List`);
  return objectAnswer(200, listIn(call, objects, metadata, accepted), accepted, call.core.parts.protobuf);
}

function listIn(
  call: Call,
  objects: readonly JsonObject[],
  metadata: JsonObject,
  { shape, shapeVersion: version }: Accepted,
): JsonObject {
  const { core, resource } = call;
  if (shape === 'table') return tableOf(core, resource, objects, { version, include: includeOf(call), metadata });
  if (shape !== 'object') return metadataList(objects, metadata, version);
  const items = objects.map(object => without(object, 'apiVersion', 'kind'));
  return { kind: resource.listKind, apiVersion: apiVersionOf(resource), metadata, items };
}

function metadataList(objects: readonly JsonObject[], metadata: JsonObject, version: string): JsonObject {
  const items = objects.map(object => metadataOnly(object, version));
  return {
    kind: 'PartialObjectMetadataList',
    apiVersion: `meta.k8s.io/${version}`,
    metadata,
    items: items.length === 0 ? null : items,
  };
}

/** What the rows of a Table hold; refused when it is none of these. */
export function includeOf({ query }: Call): IncludeObject {
  const asked = query.get('includeObject') ?? 'Metadata';
  if (asked === 'None' || asked === 'Metadata' || asked === 'Object' || asked === '') {
    return asked === '' ? 'Metadata' : asked;
  }
  throw badRequest(
    `Unable to convert to Table as requested: includeObject: Invalid value: ${JSON.stringify(asked)}: must be 'Metadata', 'Object', 'None', or empty`,
  );
}
