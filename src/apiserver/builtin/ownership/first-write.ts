// What a create owns, built as it is stored: nobody owned anything before, so there are no sets to reckon with.

import type { Json, JsonObject, Resource } from '../../parts.ts';
import { type Draft, isList, isObject, sameJson } from '../json.ts';
import { type Atom, atomOf, below } from './atoms.ts';
import { emptyObject, neverOwned } from './endpoint.ts';
import { EMPTY, type FieldSet, WRITTEN_LEAF } from './field-set.ts';
import { KnownFields, type Looks } from './known-fields.ts';
import { rootSchema } from './root-schema.ts';
import { fieldStep, itemStep } from './steps.ts';

/** The `fieldsV1` of whoever creates the object, frozen; undefined when nothing in it is anybody's. */
export function firstFields(resource: Resource, object: JsonObject): JsonObject | undefined {
  const place = { before: emptyObject(resource), after: object, hidden: neverOwned(resource) };
  return fieldsOf(rootSchema(resource), place, {});
}

/** Shared by all APIs of a process: the same kinds look the same everywhere. */
const knownFields = new KnownFields();

interface Place<T> {
  /** Of Go's empty object: it has no items in its lists. */
  readonly before: T | undefined;
  readonly after: T;
  /** What below here is nobody's. Who has such fields is not owned itself. */
  readonly hidden: FieldSet;
}

/** Undefined: nobody wrote it. */
function fieldsAt(schema: JsonObject, place: Place<Json>): JsonObject | undefined {
  const { before, after } = place;
  if (before !== undefined && sameJson(before, after)) return undefined;
  const atom = atomOf(schema, after);
  if (isItemized(atom) && isList(after) && after.length > 0) return itemsAt(atom, before, after);
  return atom.kind === 'map' && !atom.atomic ? mapAt(atom.schema, place) : WRITTEN_LEAF;
}

function mapAt(schema: JsonObject, { before, after, hidden }: Place<Json>): JsonObject | undefined {
  const old = isObject(before) ? before : undefined;
  if (!isObject(after) || isBare(after)) {
    const isRemoved = hidden !== EMPTY || (old !== undefined && !isBare(old));
    return isRemoved ? undefined : WRITTEN_LEAF;
  }
  return fieldsOf(schema, { before: old, after, hidden }, before === undefined && hidden === EMPTY ? ITSELF : {});
}

/** The object itself is somebody's, besides what is in it. */
const ITSELF: JsonObject = { '.': WRITTEN_LEAF };

type ListAtom = Atom & { readonly kind: 'list' };

const isItemized = (atom: Atom): atom is ListAtom => atom.kind === 'list' && atom.relation !== 'atomic';

function fieldsOf(schema: JsonObject, place: Place<JsonObject>, itself: JsonObject): JsonObject | undefined {
  const { before, after, hidden } = place;
  const keys = Object.keys(after);
  const found: (JsonObject | undefined)[] = [];
  for (const key of keys) found.push(fieldAt(below(schema, key), key, place));
  const looks = { before, hidden, keys, found };
  return knownFields.get(schema, looks, () => {
    const fields = inOrder(looks, fieldStep, itself);
    return isBare(fields) ? undefined : fields;
  });
}

function fieldAt(
  schema: JsonObject,
  key: string,
  { before, after, hidden }: Place<JsonObject>,
): JsonObject | undefined {
  const inner = hidden === EMPTY ? EMPTY : (hidden.children.get(fieldStep(key)) ?? EMPTY);
  if (inner.self) return undefined;
  const old = before !== undefined && Object.hasOwn(before, key) ? before[key] : undefined;
  return fieldsAt(schema, { before: old, after: after[key] ?? null, hidden: inner });
}

/** Sorted by their keys, as Go writes maps. */
function inOrder({ keys, found }: Looks, stepOf: (key: string) => string, itself: JsonObject): JsonObject {
  const fields: Draft = { ...itself };
  const places = keys.map((key, n) => ({ key, fields: found[n] })).sort((a, b) => (a.key < b.key ? -1 : 1));
  for (const { key, fields: below } of places) if (below !== undefined) fields[stepOf(key)] = below;
  return fields;
}

/** What holds anything: the items of a set are not looked into. */
const ANYTHING: JsonObject = {};

function itemsAt(atom: ListAtom, before: Json | undefined, list: readonly Json[]): JsonObject | undefined {
  const schema = atom.relation === 'map' ? atom.item : ANYTHING;
  const keys: string[] = [];
  const found: JsonObject[] = [];
  for (const item of list) {
    keys.push(itemStep(atom, item));
    found.push(fieldsAt(schema, { before: undefined, after: item, hidden: EMPTY }) ?? WRITTEN_LEAF);
  }
  const looks = { before, hidden: EMPTY, keys, found };
  return knownFields.get(atom, looks, () => {
    const itself = before === undefined ? ITSELF : {};
    return inOrder({ ...looks, found: onceOrLeaf(looks) }, step => step, itself);
  });
}

/** Items whose keys are the same are one thing. */
function onceOrLeaf({ keys, found }: Looks): Looks['found'] {
  const once = new Set<string>();
  const twice = new Set<string>();
  for (const key of keys) (once.has(key) ? twice : once).add(key);
  return found.map((fields, n) => (twice.has(keys[n] ?? '') ? WRITTEN_LEAF : fields));
}

function isBare(object: JsonObject): boolean {
  for (const _ in object) return false;
  return true;
}
