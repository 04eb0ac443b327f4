// The protobuf form of built-in kinds, as Go clients speak it: envelope, kinds and watch frames.

import { messageOf } from '../../../base/errors.ts';
import { BadMessage, type JsonObject, type ProtobufCodec, type TypeMeta } from '../../parts.ts';
import { textAt } from '../json.ts';
import { typeNameOf } from '../shapes.ts';
import { tidy } from '../tidy.ts';
import { decodeMessage } from './decode.ts';
import { encodeMessage } from './encode.ts';
import { Reader } from './reader.ts';
import { ReverseWriter } from './writer.ts';

/** Four bytes before every message: `k8s` and a zero. */
const MAGIC = Buffer.from('k8s\0');

export const protobufCodec: ProtobufCodec = {
  knows: (apiVersion, kind) => typeNameOf(apiVersion, kind) !== undefined,
  encode,
  decode,
  encodeWatchEvent,
};

/** The envelope `runtime.Unknown`: type (1) with apiVersion (1) and kind (2), then the raw message (2). */
function encode(object: JsonObject): Uint8Array {
  const apiVersion = textAt(object, 'apiVersion');
  const kind = textAt(object, 'kind');
  // What lists the core group's versions and resources names no version of its own, as on the real server.
  const body = encodeMessage(knownType(apiVersion === '' ? 'v1' : apiVersion, kind), object);
  const writer = new ReverseWriter();
  // Empty content encoding and type, as Go writes them.
  writer.delimit(4, writer.mark);
  writer.delimit(3, writer.mark);
  delimited(writer, 2, () => writer.bytes(body));
  delimited(writer, 1, () => {
    delimited(writer, 2, () => writer.string(kind));
    delimited(writer, 1, () => writer.string(apiVersion));
  });
  writer.bytes(MAGIC);
  return writer.finish();
}

function delimited(writer: ReverseWriter, number: number, body: () => void): void {
  const mark = writer.mark;
  body();
  writer.delimit(number, mark);
}

function decode(bytes: Uint8Array, into?: TypeMeta): JsonObject {
  const { raw, ...found } = whole(undefined, () => openEnvelope(bytes));
  const named = { apiVersion: found.apiVersion || (into?.apiVersion ?? ''), kind: found.kind || (into?.kind ?? '') };
  return whole(named, () => {
    const typeName = knownType(named.apiVersion, named.kind);
    return tidy(typeName, { ...named, ...decodeMessage(typeName, raw) }).object;
  });
}

/** What goes wrong in `read` is told as a bad message of the kind that is named so far. */
function whole<T>(named: TypeMeta | undefined, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw new BadMessage(messageOf(error), named);
  }
}

interface Envelope {
  readonly apiVersion: string;
  readonly kind: string;
  readonly raw: Uint8Array;
}

function openEnvelope(bytes: Uint8Array): Envelope {
  if (bytes.length === 0) throw new Error('empty data');
  if (!MAGIC.equals(bytes.subarray(0, MAGIC.length))) {
    throw new Error('provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]');
  }
  const reader = new Reader(bytes, MAGIC.length);
  const found: { apiVersion: string; kind: string; raw: Uint8Array } = {
    apiVersion: '',
    kind: '',
    raw: new Uint8Array(),
  };
  for (let wire = reader.next(); wire !== undefined; wire = reader.next()) {
    if (wire.number === 1) Object.assign(found, readTypeMeta(reader.message()));
    else if (wire.number === 2) found.raw = reader.bytes();
    else reader.skip(wire);
  }
  return found;
}

function readTypeMeta(reader: Reader): Pick<Envelope, 'apiVersion' | 'kind'> {
  const found = { apiVersion: '', kind: '' };
  for (let wire = reader.next(); wire !== undefined; wire = reader.next()) {
    if (wire.number === 1) found.apiVersion = reader.string();
    else if (wire.number === 2) found.kind = reader.string();
    else reader.skip(wire);
  }
  return found;
}

function knownType(apiVersion: string, kind: string): string {
  const typeName = typeNameOf(apiVersion, kind);
  if (typeName === undefined)
    throw new Error(
      `no kind ${JSON.stringify(kind)} is registered for version ${JSON.stringify(apiVersion)} in scheme "pkg/runtime/scheme.go:111"`,
    );
  return typeName;
}

/** A big-endian length, then `WatchEvent`: type (1), object (2) as a raw extension (1) that holds an envelope. */
function encodeWatchEvent(type: string, object: JsonObject): Uint8Array {
  const writer = new ReverseWriter();
  const envelope = encode(object);
  delimited(writer, 2, () => delimited(writer, 1, () => writer.bytes(envelope)));
  delimited(writer, 1, () => writer.string(type));
  const length = Buffer.alloc(4);
  length.writeUInt32BE(writer.mark);
  writer.bytes(length);
  return writer.finish();
}
