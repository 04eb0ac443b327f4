// Reads an object the way Go reads it into its type, and gives back what Go would write: fields in the type's order,
// without nulls, empty values and unknown fields, quantities and times in their canonical form.

import type { Json, JsonObject } from '../parts.ts';
import { inDocumentOrder } from './document-order.ts';
import { type Draft, isList, isObject, setKey } from './json.ts';
import { type Field, JSON_SCHEMA, type Scalar, type Shape, STRUCTS, shapeOf, type ValueType } from './shapes.ts';
import { Trail } from './trail.ts';
import { readScalar, zeroScalar } from './values.ts';

export interface Tidied {
  readonly object: JsonObject;
  /** Paths of what the type does not know: `spec.containers[0].colour`. */
  readonly unknownFields: readonly string[];
}

/** Throws `Malformed` when a value has the wrong type. */
export function tidy(typeName: string, object: JsonObject): Tidied {
  const trail = new Trail();
  const tidied = tidyMessage(shapeOf(typeName), object, trail);
  return { object: tidied, unknownFields: inDocumentOrder(object, trail.unknown) };
}

function tidyMessage(shape: Shape, value: JsonObject, trail: Trail): JsonObject {
  const draft: Draft = {};
  trail.enterType(shape.name);
  tidyFields(shape, value, draft, trail);
  for (const key of Object.keys(value)) if (!shape.byName.has(key)) trail.noteUnknown(key);
  trail.leaveType();
  return draft;
}

function tidyFields(shape: Shape, value: JsonObject, draft: Draft, trail: Trail): void {
  for (const field of shape.fields) {
    if (field.inline && field.type.kind === 'message') {
      tidyInline(field.type.name, value, draft, trail);
      continue;
    }
    const found = (Object.hasOwn(value, field.name) ? value[field.name] : null) ?? null;
    if (found === null && field.isLeftOut) continue;
    const kept = tidyField(field, found, trail);
    if (kept !== undefined) draft[field.name] = kept;
  }
}

function tidyInline(typeName: string, value: JsonObject, draft: Draft, trail: Trail): void {
  trail.enterEmbedded(typeName);
  tidyFields(shapeOf(typeName), value, draft, trail);
  trail.leave();
}

/** What Go writes for this field; undefined when it leaves it out. */
function tidyField(field: Field, value: Json, trail: Trail): Json | undefined {
  if (value === null) return absent(field, trail);
  trail.enter(field.name);
  const kept = tidyValue(field.type, value, trail);
  trail.leave();
  return !field.pointer && field.omitEmpty && isEmpty(field.type, kept) ? undefined : kept;
}

function absent(field: Field, trail: Trail): Json | undefined {
  if (field.isLeftOut) return undefined;
  return field.pointer ? null : zero(field.type, trail);
}

function zero(type: ValueType, trail: Trail): Json {
  if (type.kind === 'message') return tidyMessage(shapeOf(type.name), {}, trail);
  if (type.kind === 'list' || type.kind === 'map' || type.kind === 'strings') return null;
  return tidyScalar(type.kind, null, trail);
}

function isEmpty(type: ValueType, value: Json): boolean {
  if (STRUCTS.has(type.kind)) return false;
  if (isList(value)) return value.length === 0;
  if (isObject(value)) return Object.keys(value).length === 0;
  return value === '' || value === 0 || value === false || value === null;
}

function tidyValue(type: ValueType, value: Json, trail: Trail): Json {
  if (type.kind === 'message') return tidyStruct(type, value, trail);
  if (type.kind === 'list' || type.kind === 'strings') return tidyList(type, value, trail);
  if (type.kind === 'map') return isObject(value) ? tidyMap(type.element, value, trail) : trail.wrongType(value, type);
  return tidyScalar(type.kind, value, trail);
}

function tidyStruct(type: ValueType & { readonly kind: 'message' }, value: Json, trail: Trail): Json {
  if (isObject(value)) return tidyMessage(shapeOf(type.name), value, trail);
  return value === null ? zero(type, trail) : trail.wrongType(value, type);
}

function tidyList(type: ValueType & { readonly kind: 'list' | 'map' | 'strings' }, value: Json, trail: Trail): Json {
  if (isList(value)) return value.map((item, index) => tidyItem(type.element, item, index, trail));
  return value === null ? null : trail.wrongType(value, type);
}

function tidyScalar(kind: Scalar, value: Json, trail: Trail): Json {
  if (kind === 'schemaorarray' || kind === 'schemaorbool' || kind === 'schemaorstrings') {
    return tidySchemaOr(value, trail);
  }
  return value === null ? zeroScalar(kind) : readScalar(kind, value, trail);
}

/** Schemas, wherever they may stand; flags and names pass. */
function tidySchemaOr(value: Json, trail: Trail): Json {
  if (isObject(value)) return tidyMessage(shapeOf(JSON_SCHEMA), value, trail);
  return isList(value)
    ? value.map((item, index) => (isObject(item) ? tidyItem(SCHEMA, item, index, trail) : item))
    : value;
}

const SCHEMA: ValueType = { kind: 'message', name: JSON_SCHEMA };

function tidyItem(type: ValueType, item: Json, index: number, trail: Trail): Json {
  trail.enterItem(index);
  const kept = tidyValue(type, item, trail);
  trail.leave();
  return kept;
}

function tidyMap(element: ValueType, value: JsonObject, trail: Trail): JsonObject {
  const draft: Draft = {};
  for (const key of Object.keys(value)) {
    trail.enterKey(key);
    setKey(draft, key, tidyValue(element, value[key] ?? null, trail));
    trail.leave();
  }
  return draft;
}
