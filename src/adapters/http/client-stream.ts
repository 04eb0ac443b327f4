// A watch over HTTP as an event stream: frames wait here until they are asked for, and the server waits when many do.

import type { IncomingMessage } from 'node:http';
import { messageOf } from '../../base/errors.ts';
import { Unavailable } from '../../kube/errors.ts';
import type { EventStream } from '../../kube/transport.ts';
import { FrameCutter } from './client-frames.ts';

/** With more frames than this unread, the socket is not read until half of them are gone. */
const MOST_UNREAD_FRAMES = 1000;

/** Reads `answer` frame by frame; `name` is the request, for errors. */
export class HttpEventStream implements EventStream {
  private readonly answer: IncomingMessage;
  private readonly name: string;
  private readonly cutter = new FrameCutter();
  private readonly frames: Buffer[] = [];
  private end: { readonly error?: Unavailable } | undefined;
  private asking: { resolve: (frame: Buffer | undefined) => void; reject: (error: unknown) => void } | undefined;

  constructor(answer: IncomingMessage, name: string) {
    this.answer = answer;
    this.name = name;
    answer.on('data', (chunk: Buffer) => this.take(chunk));
    answer.on('end', () => this.finish());
    answer.on('error', error => this.finish(messageOf(error)));
    answer.on('close', () => this.finish(answer.complete ? undefined : 'the connection was closed'));
  }

  next(): Promise<Buffer | undefined> {
    return new Promise((resolve, reject) => {
      this.asking = { resolve, reject };
      this.serve();
    });
  }

  close(): void {
    this.frames.length = 0;
    this.finish();
    this.answer.destroy();
  }

  private take(chunk: Buffer): void {
    if (this.end !== undefined) return;
    try {
      this.frames.push(...this.cutter.cut(chunk));
    } catch (error) {
      this.finish(messageOf(error));
      this.answer.destroy();
    }
    if (this.frames.length > MOST_UNREAD_FRAMES) this.answer.pause();
    this.serve();
  }

  /** What was read before the end is still given out. */
  private finish(why?: string): void {
    this.end ??= why === undefined ? {} : { error: new Unavailable(this.name, why) };
    this.serve();
  }

  private serve(): void {
    const { asking, end } = this;
    if (asking === undefined) return;
    const frame = this.frames.shift();
    if (frame === undefined && end === undefined) return;
    this.asking = undefined;
    if (this.answer.isPaused() && this.frames.length < MOST_UNREAD_FRAMES / 2) this.answer.resume();
    if (frame === undefined && end?.error !== undefined) asking.reject(end.error);
    else asking.resolve(frame);
  }
}
