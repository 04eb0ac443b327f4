// An object without the fields of a set.

import type { Json, JsonObject } from '../../parts.ts';
import { type Draft, isList, isObject, setKey } from '../json.ts';
import { type Atom, atomOf, below } from './atoms.ts';
import type { FieldSet } from './field-set.ts';
import { fieldStep, itemStep } from './steps.ts';

/** What becomes of an object or a list of which nothing is left: `null` still is a field that somebody can own. */
type Emptied = null | undefined;

/** Fields that were emptied are gone, too. */
export const removeFields = (schema: JsonObject, object: JsonObject, fields: FieldSet): JsonObject =>
  objectOf(new Removal(undefined).from(schema, object, fields));

/** Fields that were emptied stay as null. */
export const blankFields = (schema: JsonObject, object: JsonObject, fields: FieldSet): JsonObject =>
  objectOf(new Removal(null).from(schema, object, fields));

const objectOf = (kept: Json | undefined): JsonObject => (isObject(kept) ? kept : {});

class Removal {
  readonly #emptied: Emptied;

  constructor(emptied: Emptied) {
    this.#emptied = emptied;
  }

  from(schema: JsonObject, value: Json, fields: FieldSet): Json | undefined {
    const atom = atomOf(schema, value);
    if (atom.kind === 'map' && isObject(value)) return this.#fromMap(atom.schema, value, fields);
    if (atom.kind === 'list' && atom.relation !== 'atomic' && isList(value)) return this.#fromList(atom, value, fields);
    return value;
  }

  #fromMap(schema: JsonObject, value: JsonObject, fields: FieldSet): JsonObject | Emptied {
    const draft: Draft = {};
    for (const [key, inner] of Object.entries(value)) {
      const child = fields.children.get(fieldStep(key));
      if (child?.self === true) continue;
      const kept = child === undefined ? inner : this.from(below(schema, key), inner, child);
      if (kept !== undefined) setKey(draft, key, kept);
    }
    const isEmptied = Object.keys(draft).length === 0 && Object.keys(value).length > 0;
    return isEmptied ? this.#emptied : draft;
  }

  #fromList(atom: Atom & { readonly kind: 'list' }, value: readonly Json[], fields: FieldSet): Json | Emptied {
    const schema = atom.relation === 'map' ? atom.item : {};
    const kept = value.flatMap(item => {
      const child = fields.children.get(itemStep(atom, item));
      if (child === undefined) return [item];
      const rest = child.self ? undefined : this.from(schema, item, child);
      return rest === undefined || rest === null ? [] : [rest];
    });
    return kept.length === 0 && value.length > 0 ? this.#emptied : kept;
  }
}
