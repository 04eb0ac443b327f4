// The fields that an applied configuration states: what its owner comes to own.

import type { Json, JsonObject } from '../../parts.ts';
import { isObject } from '../json.ts';
import { atomOf, below, isNamed } from './atoms.ts';
import { EMPTY, type FieldSet, LEAF, type Step, setOf, union } from './field-set.ts';
import { fieldStep, indexed, nameIn } from './steps.ts';

/** Leaves, list items, keys of free maps, and what is empty or null. */
export function membersOf(schema: JsonObject, value: Json): FieldSet {
  const atom = atomOf(schema, value);
  if (atom.kind === 'scalar') return LEAF;
  if (atom.kind === 'map') {
    if (atom.atomic) return LEAF;
    return isObject(value) ? setOf(mapMembers(atom.schema, value)) : EMPTY;
  }
  if (atom.relation === 'atomic') return LEAF;
  const item = atom.relation === 'map' ? atom.item : {};
  return setOf([...indexed(atom, value)].map(([step, items]) => [step, itemMembers(item, items)] as const));
}

function mapMembers(schema: JsonObject, value: JsonObject): readonly (readonly [Step, FieldSet])[] {
  return Object.entries(value).map(([key, inner]) => {
    const members = membersOf(below(schema, key), inner);
    const isBare = inner === null || (isObject(inner) && Object.keys(inner).length === 0);
    return [fieldStep(key), isBare || !isNamed(schema, key) ? union(members, LEAF) : members] as const;
  });
}

const itemMembers = (schema: JsonObject, items: readonly Json[]): FieldSet =>
  items.length > 1 ? LEAF : union(membersOf(schema, items[0] ?? null), LEAF);

/** The set with the named fields on the way to its members: owning `a.b` is a reason to keep `a`, if `a` is a field. */
export function withNamedFields(schema: JsonObject, set: FieldSet): FieldSet {
  const atom = atomOf(schema, {});
  const children = [...set.children].map(([step, child]) => {
    const name = nameIn(step);
    const inner = withNamedFields(schemaAt(schema, step), child);
    const named = name !== undefined && atom.kind === 'map' && isNamed(atom.schema, name);
    return [step, named ? union(inner, LEAF) : inner] as const;
  });
  return setOf(children, set.self ? 'with itself' : 'without');
}

function schemaAt(schema: JsonObject, step: Step): JsonObject {
  const name = nameIn(step);
  const atom = atomOf(schema, name === undefined ? [] : {});
  if (atom.kind === 'map' && name !== undefined) return below(atom.schema, name);
  return atom.kind === 'list' && atom.relation === 'map' ? atom.item : {};
}
