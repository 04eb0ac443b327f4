// Frames that a server in this process gives to several watches as the same bytes: read once, and held once.

import type { KubeObject } from './object.ts';
import type { EventStream } from './transport.ts';
import type { WatchFrame } from './watch.ts';

type Frame<T> = Partial<WatchFrame<T>>;

/** What was read in frames that live still. */
const read = new WeakMap<Uint8Array, Frame<KubeObject>>();

/** Objects of such frames, each with what a cache has made of it; undefined: none has yet. */
const held = new WeakMap<KubeObject, KubeObject | undefined>();

/** What `parse` reads in a frame, or what another watch of these very bytes has read. Nobody may change it. */
export function readOnce<T extends KubeObject>(
  stream: EventStream,
  bytes: Uint8Array,
  parse: (bytes: Uint8Array) => Frame<T>,
): Frame<T> {
  if (stream.sameBytes !== true) return parse(bytes);
  const known = read.get(bytes);
  if (known !== undefined) return known as Frame<T>;
  const frame = parse(bytes);
  read.set(bytes, frame);
  if (frame.object !== undefined) held.set(frame.object, undefined);
  return frame;
}

/** What `ingest` makes of an object, or what it has made of it for another cache. */
export function heldOnce<T extends KubeObject>(object: T, ingest: (object: T) => T): T {
  if (!held.has(object)) return ingest(object);
  const known = held.get(object);
  if (known !== undefined) return known as T;
  const whole = ingest(object);
  held.set(object, whole);
  return whole;
}
