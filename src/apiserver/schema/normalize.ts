// Defaults in, unknown fields out: what a custom resource looks like once it has been read.

import type { Json, JsonObject } from '../parts.ts';
import { isObject, jsonTypeName } from '../rules/json.ts';
import { metadataProblem, timesProblem } from './object-meta.ts';
import type { Structural } from './structural.ts';

export interface Normalized {
  readonly object: JsonObject;
  /** `spec.containers[0].nme`, sorted; those of the metadata first. */
  readonly unknownFields: readonly string[];
}

const ROOT_FIELDS: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata']);
const METADATA_FIELDS: ReadonlySet<string> = new Set([
  'name',
  'generateName',
  'namespace',
  'selfLink',
  'uid',
  'resourceVersion',
  'generation',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
  'labels',
  'annotations',
  'ownerReferences',
  'finalizers',
  'managedFields',
]);

/** Metadata is read by its type, which leaves out what is empty. */
function withFullMetadata(object: JsonObject): JsonObject {
  const { metadata } = object;
  if (!isObject(metadata) || !Object.values(metadata).some(isEmpty)) return object;
  return { ...object, metadata: Object.fromEntries(Object.entries(metadata).filter(([, value]) => !isEmpty(value))) };
}

function isEmpty(value: Json): boolean {
  if (value === null || value === '') return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}

const isMetadata = (path: string): boolean => path.startsWith('metadata.');

/** Where a value stands, and how it is treated. */
interface Place {
  readonly path: string;
  readonly unknown: string[];
  /** Those of the metadata of objects inside the object: they are read last. */
  readonly unknownInside: string[];
  /** Below `x-kubernetes-preserve-unknown-fields`: what the schema does not know stays. */
  readonly keeps: boolean;
}

/** Never changes `object`; parts that stay the same are shared with it. */
export function normalize(schema: Structural, object: JsonObject): Normalized {
  const unknown: string[] = [];
  const unknownInside: string[] = [];
  const place = { path: '', unknown, unknownInside, keeps: schema.preservesUnknown };
  const normalized = withFullMetadata(normalizeObject({ ...schema, embedded: true }, object, place));
  // What the metadata does not know is found first, by another reader.
  const [meta, rest] = [unknown.filter(isMetadata), unknown.filter(path => !isMetadata(path))];
  return { object: normalized, unknownFields: [...meta.sort(), ...rest.sort(), ...unknownInside.sort()] };
}

function normalizeValue(schema: Structural | undefined, value: Json, place: Place): Json {
  const at = { ...place, keeps: schema?.preservesUnknown ?? false };
  if (Array.isArray(value)) return normalizeList(schema, value, at);
  return isObject(value) ? normalizeObject(schema, value, at) : value;
}

/** Items of a list that keeps what is unknown keep it too. */
function normalizeList(schema: Structural | undefined, list: readonly Json[], place: Place): Json {
  const items = schema?.items;
  return list.map((item, index) => {
    const at = { ...place, path: `${place.path}[${index}]` };
    const filled = item === null && items?.nullable === false ? (items.default ?? null) : item;
    return place.keeps ? normalizeKept(items, filled, at) : normalizeValue(items, filled, at);
  });
}

function normalizeKept(schema: Structural | undefined, value: Json, place: Place): Json {
  if (schema === undefined) return value;
  if (Array.isArray(value)) return normalizeList(schema, value, place);
  return isObject(value) ? normalizeObject(schema, value, place) : value;
}

/** Built from entries: a key such as `__proto__` is a key like any other. */
function normalizeObject(schema: Structural | undefined, object: JsonObject, place: Place): JsonObject {
  const kept = new Map<string, Json>();
  for (const [key, value] of Object.entries(object)) {
    const field = normalizeField(schema, key, value, place);
    if (field !== undefined) kept.set(key, field);
  }
  for (const [key, property] of schema?.properties ?? []) {
    if (property.default !== undefined && !kept.has(key)) {
      kept.set(key, normalizeValue(property, property.default, { ...place, path: under(place.path, key) }));
    }
  }
  return Object.fromEntries(kept);
}

