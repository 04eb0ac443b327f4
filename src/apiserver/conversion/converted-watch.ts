// A watch of a kind of several versions: events about objects of another version are converted on their way out.

import type { EventStream } from '../../kube/transport.ts';
import { statusOf } from '../answer/status.ts';
import type { Call } from '../core.ts';
import type { JsonObject } from '../parts.ts';
import type { Accepted } from '../request/accept.ts';
import { isObject, stringAt } from '../rules/json.ts';
import type { Row } from '../store.ts';
import { type EventType, FrameWriter } from '../verbs/watch-frames.ts';
import { convertedObjects } from './converted.ts';
import { readToday } from './outgrown.ts';

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Writes rows as they are stored, for the stream below. */
export class StoredFrames extends FrameWriter {
  readonly #call: Call;

  constructor(call: Call, accepted: Accepted) {
    super(call, accepted);
    this.#call = call;
  }

  override ofRow(type: EventType, row: Row): Uint8Array {
    const { object } = readToday(this.#call.core, this.#call.resource, row, type);
    return encoder.encode(JSON.stringify({ type, object }));
  }
}

export class ConvertedWatch implements EventStream {
  readonly #call: Call;
  readonly #inner: EventStream;
  readonly #writer: FrameWriter;

  /** `inner` writes its rows as `StoredFrames` do; `writer` is the client's. */
  constructor(call: Call, inner: EventStream, writer: FrameWriter) {
    this.#call = call;
    this.#inner = inner;
    this.#writer = writer;
  }

  async next(): Promise<Uint8Array | undefined> {
    const frame = await this.#inner.next();
    if (frame === undefined) return undefined;
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
