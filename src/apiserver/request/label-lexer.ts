// The words of a label selector: names, values, and the signs between them.

export interface Word {
  readonly kind: 'identifier' | 'sign' | 'end';
  readonly text: string;
}

const WORD = /\s*(?:([^\s=!(),><]+)|(==|!=|[=!(),><]))/y;
const END: Word = { kind: 'end', text: '' };

/** Reads word by word, one ahead. */
export class LabelLexer {
  readonly #words: Word[] = [];
  #at = 0;

  constructor(text: string) {
    WORD.lastIndex = 0;
    for (let match = WORD.exec(text); match !== null; match = WORD.exec(text)) {
      const [, identifier, sign] = match;
      this.#words.push(
        identifier === undefined ? { kind: 'sign', text: sign ?? '' } : { kind: 'identifier', text: identifier },
      );
    }
  }

  /** The next word, which stays. */
  peek(): Word {
    return this.#words[this.#at] ?? END;
  }

  take(): Word {
    const word = this.peek();
    this.#at += 1;
    return word;
  }
}
