// How a value merges and is owned, as its schema says: as one thing, field by field, or item by item.

import type { Json, JsonObject } from '../../parts.ts';
import { isList, isObject, listAt, objectAt, textAt } from '../json.ts';
import { fieldSchema, itemSchema, resolved, schemaOf } from '../schemas.ts';

export type Atom =
  | { readonly kind: 'scalar' }
  | { readonly kind: 'map'; readonly atomic: boolean; readonly schema: JsonObject }
  | { readonly kind: 'list'; readonly relation: 'atomic' | 'set' }
  | { readonly kind: 'list'; readonly relation: 'map'; readonly keys: readonly string[]; readonly item: JsonObject };

const SCALAR: Atom = { kind: 'scalar' };
const ATOMIC_LIST: Atom = { kind: 'list', relation: 'atomic' };
/** A value that no schema describes: objects field by field, lists as one thing. */
const UNTYPED: JsonObject = {};

/** What holds any object is owned as one thing. */
const EXTENSION = schemaOf('io.k8s.apimachinery.pkg.runtime.RawExtension');

/** Every write asks for the same schemas again. */
const known = new WeakMap<JsonObject, Atom>();

/** The schema decides; where it says nothing, the value does. */
export function atomOf(schema: JsonObject, value: Json | undefined): Atom {
  const found = known.get(schema) ?? typedAtom(schema);
  if (found !== undefined) {
    known.set(schema, found);
    return found;
  }
  if (isList(value)) return ATOMIC_LIST;
  return isObject(value) ? { kind: 'map', atomic: isAtomic(schema), schema: UNTYPED } : SCALAR;
}

/** Undefined: the schema names no type. */
function typedAtom(schema: JsonObject): Atom | undefined {
  const target = resolved(schema);
  const type = textAt(target, 'type');
  if (type === 'object') return { kind: 'map', atomic: isAtomic(schema) || isAtomic(target), schema: target };
  if (type === 'array') return listAtom(schema, target);
  const isScalar = type !== '' || target.oneOf !== undefined || target['x-kubernetes-int-or-string'] === true;
  return isScalar ? SCALAR : undefined;
}

const isAtomic = (schema: JsonObject): boolean => schema['x-kubernetes-map-type'] === 'atomic' || schema === EXTENSION;

function listAtom(schema: JsonObject, target: JsonObject): Atom {
  const type = textAt(schema, 'x-kubernetes-list-type') || textAt(target, 'x-kubernetes-list-type');
  const item = itemSchema(target);
  if (type === 'set') return { kind: 'list', relation: 'set' };
  if (type === 'map') {
    const keys = [...listAt(schema, 'x-kubernetes-list-map-keys'), ...listAt(target, 'x-kubernetes-list-map-keys')];
    return { kind: 'list', relation: 'map', keys: [...new Set(keys.map(String))], item };
  }
  return type === 'atomic' ? ATOMIC_LIST : byPatchStrategy(schema, item);
}

/** Lists from before list types existed say by their patch strategy how they merge. */
function byPatchStrategy(schema: JsonObject, item: JsonObject): Atom {
  const merges = textAt(schema, 'x-kubernetes-patch-strategy').split(',').includes('merge');
  if (!merges) return ATOMIC_LIST;
  const key = textAt(schema, 'x-kubernetes-patch-merge-key');
  return key === '' ? { kind: 'list', relation: 'set' } : { kind: 'list', relation: 'map', keys: [key], item };
}

/** Whether the schema names this field, rather than allowing any. */
export const isNamed = (schema: JsonObject, name: string): boolean =>
  Object.hasOwn(objectAt(schema, 'properties'), name);

/** The schema below a key; untyped where there is none. */
export const below = (schema: JsonObject, name: string): JsonObject => fieldSchema(schema, name) ?? UNTYPED;
