// The frames of watches: each event is written once per form and shared by all who watch.

import { remembered } from '../../base/remembered.ts';
import { shaped } from '../answer/present.ts';
import { joined, rowJson } from '../answer/render.ts';
import { readToday } from '../conversion/outgrown.ts';
import { apiVersionOf, type Call } from '../core.ts';
import { servedForm } from '../objects/forms.ts';
import type { JsonObject, Resource } from '../parts.ts';
import type { Accepted } from '../request/accept.ts';
import type { Row } from '../store.ts';

export type EventType = 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR';

/** Newest changes and bytes of which frames are kept: all watchers of a change ask for it within a moment. */
const KEPT_CHANGES = 256;
const KEPT_BYTES = 4 * 1024 * 1024;
/** A frame of so many bytes is one for all that hold it, however long ago it was written. */
const LARGE_BYTES = 64 * 1024;
const encoder = new TextEncoder();

interface Frames {
  readonly byForm: Map<string, Uint8Array>;
  bytes: number;
}

/** Frames that were written a moment ago: by revision, then by form. */
export class FrameCache {
  readonly #revisions = new Map<number, Frames>();
  #bytes = 0;

  get(revision: number, form: string, write: () => Uint8Array): Uint8Array {
    const frames = this.#framesOf(revision);
    const known = frames.byForm.get(form);
    if (known !== undefined) return known;
    const frame = write();
    frames.byForm.set(form, frame);
    frames.bytes += frame.length;
    this.#bytes += frame.length;
    while (this.#revisions.size > 1 && (this.#revisions.size > KEPT_CHANGES || this.#bytes > KEPT_BYTES)) {
      this.#forgetOldest();
    }
    return frame;
  }

  #framesOf(revision: number): Frames {
    const known = this.#revisions.get(revision);
    if (known !== undefined) return known;
    const frames = { byForm: new Map<string, Uint8Array>(), bytes: 0 };
    this.#revisions.set(revision, frames);
    return frames;
  }

  #forgetOldest(): void {
    for (const [revision, { bytes }] of this.#revisions) {
      this.#revisions.delete(revision);
      this.#bytes -= bytes;
      return;
    }
  }
}

/** What is large and still held by somebody: who reads slowly, or comes late, holds what all others hold (api-7). */
const largeFrames = new WeakMap<Row, Map<string, WeakRef<Uint8Array>>>();

function heldOnce(row: Row, form: string, write: () => Uint8Array): Uint8Array {
  const byForm = largeFrames.get(row) ?? new Map<string, WeakRef<Uint8Array>>();
  const known = byForm.get(form)?.deref();
  if (known !== undefined) return known;
  const frame = write();
  byForm.set(form, new WeakRef(frame));
  largeFrames.set(row, byForm);
  return frame;
}

/** Writes the events of one watch in the form that its client accepts. */
export class FrameWriter {
  readonly #call: Call;
  readonly #accepted: Accepted;
  /** What all watches have in common that write the same bytes; undefined: this one writes its own. */
  readonly form: string | undefined;
  /** A Table's columns go out with the first event only. */
  #headSent = false;

  constructor(call: Call, accepted: Accepted) {
    this.#call = call;
    this.#accepted = accepted;
    const { group, version } = call.resource;
    this.form = accepted.shape === 'object' ? `${group}/${version} ${accepted.format}` : undefined;
  }

  /** An event about a stored object, shared with other watches of the same form. */
  ofRow(type: EventType, row: Row, cache?: FrameCache): Uint8Array {
    const { format, shape } = this.#accepted;
    const { resource, core } = this.#call;
    if (shape !== 'object') return this.ofObject(type, readToday(core, resource, row, type).object);
    const write = (): Uint8Array => {
      const shown = readToday(core, resource, row, type);
      return format === 'json'
        ? jsonFrame(type, shown, resource)
        : this.#plain(type, servedForm(shown.object, resource));
    };
    const form = `${type} ${this.form}`;
    const once = row.body.length < LARGE_BYTES ? write : () => heldOnce(row, form, write);
    return cache === undefined ? once() : cache.get(row.revision, form, once);
  }

  /** An event about any object in the accepted shape. */
  ofObject(type: EventType, object: JsonObject): Uint8Array {
    const headless = this.#headSent ? true : undefined;
    this.#headSent = true;
    return this.#plain(type, shaped(this.#call, object, this.#accepted, headless));
  }

  /** Tells how far the watch has come; an object of the watched kind that has nothing but its version. */
  bookmark(revision: number, annotations: JsonObject | undefined): Uint8Array {
    const { resource } = this.#call;
    const metadata = {
      resourceVersion: String(revision),
      ...(annotations === undefined ? {} : { annotations }),
    };
    return this.ofObject('BOOKMARK', { kind: resource.kind, apiVersion: apiVersionOf(resource), metadata });
  }

  /** An event whose object is written as it is: a Status. */
  ofStatus(status: JsonObject): Uint8Array {
    return this.#plain('ERROR', status);
  }

  #plain(type: EventType, object: JsonObject): Uint8Array {
    const { protobuf } = this.#call.core.parts;
    if (this.#accepted.format === 'protobuf' && protobuf !== undefined) return protobuf.encodeWatchEvent(type, object);
    return encoder.encode(`${JSON.stringify({ type, object })}\n`);
  }
}

const headOf = remembered((type: string) => encoder.encode(`{"type":"${type}","object":`));
const END = encoder.encode('}\n');

function jsonFrame(type: EventType, row: Row, resource: Resource): Uint8Array {
  return joined([headOf(type), rowJson(row, resource), END]);
}
