// Reads HTTP/1.1 answers off a connection as cheaply as can be: heads are searched, bodies are skipped by their length.

const CR_LF_2 = Buffer.from('\r\n\r\n');
const CR_LF = Buffer.from('\r\n');
const NEWLINE = 0x0a;
const EMPTY = Buffer.alloc(0);
const START_BYTES = 300;

type Place = 'head' | 'body' | 'chunk head' | 'chunk' | 'end of chunks';

/** What one answer was. */
export interface Answer {
  readonly status: number;
  readonly bodyBytes: number;
  /** The body's beginning: what a refusal says, what version a list has. */
  readonly start: string;
}

/** Takes what arrives in any pieces; tells each answer that is complete. */
export class Responses {
  /** Newlines in bodies so far: in a watch, one for each event. */
  lines = 0;
  readonly #isStream: boolean;
  readonly #onAnswer: (answer: Answer) => void;
  #place: Place = 'head';
  /** Bytes of a head that is not complete yet. */
  #rest: Buffer = EMPTY;
  /** Bytes of the body or chunk that are still to come. */
  #left = 0;
  #status = 0;
  #bodyBytes = 0;
  #start = '';

  /** `stream`: count the lines of bodies. */
  constructor(kind: 'stream' | 'answers', onAnswer: (answer: Answer) => void) {
    this.#isStream = kind === 'stream';
    this.#onAnswer = onAnswer;
  }

  take(arrived: Buffer): void {
    const bytes = this.#rest.length === 0 ? arrived : Buffer.concat([this.#rest, arrived]);
    this.#rest = EMPTY;
    let at = 0;
    while (at < bytes.length) {
      const next = this.#step(bytes, at);
      if (next < 0) {
        this.#rest = Buffer.from(bytes.subarray(at));
        return;
      }
      at = next;
    }
  }

  /** Where to go on; negative: more must arrive first. */
  #step(bytes: Buffer, at: number): number {
    if (this.#place === 'head') return this.#head(bytes, at);
    if (this.#place === 'chunk head') return this.#chunkHead(bytes, at);
    if (this.#place === 'end of chunks') return this.#endOfChunks(bytes, at);
    return this.#body(bytes, at);
  }

  #head(bytes: Buffer, at: number): number {
    const end = bytes.indexOf(CR_LF_2, at);
    if (end < 0) return -1;
    const head = bytes.toString('latin1', at, end);
    this.#status = Number(head.slice(9, 12));
    this.#bodyBytes = 0;
    this.#start = '';
    const length = /\r\ncontent-length: *(\d+)/i.exec(head);
    this.#left = Number(length?.[1] ?? 0);
    this.#place = length === null ? 'chunk head' : 'body';
    if (length !== null && this.#left === 0) this.#complete();
    return end + 4;
  }

  #body(bytes: Buffer, at: number): number {
    const end = Math.min(bytes.length, at + this.#left);
    if (this.#isStream) this.#countLines(bytes, at, end);
    else if (this.#bodyBytes === 0) this.#start = bytes.toString('latin1', at, Math.min(end, at + START_BYTES));
    this.#bodyBytes += end - at;
    this.#left -= end - at;
    if (this.#left > 0) return end;
    if (this.#place === 'chunk') this.#place = 'chunk head';
    else this.#complete();
    return end;
  }

  #chunkHead(bytes: Buffer, at: number): number {
    // The end of the chunk before.
    const start = bytes[at] === 0x0d ? at + 2 : at;
    const end = bytes.indexOf(CR_LF, start);
    if (end < 0) return -1;
    this.#left = Number.parseInt(bytes.toString('latin1', start, end), 16);
    this.#place = this.#left === 0 ? 'end of chunks' : 'chunk';
    return end + 2;
  }

  #endOfChunks(bytes: Buffer, at: number): number {
    if (bytes.length < at + 2) return -1;
    this.#complete();
    return at + 2;
  }

  #complete(): void {
    this.#place = 'head';
    this.#onAnswer({ status: this.#status, bodyBytes: this.#bodyBytes, start: this.#start });
  }

  #countLines(bytes: Buffer, from: number, end: number): void {
    for (let at = bytes.indexOf(NEWLINE, from); at >= 0 && at < end; at = bytes.indexOf(NEWLINE, at + 1)) {
      this.lines += 1;
    }
  }
}
