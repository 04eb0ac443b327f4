// A watch in a case: its frames one by one, each within a deadline.

import type { IncomingMessage } from 'node:http';

const FRAME_DEADLINE_MS = 20_000;

export interface Frame {
  readonly type: string;
  readonly object: Readonly<Record<string, unknown>>;
}

/** Reads a JSON watch. `undefined` is the end of the stream. */
export class FrameReader {
  readonly #incoming: IncomingMessage;
  readonly #lines: string[] = [];
  #rest = '';
  #ended = false;
  #wake: () => void = () => undefined;

  constructor(incoming: IncomingMessage) {
    this.#incoming = incoming;
    incoming.setEncoding('utf8');
    incoming.on('data', (chunk: string) => this.#take(chunk));
    const end = (): void => {
      this.#ended = true;
      this.#wake();
    };
    incoming.once('end', end);
    incoming.once('error', end);
    incoming.once('close', end);
  }

  async next(deadlineMs = FRAME_DEADLINE_MS): Promise<Frame | undefined> {
    const until = Date.now() + deadlineMs;
    while (this.#lines.length === 0 && !this.#ended) await this.#more(until);
    const line = this.#lines.shift();
    return line === undefined ? undefined : (JSON.parse(line) as Frame);
  }

  close(): void {
    this.#incoming.destroy();
  }

  #take(chunk: string): void {
    const parts = (this.#rest + chunk).split('\n');
    this.#rest = parts.pop() ?? '';
    this.#lines.push(...parts.filter(part => part.trim() !== ''));
    this.#wake();
  }

  #more(untilMs: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const late = setTimeout(() => reject(new Error('no watch frame came in time')), untilMs - Date.now());
      this.#wake = () => {
        clearTimeout(late);
        resolve();
      };
    });
  }
}
