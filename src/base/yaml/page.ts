// The page that YAML is written on: where the next character goes, and when a new line is due.

/** Lines are folded at the first space past this column. */
const FOLDING_COLUMN = 80;

export interface IndicatorPlace {
  /** Whether a space goes before it where none is yet. */
  readonly spaced: boolean;
  /** Whether what follows may start on the same line, as in `- - a`. */
  readonly opensLine?: boolean;
}

export class Page {
  #text = '';
  #column = 0;
  /** Whether the last thing on the page is white space. */
  #afterSpace = true;
  /** Whether the line holds nothing but white space and signs that open a line. */
  #onlyIndent = true;

  get isPastFold(): boolean {
    return this.#column > FOLDING_COLUMN;
  }

  get isAtLineStart(): boolean {
    return this.#onlyIndent;
  }

  get text(): string {
    return this.#text;
  }

  /** Goes to `column` of this line where that is free, else of the next one. */
  indent(column: number): void {
    const isTaken = this.#column > column || (this.#column === column && !this.#afterSpace);
    if (!this.#onlyIndent || isTaken) this.lineBreak();
    while (this.#column < column) this.put(' ');
    this.#afterSpace = true;
    this.#onlyIndent = true;
  }

  indicator(sign: string, { spaced, opensLine = false }: IndicatorPlace): void {
    if (spaced) this.space();
    for (const character of sign) this.put(character);
    this.#afterSpace = false;
    this.#onlyIndent &&= opensLine;
  }

  /** A space, unless there is one. */
  space(): void {
    if (!this.#afterSpace) this.put(' ');
  }

  put(character: string): void {
    this.#text += character;
    this.#column++;
  }

  /** A character of a scalar: the line has content from here on. */
  content(character: string): void {
    this.put(character);
    this.#onlyIndent = false;
  }

  /** Ends the line with a break of the text's own, which may be another character than a newline. */
  ownBreak(character: string): void {
    this.#text += character;
    this.#column = 0;
    this.#onlyIndent = true;
  }

  lineBreak(): void {
    this.#text += '\n';
    this.#column = 0;
  }

  /** The lines of a block start: what is written next is indented afresh. */
  openBlock(): void {
    this.lineBreak();
    this.#afterSpace = true;
    this.#onlyIndent = true;
  }

  endScalar(): void {
    this.#afterSpace = false;
    this.#onlyIndent = false;
  }
}
