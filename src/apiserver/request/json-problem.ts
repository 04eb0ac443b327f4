// Why a text is no JSON, in the words of Go's decoder: read a second time, and only when the first reading failed.

import { goQuoted } from '../rules/quoted.ts';

/** Ends the reading with what is wrong. */
class Problem extends Error {}

/** The sentence about the first mistake in `text`, which has one. It names bytes, as Go does, not characters. */
export function jsonProblem(text: string | Uint8Array): string {
  const reader = new Reader(Buffer.from(text).toString('latin1'));
  try {
    reader.value();
    reader.end();
    return 'invalid JSON';
  } catch (error) {
    if (error instanceof Problem) return error.message;
    throw error;
  }
}

const SPACE = /[ \t\r\n]*/y;
const PLAIN = /(?:[^"\\\p{Cc}]|[\x7f-\x9f])*/uy;
const DIGITS = /[0-9]*/y;
const WORDS: Readonly<Record<string, string>> = { t: 'true', f: 'false', n: 'null' };

class Reader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  value(): void {
    const first = this.#next();
    if (first === '{') this.#object();
    else if (first === '[') this.#list();
    else if (first === '"') this.#string();
    else if (first === '-' || /[0-9]/.test(first)) this.#number(first);
    else if (Object.hasOwn(WORDS, first)) this.#word(WORDS[first] ?? '');
    else throw this.#unexpected('looking for beginning of value');
  }

  end(): void {
    this.#skip(SPACE);
    if (this.#at < this.#text.length) {
      this.#at += 1;
      throw this.#unexpected('after top-level value');
    }
  }

  #object(): void {
    if (this.#peek() === '}') return void this.#next();
    for (;;) {
      if (this.#next() !== '"') throw this.#unexpected('looking for beginning of object key string');
      this.#string();
      if (this.#next() !== ':') throw this.#unexpected('after object key');
      this.value();
      const sign = this.#next();
      if (sign === '}') return;
      if (sign !== ',') throw this.#unexpected('after object key:value pair');
    }
  }

  #list(): void {
    if (this.#peek() === ']') return void this.#next();
    for (;;) {
      this.value();
      const sign = this.#next();
      if (sign === ']') return;
      if (sign !== ',') throw this.#unexpected('after array element');
    }
  }

  #string(): void {
    for (;;) {
      this.#skip(PLAIN);
      const sign = this.#take();
      if (sign === '"') return;
      if (sign !== '\\') throw this.#unexpected('in string literal');
      this.#escape();
    }
  }

  #escape(): void {
    const sign = this.#take();
    if (sign !== 'u') {
      if (!'bfnrt\\/"'.includes(sign)) throw this.#unexpected('in string escape code');
      return;
    }
    for (let digit = 0; digit < 4; digit++) {
      if (!/[0-9a-fA-F]/.test(this.#take())) throw this.#unexpected('in \\u hexadecimal character escape');
    }
  }

  #number(first: string): void {
    const digit = first === '-' ? this.#digit('in numeric literal') : first;
    if (digit !== '0') this.#skip(DIGITS);
    if (this.#text[this.#at] === '.') {
      this.#at += 1;
      this.#digit('after decimal point in numeric literal');
      this.#skip(DIGITS);
    }
    if (!/[eE]/.test(this.#text[this.#at] ?? '')) return;
    this.#at += 1;
    if (/[+-]/.test(this.#text[this.#at] ?? '')) this.#at += 1;
    this.#digit('in exponent of numeric literal');
    this.#skip(DIGITS);
  }

  #digit(where: string): string {
    const sign = this.#take();
    if (!/[0-9]/.test(sign)) throw this.#unexpected(where);
    return sign;
  }

  #word(word: string): void {
    for (const expected of word.slice(1)) {
      if (this.#take() !== expected) throw this.#unexpected(`in literal ${word} (expecting '${expected}')`);
    }
  }

  /** The next sign that is no space, taken. */
  #next(): string {
    this.#skip(SPACE);
    return this.#take();
  }

  #peek(): string {
    this.#skip(SPACE);
    return this.#text[this.#at] ?? '';
  }

  #take(): string {
    if (this.#at >= this.#text.length) throw new Problem('unexpected end of JSON input');
    this.#at += 1;
    return this.#text[this.#at - 1] ?? '';
  }

  #skip(pattern: RegExp): void {
    pattern.lastIndex = this.#at;
    this.#at += pattern.exec(this.#text)?.[0].length ?? 0;
  }

  /** About the sign that was taken last. Go reads bytes: of a longer sign it names the first. */
  #unexpected(where: string): Problem {
    const sign = this.#text.slice(this.#at - 1, this.#at);
    return new Problem(`invalid character ${quotedSign(sign)} ${where}`);
  }
}

function quotedSign(sign: string): string {
  if (sign === "'") return "'\\''";
  if (sign === '"') return `'"'`;
  return `'${goQuoted(sign).slice(1, -1)}'`;
}
