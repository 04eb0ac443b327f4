// Sample objects for tests: of any built-in kind, with every field of its type filled in.

import type { Json, JsonObject } from '../parts.ts';
import { type Field, type Scalar, type Shape, shapeOf, typeNameOf, type ValueType } from './shapes.ts';

/** An object in which no field is zero, so that none may be left out. */
export function sampleOf(apiVersion: string, kind: string): JsonObject {
  const typeName = typeNameOf(apiVersion, kind);
  if (typeName === undefined) throw new Error(`no kind ${apiVersion} ${kind}`);
  return { ...sampleMessage(shapeOf(typeName), []), kind, apiVersion };
}

function sampleMessage(shape: Shape, inside: readonly string[]): JsonObject {
  return Object.fromEntries(shape.fields.flatMap(field => sampleField(field, [...inside, shape.name])));
}

function sampleField(field: Field, inside: readonly string[]): readonly (readonly [string, Json])[] {
  if (field.inline && field.type.kind === 'message') {
    return Object.entries(sampleMessage(shapeOf(field.type.name), inside));
  }
  const isOfTheEnvelope = field.number === 0;
  if (isOfTheEnvelope) return [];
  return [[field.name, sampleValue(field.type, inside, field.number)]];
}

function sampleValue(type: ValueType, inside: readonly string[], number: number): Json {
  if (type.kind === 'message') {
    // A CRD's schemas contain schemas.
    const isNestedInItself = inside.filter(name => name === type.name).length > 1;
    return isNestedInItself ? {} : sampleMessage(shapeOf(type.name), inside);
  }
  if (type.kind === 'list' || type.kind === 'strings') return [sampleValue(type.element, inside, number)];
  if (type.kind === 'map') return { some: sampleValue(type.element, inside, number) };
  return scalars(number)[type.kind];
}

const scalars = (number: number): Readonly<Record<Scalar, Json>> => ({
  string: `text-${number}-ü`,
  bool: true,
  int32: -number - 1,
  int64: 5_000_000_000 + number,
  float64: number + 0.5,
  bytes: Buffer.from([0, number, 255]).toString('base64'),
  time: '2024-02-29T12:34:56Z',
  microtime: '2024-02-29T12:34:56.000789Z',
  quantity: `${number + 1}500m`,
  intorstring: number % 2 === 0 ? `${number}%` : number,
  raw: { any: ['thing', number] },
  schemaorarray: [{ type: 'string' }],
  schemaorbool: false,
  schemaorstrings: ['a', 'b'],
});
