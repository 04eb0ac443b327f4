// The v2 document in protobuf, as Go clients ask for it: messages of github.com/google/gnostic-models, openapiv2.
// Only what our documents hold is written.

import type { Json, JsonObject } from '../../parts.ts';
import { isList, isObject, listAt, objectAt, objectsAt, textAt } from '../json.ts';
import { FIXED64, ReverseWriter, VARINT } from '../protobuf/writer.ts';

export function encodeDocument(document: JsonObject): Uint8Array {
  const writer = new ReverseWriter();
  message(writer, 13, () => named(writer, 1, objectAt(document, 'securityDefinitions'), apiKey));
  for (const requirement of objectsAt(document, 'security').toReversed()) {
    message(writer, 12, () =>
      named(writer, 1, requirement, (_, value) => texts(writer, 1, isList(value) ? value : [])),
    );
  }
  message(writer, 9, () => named(writer, 1, objectAt(document, 'definitions'), schema));
  message(writer, 8, () => named(writer, 2, objectAt(document, 'paths'), pathItem));
  message(writer, 2, () => {
    const info = objectAt(document, 'info');
    text(writer, 2, textAt(info, 'version'));
    text(writer, 1, textAt(info, 'title'));
  });
  text(writer, 1, textAt(document, 'swagger'));
  return writer.finish();
}

type Body = (writer: ReverseWriter, value: Json) => void;

function message(writer: ReverseWriter, number: number, body: () => void): void {
  const mark = writer.mark;
  body();
  writer.delimit(number, mark);
}

/** A repeated message of name (1) and value (2). */
function named(writer: ReverseWriter, number: number, entries: JsonObject, body: Body): void {
  for (const [name, value] of Object.entries(entries).toReversed()) {
    message(writer, number, () => {
      message(writer, 2, () => body(writer, value));
      text(writer, 1, name);
    });
  }
}

function text(writer: ReverseWriter, number: number, value: string): void {
  if (value !== '') message(writer, number, () => writer.string(value));
}

function texts(writer: ReverseWriter, number: number, values: readonly Json[]): void {
  for (const value of values.toReversed()) message(writer, number, () => writer.string(String(value)));
}

function flag(writer: ReverseWriter, number: number, value: Json | undefined): void {
  if (value !== true) return;
  writer.unsigned(1);
  writer.tag(number, VARINT);
}

function count(writer: ReverseWriter, number: number, value: Json | undefined): void {
  if (typeof value !== 'number') return;
  writer.integer(value);
  writer.tag(number, VARINT);
}

function double(writer: ReverseWriter, number: number, value: Json | undefined): void {
  if (typeof value !== 'number') return;
  writer.double(value);
  writer.tag(number, FIXED64);
}

/** `Any`: the value as YAML, of which JSON is a part. */
function any(writer: ReverseWriter, number: number, value: Json | undefined): void {
  if (value !== undefined) message(writer, number, () => text(writer, 2, JSON.stringify(value)));
}

function extensions(writer: ReverseWriter, number: number, object: JsonObject): void {
  const own = Object.fromEntries(Object.entries(object).filter(([key]) => key.startsWith('x-')));
  named(writer, number, own, (_, value) => text(writer, 2, JSON.stringify(value)));
}

function apiKey(writer: ReverseWriter, value: Json): void {
  if (!isObject(value)) return;
  message(writer, 2, () => {
    text(writer, 3, textAt(value, 'in'));
    text(writer, 2, textAt(value, 'name'));
    text(writer, 1, textAt(value, 'type'));
  });
}

const METHODS = [
  ['patch', 8],
  ['delete', 5],
  ['post', 4],
  ['put', 3],
  ['get', 2],
] as const;

function pathItem(writer: ReverseWriter, value: Json): void {
  if (!isObject(value)) return;
  for (const parameter of objectsAt(value, 'parameters').toReversed()) parametersItem(writer, 9, parameter);
  for (const [method, number] of METHODS) {
    const found = value[method];
    if (isObject(found)) message(writer, number, () => operation(writer, found));
  }
}

