// What cases of formats begin with: media types, a writer of protobuf that knows no kind, frames as bytes.

import type { IncomingMessage } from 'node:http';
import type { Trial } from '../frame/trial.ts';
import { open } from '../frame/wire.ts';
import { dumped } from '../frame/wire-dump.ts';

export const YAML = 'application/yaml';
export const PROTOBUF = 'application/vnd.kubernetes.protobuf';
export const acceptProtobuf = { headers: { accept: PROTOBUF } };
export const acceptYaml = { headers: { accept: YAML } };
export const sendProtobuf = { headers: { 'content-type': PROTOBUF } };

type Value = number | boolean | string | Buffer | readonly Field[];
type Field = readonly [number, Value];

/** A message of these fields. */
export const message = (...fields: readonly Field[]): Buffer => Buffer.concat(fields.map(field));

function field([number, value]: Field): Buffer {
  if (typeof value === 'number' || typeof value === 'boolean')
    return Buffer.concat([varint(number * 8), varint(Number(value))]);
  const bytes =
    typeof value === 'string'
      ? Buffer.from(value)
      : Buffer.isBuffer(value)
        ? value
        : message(...(value as readonly Field[]));
  return Buffer.concat([varint(number * 8 + 2), varint(bytes.length), bytes]);
}

function varint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = BigInt.asUintN(64, BigInt(value));
  for (; rest > 0x7fn; rest >>= 7n) bytes.push(Number(rest & 0x7fn) | 0x80);
  return Buffer.from([...bytes, Number(rest)]);
}

/** The envelope that every object has on the wire. */
export const enveloped = (apiVersion: string, kind: string, raw: Buffer): Buffer =>
  Buffer.concat([
    Buffer.from('k8s\0'),
    message(
      [
        1,
        [
          [1, apiVersion],
          [2, kind],
        ],
      ],
      [2, raw],
    ),
  ]);

/** Opens a watch in protobuf and records its frames: four bytes of length, then the event. */
export async function protobufFrames(
  t: Trial,
  path: string,
  count: number,
  accept = `${PROTOBUF};stream=watch`,
): Promise<void> {
  const incoming = await open(t.ground, { method: 'GET', path, headers: { accept } });
  t.note('head', [
    incoming.statusCode,
    incoming.headers['content-type'],
    incoming.headers['transfer-encoding'] ?? 'none',
  ]);
  t.after(async () => incoming.destroy());
  const frames = framesOf(incoming);
  for (let index = 0; index < count; index++) {
    const { value } = await frames.next();
    t.note('frame', value === undefined ? 'the stream ended' : dumped(value as Buffer));
  }
}

async function* framesOf(incoming: IncomingMessage): AsyncGenerator<Buffer> {
  let rest = Buffer.alloc(0);
  for await (const chunk of incoming) {
    rest = Buffer.concat([rest, chunk as Buffer]);
    while (rest.length >= 4 && rest.length >= 4 + rest.readUInt32BE(0)) {
      const length = rest.readUInt32BE(0);
      yield rest.subarray(4, 4 + length);
      rest = rest.subarray(4 + length);
    }
  }
}
