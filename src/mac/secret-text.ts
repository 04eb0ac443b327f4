// A text that must not be seen: it prints, logs and serialises as `[secret]` (safe-20).

const HIDDEN = '[secret]';

/** Only `reveal` answers the text; everything that prints objects answers a placeholder. */
export class SecretText {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  reveal(): string {
    return this.#text;
  }

  get isEmpty(): boolean {
    return this.#text === '';
  }

  toString(): string {
    return HIDDEN;
  }

  toJSON(): string {
    return HIDDEN;
  }

  /** What `console.log` and `util.inspect` show. */
  [Symbol.for('nodejs.util.inspect.custom')](): string {
    return HIDDEN;
  }
}

export const secret = (text: string): SecretText => new SecretText(text);
