// An object without the fields of a set.

import type { Json, JsonObject } from '../../parts.ts';
import { type Draft, isList, isObject, setKey } from '../json.ts';
import { type Atom, atomOf, below } from './atoms.ts';
import type { FieldSet } from './field-set.ts';
import { fieldStep, itemStep } from './steps.ts';

export function removeFields(schema: JsonObject, object: JsonObject, fields: FieldSet): JsonObject {
  const kept = remove(schema, object, fields);
  return isObject(kept) ? kept : {};
}

function remove(schema: JsonObject, value: Json, fields: FieldSet): Json | undefined {
  const atom = atomOf(schema, value);
  if (atom.kind === 'map' && isObject(value)) return removeFromMap(atom.schema, value, fields);
  if (atom.kind === 'list' && atom.relation !== 'atomic' && isList(value)) return removeFromList(atom, value, fields);
  return value;
}

/** Undefined when nothing is left of what was there. */
function removeFromMap(schema: JsonObject, value: JsonObject, fields: FieldSet): JsonObject | undefined {
  const draft: Draft = {};
  for (const [key, inner] of Object.entries(value)) {
    const child = fields.children.get(fieldStep(key));
    if (child?.self === true) continue;
    const kept = child === undefined ? inner : remove(below(schema, key), inner, child);
    if (kept !== undefined) setKey(draft, key, kept);
  }
  const emptied = Object.keys(draft).length === 0 && Object.keys(value).length > 0;
  return emptied ? undefined : draft;
}

function removeFromList(
  atom: Atom & { readonly kind: 'list' },
  value: readonly Json[],
  fields: FieldSet,
): readonly Json[] | undefined {
  const schema = atom.relation === 'map' ? atom.item : {};
  const kept = value.flatMap(item => {
    const child = fields.children.get(itemStep(atom, item));
    if (child === undefined) return [item];
    const rest = child.self ? undefined : remove(schema, item, child);
    return rest === undefined ? [] : [rest];
  });
  return kept.length === 0 && value.length > 0 ? undefined : kept;
}
