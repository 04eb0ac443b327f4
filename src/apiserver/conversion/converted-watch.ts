// A watch of a kind of several versions: events about objects of another version are converted on their way out.

import type { EventStream } from '../../kube/transport.ts';
import { statusOf } from '../answer/status.ts';
import { apiVersionOf, type Call } from '../core.ts';
import type { JsonObject } from '../parts.ts';
import type { Accepted } from '../request/accept.ts';
import { isObject, stringAt } from '../rules/json.ts';
import type { Row } from '../store.ts';
import { type EventType, type FrameCache, FrameWriter } from '../verbs/watch-frames.ts';
import { convertedObjects } from './converted.ts';
import { readToday } from './outgrown.ts';

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Writes rows for the stream below: as its client gets them, or as they are stored where they are to be converted. */
export class StoredFrames extends FrameWriter {
  readonly #call: Call;
  readonly #writer: FrameWriter;
  readonly #finished = new WeakSet<Uint8Array>();

  /** `writer` is the client's. */
  constructor(call: Call, accepted: Accepted, writer: FrameWriter) {
    super(call, accepted);
    this.#call = call;
    this.#writer = writer;
  }

  override ofRow(type: EventType, row: Row, cache?: FrameCache): Uint8Array {
    const { core, resource } = this.#call;
    if (row.apiVersion === apiVersionOf(resource)) {
      const frame = this.#writer.ofRow(type, row, cache);
      this.#finished.add(frame);
      return frame;
    }
    const { object } = readToday(core, resource, row, type);
    return encoder.encode(JSON.stringify({ type, object }));
  }

  /** Whether the client gets the frame as it is. */
  isFinished(frame: Uint8Array): boolean {
    return this.#finished.has(frame);
  }
}

export class ConvertedWatch implements EventStream {
  readonly #call: Call;
  readonly #inner: EventStream;
  readonly #stored: StoredFrames;
  readonly #writer: FrameWriter;

  /** `inner` writes its rows as `stored` does; `writer` is the client's. */
  constructor(call: Call, inner: EventStream, { stored, writer }: { stored: StoredFrames; writer: FrameWriter }) {
    this.#call = call;
    this.#inner = inner;
    this.#stored = stored;
    this.#writer = writer;
  }

  async next(): Promise<Uint8Array | undefined> {
    const frame = await this.#inner.next();
    if (frame === undefined || this.#stored.isFinished(frame)) return frame;
    const event = JSON.parse(decoder.decode(frame)) as JsonObject;
    const type = stringAt(event, 'type');
    if (!isChange(type) || !isObject(event.object)) return frame;
    return this.#converted(type, event.object);
  }

  /** A watch whose objects cannot be converted ends with the reason. */
  async #converted(type: EventType, object: JsonObject): Promise<Uint8Array> {
    const { core, resource } = this.#call;
    try {
      const [shown = object] = await convertedObjects(core, resource, [object]);
      return this.#writer.ofObject(type, shown);
    } catch (error) {
      this.close('an object could not be converted');
      return this.#writer.ofStatus(JSON.parse(JSON.stringify(statusOf(error))));
    }
  }

  close(reason: string): void {
    this.#inner.close(reason);
  }
}

const CHANGES: readonly EventType[] = ['ADDED', 'MODIFIED', 'DELETED'];
const isChange = (type: string): type is EventType => CHANGES.some(each => each === type);
