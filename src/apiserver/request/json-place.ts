// Where one is in a JSON text that is read token by token: `spec.containers[0].image`.

/** One token: a string, a number, or a sign that gives structure. A string without an end is one too: nothing is read twice. */
export const JSON_TOKEN = /"(?:[^"\\]|\\.)*"?|[{}[\],:]|-?\d[\d.eE+-]*/gs;

interface Level {
  /** The keys seen so far; undefined in a list. */
  readonly keys: Set<string> | undefined;
  key: string;
  index: number;
}

export class JsonPlace {
  readonly #levels: Level[] = [];
  #lastString = '';

  /** Takes the next token. True: it was a key that its object has already said. */
  read(token: string): boolean {
    if (token === ':') return this.#colon();
    if (token === '{' || token === '[') {
      this.#levels.push({ keys: token === '{' ? new Set() : undefined, key: '', index: 0 });
    } else if (token === '}' || token === ']') this.#levels.pop();
    else if (token === ',') this.#comma();
    else this.#lastString = token;
    return false;
  }

  get path(): string {
    return this.#levels.map(step).join('');
  }

  #comma(): void {
    const level = this.#levels.at(-1);
    if (level !== undefined) level.index += 1;
  }

  #colon(): boolean {
    const level = this.#levels.at(-1);
    if (level?.keys === undefined) return false;
    level.key = String(JSON.parse(this.#lastString));
    const isSaidAgain = level.keys.has(level.key);
    level.keys.add(level.key);
    return isSaidAgain;
  }
}

function step({ keys, key, index }: Level, at: number): string {
  if (keys === undefined) return `[${index}]`;
  return at === 0 ? key : `.${key}`;
}
