// What was owned last at each place of a schema: most objects of a kind have the same fields, and own them in the same words.

import type { Json, JsonObject } from '../../parts.ts';
import type { FieldSet } from './field-set.ts';

/** What decides what is owned of an object or a list: all but its values. */
export interface Looks {
  readonly before: Json | undefined;
  readonly hidden: FieldSet;
  /** Fields, or steps to items, as they come. */
  readonly keys: readonly string[];
  /** What is owned below each of them; undefined: nothing. */
  readonly found: readonly (JsonObject | undefined)[];
}

interface Known extends Looks {
  readonly fields: JsonObject | undefined;
}

/** Names of all that is kept; what is larger by itself is made anew each time. */
const MAX_LETTERS = 256 * 1024;
const MAX_OWN_LETTERS = 4 * 1024;

export class KnownFields {
  #places = new WeakMap<object, Known>();
  #letters = 0;

  /** `place`: a schema, or how a list merges. What is given is shared: it is frozen. */
  get(place: object, looks: Looks, make: () => JsonObject | undefined): JsonObject | undefined {
    const known = this.#places.get(place);
    if (known !== undefined && isAlike(known, looks)) return known.fields;
    const fields = make();
    if (fields !== undefined) Object.freeze(fields);
    this.#keep(place, { ...looks, fields });
    return fields;
  }

  #keep(place: object, known: Known): void {
    const letters = known.keys.reduce((sum, key) => sum + key.length, 0);
    if (letters > MAX_OWN_LETTERS) return;
    if (this.#letters + letters > MAX_LETTERS) {
      this.#places = new WeakMap();
      this.#letters = 0;
    }
    this.#letters += letters;
    this.#places.set(place, known);
  }
}

function isAlike(known: Looks, { before, hidden, keys, found }: Looks): boolean {
  if (known.before !== before || known.hidden !== hidden || known.keys.length !== keys.length) return false;
  for (let n = 0; n < keys.length; n += 1) {
    if (known.keys[n] !== keys[n] || known.found[n] !== found[n]) return false;
  }
  return true;
}