function operation(writer: ReverseWriter, value: JsonObject): void {
  extensions(writer, 13, value);
  texts(writer, 10, listAt(value, 'schemes'));
  message(writer, 9, () => named(writer, 1, objectAt(value, 'responses'), response));
  for (const parameter of objectsAt(value, 'parameters').toReversed()) parametersItem(writer, 8, parameter);
  texts(writer, 7, listAt(value, 'consumes'));
  texts(writer, 6, listAt(value, 'produces'));
  text(writer, 5, textAt(value, 'operationId'));
  texts(writer, 1, listAt(value, 'tags'));
}

function response(writer: ReverseWriter, value: Json): void {
  if (!isObject(value)) return;
  message(writer, 1, () => {
    const found = value.schema;
    if (isObject(found)) message(writer, 2, () => message(writer, 1, () => schema(writer, found)));
    text(writer, 1, textAt(value, 'description'));
  });
}

function parametersItem(writer: ReverseWriter, number: number, value: JsonObject): void {
  message(writer, number, () => message(writer, 1, () => parameter(writer, value)));
}

function parameter(writer: ReverseWriter, value: JsonObject): void {
  if (value.in === 'body') message(writer, 1, () => bodyParameter(writer, value));
  else if (value.in === 'query') message(writer, 2, () => message(writer, 3, () => queryParameter(writer, value)));
  else message(writer, 2, () => message(writer, 4, () => pathParameter(writer, value)));
}

function bodyParameter(writer: ReverseWriter, value: JsonObject): void {
  message(writer, 5, () => schema(writer, objectAt(value, 'schema')));
  flag(writer, 4, value.required);
  text(writer, 3, textAt(value, 'in'));
  text(writer, 2, textAt(value, 'name'));
}

function queryParameter(writer: ReverseWriter, value: JsonObject): void {
  flag(writer, 20, value.uniqueItems);
  text(writer, 6, textAt(value, 'type'));
  text(writer, 4, textAt(value, 'name'));
  text(writer, 2, textAt(value, 'in'));
}

function pathParameter(writer: ReverseWriter, value: JsonObject): void {
  flag(writer, 19, value.uniqueItems);
  text(writer, 5, textAt(value, 'type'));
  text(writer, 4, textAt(value, 'name'));
  text(writer, 2, textAt(value, 'in'));
  flag(writer, 1, value.required);
}

function schema(writer: ReverseWriter, value: Json): void {
  if (!isObject(value)) return;
  extensions(writer, 31, value);
  any(writer, 30, value.example);
  const properties = objectAt(value, 'properties');
  if (Object.keys(properties).length > 0) message(writer, 25, () => named(writer, 1, properties, schema));
  for (const part of objectsAt(value, 'allOf').toReversed()) message(writer, 24, () => schema(writer, part));
  const { items } = value;
  if (isObject(items)) message(writer, 23, () => message(writer, 1, () => schema(writer, items)));
  if (textAt(value, 'type') !== '') message(writer, 22, () => text(writer, 1, textAt(value, 'type')));
  additional(writer, value.additionalProperties);
  for (const item of listAt(value, 'enum').toReversed()) any(writer, 20, item);
  texts(writer, 19, listAt(value, 'required'));
  limits(writer, value);
  any(writer, 5, value.default);
  text(writer, 4, textAt(value, 'description'));
  text(writer, 3, textAt(value, 'title'));
  text(writer, 2, textAt(value, 'format'));
  text(writer, 1, textAt(value, '$ref'));
}

function additional(writer: ReverseWriter, value: Json | undefined): void {
  if (isObject(value)) message(writer, 21, () => message(writer, 1, () => schema(writer, value)));
  else if (value === true) message(writer, 21, () => flag(writer, 2, true));
}

function limits(writer: ReverseWriter, value: JsonObject): void {
  count(writer, 18, value.minProperties);
  count(writer, 17, value.maxProperties);
  flag(writer, 16, value.uniqueItems);
  count(writer, 15, value.minItems);
  count(writer, 14, value.maxItems);
  text(writer, 13, textAt(value, 'pattern'));
  count(writer, 12, value.minLength);
  count(writer, 11, value.maxLength);
  flag(writer, 10, value.exclusiveMinimum);
  double(writer, 9, value.minimum);
  flag(writer, 8, value.exclusiveMaximum);
  double(writer, 7, value.maximum);
  double(writer, 6, value.multipleOf);
}