/** Undefined: the field goes. */
function normalizeField(schema: Structural | undefined, key: string, value: Json, place: Place): Json | undefined {
  const at = { ...place, path: under(place.path, key) };
  if (schema?.embedded && ROOT_FIELDS.has(key)) {
    return key === 'metadata' ? embeddedMetadata(value, at) : embeddedName(value, at);
  }
  const property = schema?.properties.get(key) ?? additionalOf(schema);
  if (property === undefined) return unknownField(schema, value, at);
  // A null where none may be means: not set. Its default, if there is one, is filled in with the others.
  if (value === null && !property.nullable) return schema?.properties.has(key) ? undefined : property.default;
  return normalizeValue(property, value, at);
}

function unknownField(schema: Structural | undefined, value: Json, place: Place): Json | undefined {
  // `additionalProperties: true` allows the key, but says nothing of what is below it.
  if (schema?.additional === true) return normalizeValue(undefined, value, place);
  if (place.keeps) return value;
  place.unknown.push(place.path);
  return undefined;
}

const additionalOf = (schema: Structural | undefined): Structural | undefined =>
  typeof schema?.additional === 'object' ? schema.additional : undefined;

/** The metadata of an object inside an object is read as that of any other. */
export class MetadataMisfit extends Error {}

function embeddedMetadata(value: Json, place: Place): Json {
  if (place.path === 'metadata') return isObject(value) ? normalizeMetadata(value, place) : value;
  if (value === null) return {};
  const why = isObject(value)
    ? (metadataProblem(value) ?? timesProblem(value))
    : `json: cannot unmarshal ${jsonTypeName(value)} into Go value of type v1.ObjectMeta`;
  if (why !== undefined) throw new MetadataMisfit(`${place.path}: Invalid value: ${JSON.stringify(value)}: ${why}`);
  return isObject(value) ? normalizeMetadata(value, { ...place, unknown: place.unknownInside }) : value;
}

/** Its kind and version are texts, or there is no reading it. */
function embeddedName(value: Json, { path }: Place): Json {
  const isText = typeof value === 'string' || value === null || !path.includes('.');
  if (!isText) throw new MetadataMisfit(`${path}: Invalid value: ${JSON.stringify(value)}: must be a string`);
  return value;
}

/** ObjectMeta is the same for every kind, whatever the schema says of it. */
function normalizeMetadata(metadata: JsonObject, place: Place): JsonObject {
  const known = withKnownOwners(metadata, place);
  const unknown = Object.keys(known).filter(key => !METADATA_FIELDS.has(key));
  if (unknown.length === 0) return known;
  place.unknown.push(...unknown.map(key => under(place.path, key)));
  return Object.fromEntries(Object.entries(known).filter(([key]) => METADATA_FIELDS.has(key)));
}

const OWNER_FIELDS: ReadonlySet<string> = new Set([
  'apiVersion',
  'kind',
  'name',
  'uid',
  'controller',
  'blockOwnerDeletion',
]);

/** A reference of nothing is one without a word. */
const NO_OWNER: JsonObject = { apiVersion: '', kind: '', name: '', uid: '' };

function withKnownOwners(metadata: JsonObject, place: Place): JsonObject {
  const { ownerReferences } = metadata;
  if (!Array.isArray(ownerReferences) || ownerReferences.every(isKnownOwner)) return metadata;
  const owners = ownerReferences.map((owner: Json, index) => {
    if (!isObject(owner)) return NO_OWNER;
    const unknown = Object.keys(owner).filter(key => !OWNER_FIELDS.has(key));
    place.unknown.push(...unknown.map(key => `${under(place.path, 'ownerReferences')}[${index}].${key}`));
    return Object.fromEntries(Object.entries(owner).filter(([key]) => OWNER_FIELDS.has(key)));
  });
  return { ...metadata, ownerReferences: owners };
}

const isKnownOwner = (owner: Json): boolean =>
  isObject(owner) && Object.keys(owner).every(key => OWNER_FIELDS.has(key));

const under = (path: string, key: string): string => (path === '' ? key : `${path}.${key}`);
