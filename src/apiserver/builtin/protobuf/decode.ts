// Turns protobuf messages of built-in kinds into JSON objects, by the field numbers of the tables.

import { kubeMicroTime, kubeTime } from '../../../base/clock.ts';
import type { Json, JsonObject } from '../../parts.ts';
import { numberProblem } from '../../request/exact-numbers.ts';
import { type Draft, isList, isObject, setKey } from '../json.ts';
import { type Field, JSON_SCHEMA, type Scalar, type Shape, shapeOf, type ValueType } from '../shapes.ts';
import { Reader, type WireField } from './reader.ts';
import { DELIMITED, FIXED64, VARINT } from './writer.ts';

/** Far deeper than any real object (a CRD's schema nests most), and far from the end of the stack. */
const MAX_DEPTH = 400;

/** What the message says and no more: fields that are absent on the wire are absent here. */
export function decodeMessage(typeName: string, bytes: Uint8Array): JsonObject {
  const draft: Draft = {};
  readFields(new Reader(bytes), shapeOf(typeName), draft, 0);
  return draft;
}

function readFields(reader: Reader, shape: Shape, draft: Draft, depth: number): void {
  if (depth > MAX_DEPTH) throw new Error(`protobuf: nested deeper than ${MAX_DEPTH} messages`);
  for (let wire = reader.next(); wire !== undefined; wire = reader.next()) {
    const field = shape.byNumber.get(wire.number);
    if (field === undefined) reader.skip(wire);
    else readField({ reader, wire, depth, called: field.name }, field, draft);
  }
}

/** Where a value is read from. */
interface Source {
  readonly reader: Reader;
  readonly wire: WireField;
  readonly depth: number;
  /** The field's name, for whoever is told that its type is wrong. */
  readonly called?: string;
}

function readField(source: Source, field: Field, draft: Draft): void {
  const { type, name } = field;
  if (field.inline && type.kind === 'message') {
    source.reader.expect(source.wire, DELIMITED, source.called);
    readFields(source.reader.message(), shapeOf(type.name), draft, source.depth + 1);
  } else if (type.kind === 'list') {
    const list = draft[name];
    const items = readItems(source, type.element);
    draft[name] = isList(list) ? appended(list, items) : items;
  } else if (type.kind === 'map') {
    const map = draft[name];
    draft[name] = isObject(map) ? map : {};
    readMapEntry(source, type.element, draft[name] as Draft);
  } else {
    draft[name] = readValue(source, type);
  }
}

/** In place: copying the list for each of its items would cost the square of its length. */
function appended(list: readonly Json[], items: readonly Json[]): readonly Json[] {
  (list as Json[]).push(...items);
  return list;
}

/** One item, or several where numbers are packed into one field. */
function readItems(source: Source, element: ValueType): Json[] {
  const isNumber = element.kind === 'int32' || element.kind === 'int64' || element.kind === 'bool';
  if (!isNumber || source.wire.wireType !== DELIMITED) return [readValue(source, element)];

  const packed = source.reader.message();
  const items: Json[] = [];
  while (!packed.atEnd) items.push(element.kind === 'bool' ? packed.integer() !== 0 : packed.integer());
  return items;
}

function readMapEntry(source: Source, element: ValueType, map: Draft): void {
  source.reader.expect(source.wire, DELIMITED, source.called);
  const reader = source.reader.message();
  let key = '';
  let value = zeroOf(element);
  for (let wire = reader.next(); wire !== undefined; wire = reader.next()) {
    if (wire.number === 1) key = readText({ reader, wire, depth: source.depth });
    else if (wire.number === 2) value = readValue({ reader, wire, depth: source.depth + 1 }, element);
    else reader.skip(wire);
  }
  setKey(map, key, value);
}

/** Map values that are zero may be left out on the wire. */
function zeroOf(type: ValueType): Json {
  if (type.kind === 'message') return {};
  if (type.kind === 'list' || type.kind === 'strings') return [];
  if (type.kind === 'string' || type.kind === 'bytes') return '';
  if (type.kind === 'quantity') return '0';
  return type.kind === 'bool' ? false : null;
}

function readValue(source: Source, type: ValueType): Json {
  if (type.kind === 'message') {
    source.reader.expect(source.wire, DELIMITED, source.called);
    const draft: Draft = {};
    readFields(source.reader.message(), shapeOf(type.name), draft, source.depth + 1);
    return draft;
  }
  if (type.kind === 'strings') return readWrapped(source, type.element);
  if (type.kind === 'list' || type.kind === 'map') throw new Error('protobuf: a list inside a list');
  return scalarReaders[type.kind](source);
}

