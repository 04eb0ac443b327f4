// Turns JSON objects of built-in kinds into protobuf, by the field numbers of the tables.

import { millisOf } from '../../../base/clock.ts';
import type { Json, JsonObject } from '../../parts.ts';
import { isObject } from '../json.ts';
import { JSON_SCHEMA, type Scalar, type Shape, shapeOf, type ValueType } from '../shapes.ts';
import { FIXED64, ReverseWriter, VARINT } from './writer.ts';

/** The bytes of one message, without an envelope. */
export function encodeMessage(typeName: string, object: JsonObject): Uint8Array {
  const writer = new ReverseWriter();
  writeFields(writer, shapeOf(typeName), object);
  return writer.finish();
}

function writeFields(writer: ReverseWriter, shape: Shape, object: JsonObject): void {
  for (const field of shape.wired) {
    const value = field.inline ? object : object[field.name];
    if (value !== undefined && value !== null) writeValue(writer, field.number, field.type, value);
    else if (!field.pointer) writeZero(writer, field.number, field.type);
  }
}

/** As Go writes a field that is no pointer: also when nobody has set it. */
function writeZero(writer: ReverseWriter, number: number, type: ValueType): void {
  if (type.kind === 'message') writeValue(writer, number, type, {});
  else if (type.kind in ZEROS) writeValue(writer, number, type, ZEROS[type.kind] ?? null);
  else if (EMPTY_MESSAGES.has(type.kind)) writer.delimit(number, writer.mark);
}

const ZEROS: Readonly<Record<string, Json>> = {
  string: '',
  bool: false,
  int32: 0,
  int64: 0,
  float64: 0,
  quantity: '0',
  intorstring: 0,
};

const EMPTY_MESSAGES: ReadonlySet<string> = new Set(['time', 'microtime', 'raw']);

function writeValue(writer: ReverseWriter, number: number, type: ValueType, value: Json): void {
  if (type.kind === 'list') {
    for (const item of arrayOf(value).toReversed()) writeValue(writer, number, type.element, item);
  } else if (type.kind === 'map') {
    writeMap(writer, number, type.element, objectOf(value));
  } else if (type.kind === 'strings') {
    const mark = writer.mark;
    for (const item of arrayOf(value).toReversed()) writeValue(writer, 1, type.element, item);
    writer.delimit(number, mark);
  } else if (type.kind === 'message') {
    const mark = writer.mark;
    writeFields(writer, shapeOf(type.name), objectOf(value));
    writer.delimit(number, mark);
  } else {
    scalarWriters[type.kind](writer, number, value);
  }
}

/** Sorted by key, as every map of a Kubernetes message is: equal objects give equal bytes. */
function writeMap(writer: ReverseWriter, number: number, element: ValueType, value: JsonObject): void {
  for (const key of Object.keys(value).sort().toReversed()) {
    const mark = writer.mark;
    writeValue(writer, 2, element, value[key] ?? null);
    writeText(writer, 1, key);
    writer.delimit(number, mark);
  }
}

const scalarWriters: Readonly<Record<Scalar, (writer: ReverseWriter, number: number, value: Json) => void>> = {
  string: (writer, number, value) => writeText(writer, number, textOf(value)),
  bool: (writer, number, value) => writeInteger(writer, number, value === true ? 1 : 0),
  int32: (writer, number, value) => writeInteger(writer, number, numberOf(value)),
  int64: (writer, number, value) => writeInteger(writer, number, numberOf(value)),
  float64: writeDouble,
  bytes: (writer, number, value) => writeBytes(writer, number, Buffer.from(textOf(value), 'base64')),
  time: writeTime,
  microtime: writeTime,
  quantity: (writer, number, value) => wrap(writer, number, () => writeText(writer, 1, String(value))),
  raw: (writer, number, value) => wrap(writer, number, () => writeText(writer, 1, JSON.stringify(value))),
  intorstring: writeIntOrString,
  schemaorarray: (writer, number, value) => {
    const schemas = Array.isArray(value);
    const type: ValueType = schemas ? { kind: 'list', element: schemaType } : schemaType;
    wrap(writer, number, () => writeValue(writer, schemas ? 2 : 1, type, value));
  },
  schemaorbool: (writer, number, value) =>
    wrap(writer, number, () => {
      if (isObject(value)) writeValue(writer, 2, schemaType, value);
      writeInteger(writer, 1, value === false ? 0 : 1);
    }),
  schemaorstrings: (writer, number, value) => {
    const strings = Array.isArray(value);
    const type: ValueType = strings ? { kind: 'list', element: { kind: 'string' } } : schemaType;
    wrap(writer, number, () => writeValue(writer, strings ? 2 : 1, type, value));
  },
};

const schemaType: ValueType = { kind: 'message', name: JSON_SCHEMA };

function wrap(writer: ReverseWriter, number: number, body: () => void): void {
  const mark = writer.mark;
  body();
  writer.delimit(number, mark);
}

function writeText(writer: ReverseWriter, number: number, value: string): void {
  const mark = writer.mark;
  writer.string(value);
  writer.delimit(number, mark);
}

function writeBytes(writer: ReverseWriter, number: number, value: Uint8Array): void {
  const mark = writer.mark;
  writer.bytes(value);
  writer.delimit(number, mark);
}

function writeInteger(writer: ReverseWriter, number: number, value: number): void {
  writer.integer(value);
  writer.tag(number, VARINT);
}

function writeDouble(writer: ReverseWriter, number: number, value: Json): void {
  writer.double(numberOf(value));
  writer.tag(number, FIXED64);
}

/** `Timestamp`: seconds and nanoseconds; Kubernetes keeps no more than microseconds. */
function writeTime(writer: ReverseWriter, number: number, value: Json): void {
  const text = textOf(value);
  const ms = millisOf(text);
  if (Number.isNaN(ms)) throw new Error(`protobuf: ${JSON.stringify(text)} is no time`);
  const micros = Number((/\.(\d{1,6})/.exec(text)?.[1] ?? '').padEnd(6, '0'));
  wrap(writer, number, () => {
    writeInteger(writer, 2, micros * 1000);
    writeInteger(writer, 1, Math.floor(ms / 1000));
  });
}

function writeIntOrString(writer: ReverseWriter, number: number, value: Json): void {
  const isText = typeof value === 'string';
  wrap(writer, number, () => {
    writeText(writer, 3, isText ? value : '');
    writeInteger(writer, 2, isText ? 0 : numberOf(value));
    writeInteger(writer, 1, isText ? 1 : 0);
  });
}

function arrayOf(value: Json): readonly Json[] {
  if (Array.isArray(value)) return value;
  throw new Error('protobuf: a list is expected');
}

function objectOf(value: Json): JsonObject {
  if (isObject(value)) return value;
  throw new Error('protobuf: an object is expected');
}

function textOf(value: Json): string {
  if (typeof value === 'string') return value;
  throw new Error('protobuf: a string is expected');
}

function numberOf(value: Json): number {
  if (typeof value === 'number') return value;
  throw new Error('protobuf: a number is expected');
}
