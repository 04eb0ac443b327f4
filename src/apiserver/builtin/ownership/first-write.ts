// What a create owns, built as it is stored: nobody owned anything before, so there are no sets to reckon with.

import type { Json, JsonObject, Resource } from '../../parts.ts';
import { type Draft, isList, isObject, sameJson } from '../json.ts';
import { type Atom, atomOf, below } from './atoms.ts';
import { emptyObject, neverOwned } from './endpoint.ts';
import { EMPTY, type FieldSet, type Step, WRITTEN_LEAF } from './field-set.ts';
import { rootSchema } from './root-schema.ts';
import { fieldStep, indexed } from './steps.ts';

/** The `fieldsV1` of whoever creates the object; undefined when nothing in it is anybody's. */
export function firstFields(resource: Resource, object: JsonObject): JsonObject | undefined {
  const fields: Draft = {};
  addFields(fields, rootSchema(resource), {
    before: emptyObject(resource),
    after: object,
    hidden: neverOwned(resource),
  });
  return isBare(fields) ? undefined : fields;
}

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
  const fields: Draft = before === undefined && hidden === EMPTY ? { '.': WRITTEN_LEAF } : {};
  addFields(fields, schema, { before: old, after, hidden });
  return isBare(fields) ? undefined : fields;
}

type ListAtom = Atom & { readonly kind: 'list' };

const isItemized = (atom: Atom): atom is ListAtom => atom.kind === 'list' && atom.relation !== 'atomic';

function addFields(fields: Draft, schema: JsonObject, { before, after, hidden }: Place<JsonObject>): void {
  for (const key of Object.keys(after).sort()) {
    const step = fieldStep(key);
    const inner = hidden === EMPTY ? EMPTY : (hidden.children.get(step) ?? EMPTY);
    if (inner.self) continue;
    const old = before !== undefined && Object.hasOwn(before, key) ? before[key] : undefined;
    const found = fieldsAt(below(schema, key), { before: old, after: after[key] ?? null, hidden: inner });
    if (found !== undefined) fields[step] = found;
  }
}

/** Items whose keys are the same are one thing. */
function itemsAt(atom: ListAtom, before: Json | undefined, list: readonly Json[]): JsonObject {
  const schema = atom.relation === 'map' ? atom.item : {};
  const fields: Draft = before === undefined ? { '.': WRITTEN_LEAF } : {};
  const items: ReadonlyMap<Step, readonly Json[]> = indexed(atom, list);
  for (const step of [...items.keys()].sort()) {
    const [first = null, second] = items.get(step) ?? [];
    const place = { before: undefined, after: first, hidden: EMPTY };
    fields[step] = (second === undefined ? fieldsAt(schema, place) : undefined) ?? WRITTEN_LEAF;
  }
  return fields;
}

function isBare(object: JsonObject): boolean {
  for (const _ in object) return false;
  return true;
}