/** A message that holds one repeated field. */
function readWrapped(source: Source, element: ValueType): Json {
  const items: Json[] = [];
  each(source, inner => {
    if (inner.wire.number === 1) items.push(readValue(inner, element));
    else inner.reader.skip(inner.wire);
  });
  return items;
}

const scalarReaders: Readonly<Record<Scalar, (source: Source) => Json>> = {
  string: readText,
  bool: source => readInteger(source) !== 0,
  int32: readInteger,
  int64: readInteger,
  float64: ({ reader, wire, called }) => {
    reader.expect(wire, FIXED64, called);
    return reader.double();
  },
  bytes: source => readBytes(source).toString('base64'),
  time: source => readTime(source, kubeTime),
  microtime: source => readTime(source, kubeMicroTime),
  quantity: source => firstText(source),
  raw: readRaw,
  intorstring: readIntOrString,
  schemaorarray: source => {
    const found = readParts(source, { 1: schemaType, 2: schemaType });
    return found[2] ?? found[1]?.[0] ?? null;
  },
  schemaorbool: source => {
    const found = readParts(source, { 1: { kind: 'bool' }, 2: schemaType });
    return found[2]?.[0] ?? found[1]?.[0] ?? false;
  },
  schemaorstrings: source => {
    const found = readParts(source, { 1: schemaType, 2: { kind: 'string' } });
    return found[1]?.[0] ?? found[2] ?? [];
  },
};

const schemaType: ValueType = { kind: 'message', name: JSON_SCHEMA };

function readText({ reader, wire, called }: Source): string {
  reader.expect(wire, DELIMITED, called);
  return reader.string();
}

function readBytes({ reader, wire, called }: Source): Buffer {
  reader.expect(wire, DELIMITED, called);
  return reader.bytes();
}

function readInteger({ reader, wire, called }: Source): number {
  reader.expect(wire, VARINT, called);
  return reader.integer(called);
}

/** Calls back for each field of the message at hand. */
function each(source: Source, read: (inner: Source) => void): void {
  source.reader.expect(source.wire, DELIMITED, source.called);
  const reader = source.reader.message();
  for (let wire = reader.next(); wire !== undefined; wire = reader.next()) {
    read({ reader, wire, depth: source.depth + 1 });
  }
}

/** The values of a small message, by field number, in the order of the wire. */
function readParts(source: Source, types: Readonly<Record<number, ValueType>>): Record<number, Json[]> {
  const found: Record<number, Json[]> = {};
  each(source, inner => {
    const type = types[inner.wire.number];
    if (type === undefined) inner.reader.skip(inner.wire);
    else found[inner.wire.number] = [...(found[inner.wire.number] ?? []), readValue(inner, type)];
  });
  return found;
}

const firstText = (source: Source): string => String(readParts(source, { 1: { kind: 'string' } })[1]?.[0] ?? '');

/** Null for the zero time, which protobuf writes as an empty message. */
function readTime(source: Source, format: (ms: number) => string): Json {
  const found = readParts(source, { 1: { kind: 'int64' }, 2: { kind: 'int32' } });
  const seconds = Number(found[1]?.[0] ?? 0);
  const nanos = Number(found[2]?.[0] ?? 0);
  if (seconds === 0 && nanos === 0) return null;
  const ms = seconds * 1000;
  if (Math.abs(ms) > 8.64e15) throw new Error('protobuf: time out of range');
  const text = format(ms);
  return text.endsWith('.000000Z')
    ? text.replace('000000Z', `${String(Math.floor(nanos / 1000)).padStart(6, '0')}Z`)
    : text;
}

function readIntOrString(source: Source): Json {
  const found = readParts(source, { 1: { kind: 'int64' }, 2: { kind: 'int32' }, 3: { kind: 'string' } });
  return found[1]?.[0] === 1 ? (found[3]?.[0] ?? '') : (found[2]?.[0] ?? 0);
}

/** JSON inside protobuf: extensions, managed fields, a CRD's defaults and examples. */
function readRaw(source: Source): Json {
  const text = firstText(source);
  if (text === '') return null;
  const problem = numberProblem(text);
  if (problem !== undefined) throw new Error(problem);
  try {
    return JSON.parse(text);
  } catch {
    throw new Error('protobuf: an embedded document is no JSON');
  }
}
