// What differs between two states of an object, as sets of fields: added, changed, removed.

import type { Json, JsonObject } from '../../parts.ts';
import { isList, isObject, sameJson } from '../json.ts';
import { type Atom, atomOf, below } from './atoms.ts';
import { EMPTY, type FieldSet, isEmpty, LEAF, type Step } from './field-set.ts';
import { fieldStep, indexed } from './steps.ts';

export interface Difference {
  readonly added: FieldSet;
  readonly modified: FieldSet;
  readonly removed: FieldSet;
}

const NONE: Difference = { added: EMPTY, modified: EMPTY, removed: EMPTY };

/** Absent is undefined; null is a value. */
export function compare(schema: JsonObject, before: Json | undefined, after: Json | undefined): Difference {
  // Most of an object stays as it is, and seeing that needs no schema.
  if (sameJson(before, after)) return NONE;
  if (before === undefined && after !== undefined) return { ...NONE, added: allOf(schema, after) };
  const atom = atomOf(schema, after ?? before);
  if (atom.kind === 'map' && !atom.atomic) return compareMaps(atom, before, after);
  if (atom.kind === 'list' && atom.relation !== 'atomic') return compareLists(atom, before, after);
  return compareLeaves(before, after);
}

/** Every place in a value that is new as a whole. */
function allOf(schema: JsonObject, value: Json): FieldSet {
  const atom = atomOf(schema, value);
  if (atom.kind === 'map' && !atom.atomic && isObject(value)) return allOfMap(atom.schema, value);
  if (atom.kind === 'list' && atom.relation !== 'atomic' && isList(value)) return allOfList(atom, value);
  return LEAF;
}

function allOfMap(schema: JsonObject, value: JsonObject): FieldSet {
  const children = new Map<Step, FieldSet>();
  for (const key of Object.keys(value)) children.set(fieldStep(key), allOf(below(schema, key), value[key] ?? null));
  return children.size === 0 ? LEAF : { self: true, children };
}

function allOfList(atom: Atom & { readonly kind: 'list' }, list: readonly Json[]): FieldSet {
  const schema = atom.relation === 'map' ? atom.item : {};
  const children = new Map<Step, FieldSet>();
  for (const [step, items] of indexed(atom, list)) {
    children.set(step, items.length > 1 ? LEAF : allOf(schema, items[0] ?? null));
  }
  return children.size === 0 ? LEAF : { self: true, children };
}

const ADDED: Difference = { ...NONE, added: LEAF };
const REMOVED: Difference = { ...NONE, removed: LEAF };
const MODIFIED: Difference = { ...NONE, modified: LEAF };

function compareLeaves(before: Json | undefined, after: Json | undefined): Difference {
  if (before === undefined) return ADDED;
  return after === undefined ? REMOVED : MODIFIED;
}

function compareMaps(
  atom: Atom & { readonly kind: 'map' },
  before: Json | undefined,
  after: Json | undefined,
): Difference {
  const [old, next] = [isObject(before) ? before : {}, isObject(after) ? after : {}];
  const gathered = new Gathered();
  let isBare = true;
  for (const key of Object.keys(next)) {
    isBare = false;
    gathered.add(fieldStep(key), compare(below(atom.schema, key), own(old, key), next[key]));
  }
  for (const key of Object.keys(old)) {
    isBare = false;
    if (!Object.hasOwn(next, key)) gathered.add(fieldStep(key), compare(below(atom.schema, key), old[key], undefined));
  }
  // The difference between nothing, null and empty is one of the whole.
  return isBare ? compareLeaves(before, after) : gathered.difference(before, after);
}

const own = (object: JsonObject, key: string): Json | undefined =>
  Object.hasOwn(object, key) ? object[key] : undefined;

function compareLists(
  atom: Atom & { readonly kind: 'list' },
  before: Json | undefined,
  after: Json | undefined,
): Difference {
  const isBare = [before, after].every(list => !isList(list) || list.length === 0);
  if (isBare) return compareLeaves(before, after);

  const [old, next] = [indexed(atom, before), indexed(atom, after)];
  const schema = atom.relation === 'map' ? atom.item : {};
  const gathered = new Gathered();
  for (const step of new Set([...old.keys(), ...next.keys()])) {
    gathered.add(step, compareItems(schema, old.get(step), next.get(step)));
  }
  return gathered.difference(before, after);
}

/** Items of one key: usually one each; where a key is there twice they are compared as one thing. */
function compareItems(
  schema: JsonObject,
  before: readonly Json[] | undefined,
  after: readonly Json[] | undefined,
): Difference {
  if ((before?.length ?? 1) > 1 || (after?.length ?? 1) > 1) return compareLeaves(before, after);
  return compare(schema, before?.[0], after?.[0]);
}

/** The differences below one place. */
class Gathered {
  #added: Map<Step, FieldSet> | undefined;
  #modified: Map<Step, FieldSet> | undefined;
  #removed: Map<Step, FieldSet> | undefined;

  add(step: Step, difference: Difference): void {
    if (difference === NONE) return;
    const { added, modified, removed } = difference;
    if (!isEmpty(added)) this.#added = withStep(this.#added, step, added);
    if (!isEmpty(modified)) this.#modified = withStep(this.#modified, step, modified);
    if (!isEmpty(removed)) this.#removed = withStep(this.#removed, step, removed);
  }

  /** What is new or gone as a whole is so itself, too. */
  difference(before: Json | undefined, after: Json | undefined): Difference {
    const [added, modified, removed] = [this.#added, this.#modified, this.#removed];
    const isSame = added === undefined && modified === undefined && removed === undefined;
    if (isSame && before !== undefined && after !== undefined) return NONE;
    return {
      added: setWith(before === undefined ? LEAF : EMPTY, added),
      modified: setWith(EMPTY, modified),
      removed: setWith(after === undefined ? LEAF : EMPTY, removed),
    };
  }
}

function withStep(children: Map<Step, FieldSet> | undefined, step: Step, child: FieldSet): Map<Step, FieldSet> {
  return (children ?? new Map<Step, FieldSet>()).set(step, child);
}

function setWith(place: FieldSet, children: Map<Step, FieldSet> | undefined): FieldSet {
  return children === undefined ? place : { self: place.self, children };
}
