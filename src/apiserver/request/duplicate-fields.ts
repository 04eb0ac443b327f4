// Fields that a JSON text says twice: JSON.parse keeps the last and is silent, Kubernetes warns.

import type { Json } from '../parts.ts';

/** One token: a string, or a character that gives structure. A string without an end is one too: nothing is read twice. */
const TOKEN = /"(?:[^"\\]|\\.)*"?|[{}[\],:]/gs;

/** More are not told. */
const MAX_FOUND = 100;

interface Level {
  /** The keys seen so far; undefined in a list. */
  readonly keys: Set<string> | undefined;
  key: string;
  index: number;
}

/**
 * Paths of the duplicates, in the order in which they come: `metadata.name`, `spec.containers[0].image`. `value` is what
 * JSON.parse made of the text: what writes the same text again has lost nothing, and most clients write as JSON.stringify does.
 */
export function duplicateFields(json: string, value: Json): readonly string[] {
  if (JSON.stringify(value) === json.trimEnd()) return [];
  const reader = new Reader();
  for (const [token] of json.matchAll(TOKEN)) reader.read(token);
  return reader.found;
}

class Reader {
  readonly found: string[] = [];
  readonly #levels: Level[] = [];
  #lastString = '';

  read(token: string): void {
    if (token === '{' || token === '[') {
      this.#levels.push({ keys: token === '{' ? new Set() : undefined, key: '', index: 0 });
    } else if (token === '}' || token === ']') this.#levels.pop();
    else if (token === ',') this.#comma();
    else if (token === ':') this.#colon();
    else this.#lastString = token;
  }

  #comma(): void {
    const level = this.#levels.at(-1);
    if (level !== undefined) level.index += 1;
  }

  #colon(): void {
    const level = this.#levels.at(-1);
    if (level?.keys === undefined) return;
    const key = String(JSON.parse(this.#lastString));
    level.key = key;
    if (level.keys.has(key) && this.found.length < MAX_FOUND) this.found.push(this.#path());
    level.keys.add(key);
  }

  #path(): string {
    return this.#levels.map((level, at) => step(level, at)).join('');
  }
}

function step({ keys, key, index }: Level, at: number): string {
  if (keys === undefined) return `[${index}]`;
  return at === 0 ? key : `.${key}`;
}
